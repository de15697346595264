package io.heddle.api.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.heddle.core.administration.AccountQuery;
import io.heddle.core.administration.AdminRole;
import io.heddle.core.administration.ApiKey;
import io.heddle.core.administration.ApiKeyToken;
import io.heddle.core.administration.ApiKeys;
import io.heddle.core.authentication.fairness.SignInSource;
import io.heddle.core.testkit.InMemoryApiKeys;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;

final class ApiKeyAuthenticationTest {
    private static final String HERE = "192.0.2.7";
    private static final String ELSEWHERE = "198.51.100.1";
    private static final Instant END = Instant.parse("2026-11-01T10:00:00Z");
    private static final int FAILURES = 3;

    private final SecureRandom random = new SecureRandom();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final ManualTicker clock = new ManualTicker();
    private final SignInGuard guard = new SignInGuard(
            new SignInSettings(FAILURES, Duration.ofMinutes(1), Duration.ofMinutes(1), Duration.ofMinutes(1), 2),
            registry,
            clock);
    private final GatedKeys keys = new GatedKeys();
    private Instant now = END.minusSeconds(3_600);
    private final ApiKeyAuthentication authentication = new ApiKeyAuthentication(keys, guard, () -> now, clock);

    /** Counts the searches that run, which wait while the gate is closed. */
    private static final class GatedKeys implements ApiKeys {
        private final InMemoryApiKeys stored = new InMemoryApiKeys();
        private final AtomicInteger running = new AtomicInteger();
        private final List<String> found = new CopyOnWriteArrayList<>();
        private volatile CountDownLatch gate = new CountDownLatch(0);

        @Override
        public @Nullable ApiKey find(String name) {
            running.incrementAndGet();
            try {
                gate.await();
                found.add(name);
                return stored.find(name);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            } finally {
                running.decrementAndGet();
            }
        }

        @Override
        public List<ApiKey> list(AccountQuery query) {
            return stored.list(query);
        }

        @Override
        public boolean create(ApiKey key) {
            return stored.create(key);
        }

        @Override
        public void remove(String name) {
            stored.remove(name);
        }
    }

    private String create(String name, AdminRole role) {
        ApiKeyToken token = ApiKeyToken.draw(name, random);
        assertThat(keys.create(new ApiKey(name, token.secretHash(), role, END, "ada", now)))
                .isTrue();
        return token.text();
    }

    private String guess(String name) {
        return ApiKeyToken.draw(name, random).text();
    }

    private Authentication signIn(String token, String address, boolean isForMetrics) {
        var shown = UsernamePasswordAuthenticationToken.unauthenticated("", token);
        shown.setDetails(new RequestDetails(address, isForMetrics));
        return authentication.authenticate(shown);
    }

    private Authentication signIn(String token, String address) {
        return signIn(token, address, false);
    }

    private Authentication readMetrics(String token) {
        return signIn(token, HERE, true);
    }

    private void assertRefused(String token) {
        assertThatThrownBy(() -> signIn(token, HERE)).isInstanceOf(BadCredentialsException.class);
    }

    private void assertLimited(String token, String address) {
        assertThatThrownBy(() -> signIn(token, address)).isInstanceOf(SignInLimitedException.class);
    }

    private double counted(String outcome) {
        return registry.get("heddle.admin.sign.in")
                .tag("outcome", outcome)
                .counter()
                .count();
    }

    @Test
    void aRightKeyHasItsNameItsRoleAndNoSecret() {
        Authentication signedIn = signIn(create("ci", AdminRole.OPERATOR), HERE);

        assertThat(signedIn.isAuthenticated()).isTrue();
        assertThat(signedIn.getName()).isEqualTo("key:ci");
        assertThat(signedIn.getCredentials()).isNull();
        assertThat(signedIn.getAuthorities())
                .extracting(Object::toString)
                .containsExactlyInAnyOrder("ROLE_OPERATOR", "ROLE_API_KEY");
        assertThat(counted("accepted_key")).isOne();
    }

    @Test
    void aWrongUnknownOrRemovedKeyIsRefused() {
        String token = create("ci", AdminRole.VIEWER);

        assertRefused(guess("ci"));
        assertRefused(guess("unknown"));
        assertRefused("nonsense");
        assertRefused("");
        signIn(token, HERE);
        keys.remove("ci");
        assertRefused(token);
        create("ci", AdminRole.VIEWER);
        assertRefused(token);
        assertThat(counted("refused")).isEqualTo(6);
    }

    @Test
    void aKeyIsRefusedFromItsEndOn() {
        String token = create("ci", AdminRole.VIEWER);
        now = END.minusMillis(1);
        signIn(token, HERE);

        now = END;
        assertRefused(token);
        assertThat(counted("expired_key")).isOne();
        assertThat(counted("refused")).isZero();
    }

