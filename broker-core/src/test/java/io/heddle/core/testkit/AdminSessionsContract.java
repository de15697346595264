package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.administration.AdminRole;
import io.heddle.core.administration.AdminSession;
import io.heddle.core.administration.AdminSessionToken;
import io.heddle.core.administration.AdminSessions;
import io.heddle.core.administration.AdminUser;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** The contract of {@link AdminSessions}. Each test starts with an empty store. */
public abstract class AdminSessionsContract {
    private static final Instant START = Instant.parse("2026-11-01T10:00:00.123Z");
    private static final Duration IDLE = Duration.ofMinutes(30);
    private static final SecureRandom random = new SecureRandom();

    /** Returns the store under test, empty at the start of a test and the same throughout it. */
    protected abstract AdminSessions sessions();

    private static AdminSession session(String userName, Instant createdAt) {
        AdminUser user = new AdminUser(UUID.randomUUID(), userName, "hash", AdminRole.VIEWER);
        return new AdminSession(
                UUID.randomUUID(),
                AdminSessionToken.draw(random).hash(),
                userName,
                AdminSession.account(user),
                "2001:db8::1",
                createdAt,
                createdAt,
                createdAt.plus(Duration.ofHours(12)));
    }

    private AdminSession create(String userName, Instant createdAt) {
        AdminSession created = session(userName, createdAt);
        sessions().create(created, createdAt.minus(IDLE));
        return created;
    }

    @Test
    void aSessionIsFoundByTheHashOfItsTokenUntilItIsRemoved() {
        AdminSession first = create("ada", START);
        AdminSession second = create("ada", START);
        AdminSession other = create("Ada", START);

        assertThat(sessions().find(first.tokenHash())).isEqualTo(first);
        assertThat(sessions().find(AdminSessionToken.draw(random).hash())).isNull();

        sessions().remove("Ada", first.id());
        assertThat(sessions().find(first.tokenHash()))
                .as("not a session of Ada")
                .isEqualTo(first);
        sessions().remove("ada", first.id());
        sessions().remove("ada", first.id());
        assertThat(sessions().find(first.tokenHash())).isNull();
        assertThat(sessions().find(second.tokenHash())).isEqualTo(second);
        assertThat(sessions().find(other.tokenHash())).isEqualTo(other);
    }

    @Test
    void theSessionsOfAnAdministratorAreListedAndRemovedTogether() {
        AdminSession first = create("ada", START);
        AdminSession second = create("ada", START.plusMillis(1));
        AdminSession third = create("ada", START.plusMillis(2));
        AdminSession other = create("grace", START);
        assertThat(sessions().list("ada")).containsExactly(third, second, first);

        sessions().removeAll("ada", second.id());
        assertThat(sessions().list("ada")).containsExactly(second);
        sessions().removeAll("ada", other.id());
        assertThat(sessions().list("ada")).isEmpty();
        create("ada", START);
        sessions().removeAll("ada", null);

        assertThat(sessions().list("ada")).isEmpty();
        assertThat(sessions().list("grace")).containsExactly(other);
    }

    @Test
    void theLatestUseIsStored() {
        AdminSession created = create("ada", START);
        sessions().use(created.id(), START.plusSeconds(90));
        sessions().use(created.id(), START.plusSeconds(60));
        assertThat(sessions().find(created.tokenHash())).isEqualTo(created.usedAt(START.plusSeconds(90)));

        sessions().remove("ada", created.id());
        sessions().use(created.id(), START.plusSeconds(120));
        assertThat(sessions().find(created.tokenHash())).isNull();
    }

    @Test
    void aNewSessionRemovesExpiredOnesOfAllAdministrators() {
        AdminSession old = create("ada", START);
        AdminSession idle = create("grace", START.plusSeconds(60));
        Instant end = old.expiresAt();
        sessions().use(old.id(), end.minusMillis(1));
        assertThat(sessions().find(idle.tokenHash())).isEqualTo(idle);

        AdminSession almostIdle = create("vera", end.minusMillis(1).minus(IDLE));
        assertThat(sessions().find(idle.tokenHash())).as("idle").isNull();
        create("edsger", end.minusMillis(1));
        assertThat(sessions().find(old.tokenHash())).isNotNull();
        assertThat(sessions().find(almostIdle.tokenHash())).isNotNull();

        AdminSession latest = create("edsger", end);
        assertThat(sessions().find(old.tokenHash())).as("expired").isNull();
        assertThat(sessions().find(almostIdle.tokenHash())).as("idle").isNull();
        assertThat(sessions().find(latest.tokenHash())).isEqualTo(latest);
    }

    @Test
    void aFurtherSessionReplacesTheOldest() {
        AdminSession other = create("grace", START);
        List<AdminSession> created = new ArrayList<>();
        for (int i = 0; i < AdminSessions.MAX_PER_ADMINISTRATOR + 2; i++) {
            created.add(create("ada", START.plusMillis(i)));
        }

        assertThat(sessions().list("ada"))
                .isEqualTo(created.subList(2, created.size()).reversed());
        assertThat(sessions().list("grace")).containsExactly(other);
    }

    @Test
    void concurrentNodesDoNotExceedTheMaximum() throws Exception {
        int nodes = 8;
        for (int i = 0; i < AdminSessions.MAX_PER_ADMINISTRATOR - 1; i++) {
            create("ada", START);
        }
        CyclicBarrier together = new CyclicBarrier(nodes);
        List<Callable<AdminSession>> creations = new ArrayList<>();
        for (int node = 0; node < nodes; node++) {
            creations.add(() -> {
                together.await();
                return create("ada", START.plusMillis(1));
            });
        }

        List<AdminSession> created = new ArrayList<>();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<AdminSession> creation : executor.invokeAll(creations)) {
                created.add(creation.get());
            }
        }

        assertThat(sessions().list("ada"))
                .hasSize(AdminSessions.MAX_PER_ADMINISTRATOR)
                .containsAll(created);
    }
}
