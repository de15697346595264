package io.heddle.api.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.heddle.api.testkit.Administrators;
import io.heddle.core.administration.AdminRole;
import io.heddle.core.authentication.PasswordHash;
import io.heddle.core.authentication.fairness.SignInSource;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.testkit.CountingPasswordHash;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.authentication.WebAuthenticationDetails;

final class AdministratorAuthenticationTest {
    private final Administrators administrators = new Administrators();
    private final GatedHash hash = new GatedHash();
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final ManualTicker clock = new ManualTicker();
    private final SignInSettings settings =
            new SignInSettings(3, Duration.ofMinutes(1), Duration.ofMinutes(1), Duration.ofSeconds(60), 2);
    private final AdministratorAuthentication authentication = new AdministratorAuthentication(
            administrators,
            hash,
            new SignInGuard(settings, new SimpleMeterRegistry(), clock),
            settings,
            new SecureRandom(),
            clock);

    /** A slow hash that completes when the test permits it, and remembers matches. */
    private static final class GatedHash implements PasswordHash {
        private final CountingPasswordHash counting = new CountingPasswordHash();
        private final Semaphore gate = new Semaphore(0);
        private final AtomicInteger running = new AtomicInteger();
        private final AtomicInteger verifications = new AtomicInteger();
        private final Queue<String> networks = new ConcurrentLinkedQueue<>();

        @Override
        public String hash(BinaryData password) {
            return counting.hash(password);
        }

        @Override
        public boolean matches(BinaryData password, String stored, SignInSource source) {
            networks.add(source.network());
            verifications.incrementAndGet();
            running.incrementAndGet();
            gate.acquireUninterruptibly();
            running.decrementAndGet();
            return counting.matches(password, stored, source);
        }

        @Override
        public boolean isRemembered(BinaryData password, String stored) {
            return counting.isRemembered(password, stored);
        }
    }

    private Authentication signIn(String userName, String password) {
        return authentication.authenticate(UsernamePasswordAuthenticationToken.unauthenticated(userName, password));
    }

    private Authentication signIn(String userName, String password, String address) {
        var attempt = UsernamePasswordAuthenticationToken.unauthenticated(userName, password);
        attempt.setDetails(new WebAuthenticationDetails(address, null));
        return authentication.authenticate(attempt);
    }