    @Test
    void guessesAreLimitedWithoutEffectOnTheRightKey() {
        String token = create("ci", AdminRole.VIEWER);
        for (int i = 0; i < FAILURES; i++) {
            assertRefused(guess("ci"));
        }

        assertLimited(guess("ci"), HERE);
        signIn(token, HERE);
        signIn(token, ELSEWHERE);
        assertThat(counted("limited")).isOne();
    }

    @Test
    void anAddressIsLimitedForAllNamesAndForAdministrators() {
        String token = create("ci", AdminRole.VIEWER);
        for (int i = 0; i < SignInLimits.ADDRESS_FACTOR * FAILURES; i++) {
            assertRefused(guess("name-" + i));
        }

        assertLimited(guess("another"), HERE);
        assertThatThrownBy(() -> guard.refuseIfLocked(SignInSource.of(HERE, "an administrator")))
                .isInstanceOf(SignInLimitedException.class);
        signIn(token, HERE);
        assertThatThrownBy(() -> signIn(guess("another"), ELSEWHERE)).isInstanceOf(BadCredentialsException.class);

        clock.advance(Duration.ofMinutes(2));
        assertRefused(guess("another"));
    }

    @Test
    void guessesOfALockedAddressAreLookedUpOneAtATime() throws Exception {
        String token = create("ci", AdminRole.VIEWER);
        for (int i = 0; i < SignInLimits.ADDRESS_FACTOR * FAILURES; i++) {
            assertRefused(guess("name-" + i));
        }
        keys.gate = new CountDownLatch(1);

        List<Future<?>> attempts = new ArrayList<>();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 10; i++) {
                String other = guess("name");
                attempts.add(executor.submit(() -> assertLimited(other, HERE)));
                attempts.add(executor.submit(() -> signIn(token, HERE)));
            }
            await().until(() -> authentication.waiting() == 19);
            assertThat(keys.running).hasValue(1);
            attempts.add(executor.submit(() -> signIn(token, ELSEWHERE)));
            await().until(() -> keys.running.get() == 2);
            keys.gate.countDown();
        }

        for (Future<?> attempt : attempts) {
            attempt.get();
        }
        assertThat(counted("accepted_key")).isEqualTo(11);
        assertThat(counted("limited")).isEqualTo(10);
    }

    @Test
    void guessesOfALockedAddressDoNotDelayTheKeyOfAnotherOne() throws Exception {
        String token = create("ci", AdminRole.VIEWER);
        for (int i = 0; i < FAILURES; i++) {
            assertThatThrownBy(() -> signIn(guess("ci"), ELSEWHERE)).isInstanceOf(BadCredentialsException.class);
        }
        for (int i = 0; i < SignInLimits.ADDRESS_FACTOR * FAILURES; i++) {
            assertRefused(guess("name-" + i));
        }
        keys.found.clear();
        keys.gate = new CountDownLatch(1);

        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
                AutoCloseable _ = () -> keys.gate.countDown()) {
            for (int i = 0; i < 20; i++) {
                String other = guess("guessed");
                executor.execute(() -> assertLimited(other, HERE));
            }
            await().until(() -> authentication.waiting() == 19);
            executor.execute(() -> signIn(token, ELSEWHERE));
            await().until(() -> authentication.waiting() == 20);
        }

        assertThat(keys.found).hasSize(21);
        assertThat(keys.found.subList(0, 3))
                .as("one of the two after the running one")
                .contains("ci");
    }

    @Test
    void whileTheStoreIsAwayAKeyThatHasSignedInReadsMetricsOnly() {
        String token = create("ci", AdminRole.ADMIN);
        String unused = create("unused", AdminRole.ADMIN);
        signIn(token, HERE);
        keys.stored.setDown(true);

        assertThat(readMetrics(token).getAuthorities())
                .extracting(Object::toString)
                .contains("ROLE_VIEWER");
        assertThat(counted("without_store")).isOne();
        for (String other : List.of(guess("ci"), unused)) {
            assertThatThrownBy(() -> readMetrics(other)).isInstanceOf(AuthenticationServiceException.class);
        }
        for (int i = 0; i < FAILURES + 1; i++) {
            assertThatThrownBy(() -> signIn(token, HERE)).isInstanceOf(AuthenticationServiceException.class);
        }
        now = END;
        assertThatThrownBy(() -> readMetrics(token)).isInstanceOf(AuthenticationServiceException.class);
    }

    @Test
    void aKeyThatWasRemovedMeanwhileReadsNoMetricsWithoutTheStore() {
        String token = create("ci", AdminRole.ADMIN);
        signIn(token, HERE);
        keys.remove("ci");
        assertRefused(token);
        keys.stored.setDown(true);

        assertThatThrownBy(() -> readMetrics(token)).isInstanceOf(AuthenticationServiceException.class);
    }
}
