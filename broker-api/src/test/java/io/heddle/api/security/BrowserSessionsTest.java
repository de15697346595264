package io.heddle.api.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.heddle.core.administration.AdminRole;
import io.heddle.core.administration.AdminSession;
import io.heddle.core.administration.AdminSessionToken;
import io.heddle.core.administration.AdminSessions;
import io.heddle.core.administration.AdminUser;
import io.heddle.core.testkit.InMemoryAdminSessions;
import io.heddle.core.testkit.InMemoryAdminUsers;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.core.Authentication;

final class BrowserSessionsTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final SecureRandom random = new SecureRandom();

    private final AdminUser ada = new AdminUser(UUID.randomUUID(), "ada", "hash", AdminRole.ADMIN);
    private final InMemoryAdminUsers users = new InMemoryAdminUsers();
    private final Gate gate = new Gate();
    private final ManualTicker clock = new ManualTicker();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private Instant now = Instant.parse("2026-11-01T10:00:00.123456Z");

    private final BrowserSessions sessions = new BrowserSessions(
            users,
            gate,
            new SessionSettings(Duration.ofMinutes(30), Duration.ofHours(12)),
            new SignInGuard(new SignInSettings(10, MINUTE, MINUTE, MINUTE, 2), registry, clock),
            random,
            () -> now,
            clock);

    /** Sessions in memory whose lookups can be held. */
    private static final class Gate implements AdminSessions {
        final InMemoryAdminSessions stored = new InMemoryAdminSessions();
        final AtomicInteger running = new AtomicInteger();
        final List<String> lookups = new CopyOnWriteArrayList<>();
        volatile CountDownLatch open = new CountDownLatch(0);

        @Override
        public @Nullable AdminSession find(String tokenHash) {
            running.incrementAndGet();
            lookups.add(tokenHash);
            try {
                open.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            } finally {
                running.decrementAndGet();
            }
            return stored.find(tokenHash);
        }

        @Override
        public List<AdminSession> list(String userName) {
            return stored.list(userName);
        }

        @Override
        public void create(AdminSession session, Instant idleSince) {
            stored.create(session, idleSince);
        }

        @Override
        public void use(UUID id, Instant time) {
            stored.use(id, time);
        }

        @Override
        public void remove(String userName, UUID id) {
            stored.remove(userName, id);
        }

        @Override
        public void removeAll(String userName, @Nullable UUID kept) {
            stored.removeAll(userName, kept);
        }
    }

    @BeforeEach
    void createAda() {
        users.put(ada);
    }

    private @Nullable Authentication find(AdminSessionToken token) {
        return sessions.find(token, "10.0.0.1", false);
    }

    private void advance(Duration duration) {
        now = now.plus(duration);
    }

    @Test
    void aUsedSessionLastsTwelveHoursAndNoLonger() {
        AdminSessionToken token = sessions.open(ada, "");
        for (int i = 0; i < 12 * 60 / 30 - 1; i++) {
            advance(Duration.ofMinutes(30));
            assertThat(find(token)).isNotNull();
        }
        advance(Duration.ofMinutes(30).minusMillis(1));
        assertThat(find(token)).isNotNull();

        advance(Duration.ofMillis(1));
        assertThat(find(token)).isNull();
    }

    @Test
    void anIdleSessionEndsAfterThirtyMinutesAndDoesNotComeBack() {
        AdminSessionToken token = sessions.open(ada, "");
        advance(Duration.ofMinutes(30).plusMillis(1));

        assertThat(find(token)).isNull();
        assertThat(find(token)).isNull();
        assertThat(sessions.list("ada")).isEmpty();
    }

    @Test
    void theUseOfASessionIsStoredAtMostOnceAMinute() {
        AdminSessionToken token = sessions.open(ada, "");
        for (int i = 0; i < 120; i++) {
            advance(Duration.ofSeconds(1));
            find(token);
        }

        assertThat(gate.stored.uses()).isEqualTo(2);
    }

    @Test
    void readingMetricsIsNoUse() {
        AdminSessionToken token = sessions.open(ada, "");
        advance(Duration.ofMinutes(29));
        assertThat(sessions.find(token, "10.0.0.1", true)).isNotNull();

        advance(Duration.ofMinutes(2));
        assertThat(find(token)).isNull();
    }

    @Test
    void aRememberedSessionThatHasExpiredReadsNoMetrics() {
        AdminSessionToken token = sessions.open(ada, "");
        find(token);
        gate.stored.setDown(true);
        assertThat(sessions.find(token, "10.0.0.1", true)).isNotNull();

        advance(Duration.ofMinutes(31));
        assertThatThrownBy(() -> sessions.find(token, "10.0.0.1", true))
                .isInstanceOf(AuthenticationServiceException.class);
    }

    @Test
    void aSessionThatWasOpenedWithAnOldPasswordIsNone() {
        users.put(new AdminUser(ada.id(), "ada", "changed meanwhile", AdminRole.ADMIN));

        AdminSessionToken token = sessions.open(ada, "");

        assertThat(find(token)).isNull();
    }

    @Test
    void unknownTokensAreLookedUpTwoAtATimeAndKnownOnesAtOnce() throws Exception {
        AdminSessionToken known = sessions.open(ada, "");
        gate.open = new CountDownLatch(1);

        List<Future<?>> lookups = new ArrayList<>();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 10; i++) {
                lookups.add(executor.submit(
                        () -> assertThat(find(AdminSessionToken.draw(random))).isNull()));
            }
            await().until(() -> sessions.waiting() == 8 && gate.running.get() == 2);
            lookups.add(executor.submit(() -> assertThat(find(known)).isNotNull()));
            await().until(() -> gate.running.get() == 3);
            gate.open.countDown();
        }

        for (Future<?> lookup : lookups) {
            lookup.get();
        }
    }

    @Test
    void aFloodOfUnknownTokensFromOneAddressLeavesTurnsToOthers() throws Exception {
        gate.open = new CountDownLatch(1);
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 100; i++) {
                var _ = executor.submit(() -> sessions.find(AdminSessionToken.draw(random), "10.0.0.66", false));
            }
            await().until(() -> sessions.waiting() == 98);
            AdminSessionToken other = AdminSessionToken.draw(random);
            var _ = executor.submit(() -> sessions.find(other, "10.0.0.7", false));
            await().until(() -> sessions.waiting() == 99);
            gate.open.countDown();
            await().until(() -> gate.lookups.size() == 101);

            assertThat(gate.lookups.indexOf(other.hash())).isLessThan(50);
        }
    }
}