    private List<String> lockouts() {
        return logged.list.stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.startsWith("Sign-ins of an administrator have failed repeatedly"))
                .map(line -> line.substring(line.indexOf("userName=")))
                .toList();
    }

    private void fail(int times, String userName, String address) {
        for (int i = 0; i < times; i++) {
            String guess = "wrong " + i;
            assertThatThrownBy(() -> signIn(userName, guess, address)).isInstanceOf(AuthenticationException.class);
        }
    }

    @Test
    void aLockoutIsOneLineWithNameAndAddress() {
        Logger logger = (Logger) LoggerFactory.getLogger(SignInGuard.class);
        logged.start();
        logger.addAppender(logged);
        try {
            hash.gate.release(1_000);
            fail(2, "ada", "192.0.2.7");
            assertThat(lockouts()).isEmpty();

            fail(5, "ada", "192.0.2.7");
            assertThat(lockouts()).containsExactly("userName=ada, address=192.0.2.7, lockoutSeconds=60");
            assertThat(logged.list.getFirst().getLevel()).isEqualTo(Level.WARN);

            clock.advance(Duration.ofMinutes(2));
            fail(3, "bob, role=x\n", "192.0.2.8");
            assertThat(lockouts().getLast())
                    .isEqualTo("userName=\"bob, role=x\\u000a\", address=192.0.2.8, lockoutSeconds=60");

            for (int i = 0; i < 30; i++) {
                fail(3, "name " + i, "198.51.100." + i);
            }
            assertThat(lockouts()).hasSize(11);
            clock.advance(Duration.ofMinutes(2));
            fail(3, "eve", "192.0.2.9");
            assertThat(lockouts().getLast())
                    .isEqualTo("userName=eve, address=192.0.2.9, lockoutSeconds=60, suppressed=21");
        } finally {
            logger.detachAppender(logged);
        }
    }

    @Test
    void theAuthenticationHasTheRoleAndNoPassword() {
        administrators.put("ada", "right", AdminRole.VIEWER, hash);
        hash.gate.release();

        Authentication signedIn = signIn("ada", "right");

        assertThat(signedIn.isAuthenticated()).isTrue();
        assertThat(signedIn.getName()).isEqualTo("ada");
        assertThat(signedIn.getCredentials()).isNull();
        assertThat(signedIn.getAuthorities()).extracting(Object::toString).containsExactly("ROLE_VIEWER");
    }

    @Test
    void concurrentVerificationsAreBoundedAndParallelGuessesStayWithinTheLimit() throws Exception {
        administrators.put("ada", "right", AdminRole.ADMIN, hash);
        List<Future<Authentication>> guesses = new ArrayList<>();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 20; i++) {
                String guess = "guess " + i;
                guesses.add(executor.submit(() -> signIn("ada", guess)));
            }
            await().until(() -> hash.running.get() == 2);
            assertThat(hash.verifications).hasValue(2);
            hash.gate.release(100);
        }

        int refused = 0;
        for (Future<Authentication> guess : guesses) {
            try {
                guess.get();
                throw new AssertionError("a wrong password signed in");
            } catch (ExecutionException expected) {
                if (expected.getCause() instanceof BadCredentialsException) {
                    refused++;
                } else {
                    assertThat(expected).hasCauseInstanceOf(SignInLimitedException.class);
                }
            }
        }
        // Three are allowed; one more may have run concurrently with the third.
        assertThat(refused).isBetween(3, 4);
        assertThat(hash.verifications).hasValue(refused);
    }

    @Test
    void anAddressWithManyGuessesDoesNotDelayAnother() throws Exception {
        administrators.put("ada", "right", AdminRole.ADMIN, hash);
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
                AutoCloseable _ = () -> hash.gate.release(100)) {
            for (int i = 0; i < 24; i++) {
                String name = "name " + i;
                executor.execute(() -> fail(1, name, "192.0.2.7"));
            }
            await().until(() -> authentication.waiting() == 22);
            executor.execute(() -> signIn("ada", "right", "198.51.100.1"));
            await().until(() -> authentication.waiting() == 23);

            // Two turns end: one of the next two is that of the other address.
            hash.gate.release(2);

            await().until(() -> hash.verifications.get() == 4);
            assertThat(hash.networks)
                    .contains(SignInSource.of("198.51.100.1", "ada").network());
        }
    }

    @Test
    void concurrentRequestsShareTheVerificationOfTheirPassword() throws Exception {
        administrators.put("ada", "right", AdminRole.ADMIN, hash);
        List<Future<Authentication>> requests = new ArrayList<>();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 20; i++) {
                requests.add(executor.submit(() -> signIn("ada", "right")));
            }
            await().until(() -> hash.running.get() == 2);
            hash.gate.release(100);
        }

        for (Future<Authentication> request : requests) {
            assertThat(request.get().isAuthenticated()).isTrue();
        }
        assertThat(hash.verifications).hasValue(2);
    }

    @Test
    void aForgottenPasswordIsHashedAgain() {
        administrators.put("ada", "right", AdminRole.ADMIN, hash);
        hash.gate.release(100);
        signIn("ada", "right");
        signIn("ada", "right");
        assertThat(hash.verifications).hasValue(1);

        hash.counting.forget();
        signIn("ada", "right");
        assertThat(hash.verifications).hasValue(2);
    }

    @Test
    void theBoundaryBetweenNameAndPasswordMatters() {
        administrators.put("ab", "c", AdminRole.ADMIN, hash);
        administrators.put("a", "x", AdminRole.ADMIN, hash);
        hash.gate.release(100);
        signIn("ab", "c");

        assertThatThrownBy(() -> signIn("a", "bc")).isInstanceOf(BadCredentialsException.class);
    }
}
