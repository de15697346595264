package io.heddle.core.authentication;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.heddle.core.authentication.fairness.SignInBusyException;
import io.heddle.core.authentication.fairness.SignInFailures;
import io.heddle.core.authentication.fairness.SignInSource;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.testkit.PasswordHashContract;
import io.heddle.core.testkit.PlainPasswordHash;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class QueuedPasswordHashTest extends PasswordHashContract {
    private static final Duration LONG = Duration.ofMinutes(5);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final SignInFailures failures =
            new SignInFailures(Duration.ofMillis(1), Duration.ZERO, Duration.ofMinutes(1), System::nanoTime);
    private final GatedHash gated = new GatedHash();
    private final QueuedPasswordHash plain = queued(new PlainPasswordHash(), 1, LONG);

    /** A hash whose verifications block until the test releases them; records the order in which they start. */
    private static final class GatedHash implements PasswordHash {
        final PlainPasswordHash open = new PlainPasswordHash();
        final Semaphore gate = new Semaphore(0);
        final List<String> begun = new CopyOnWriteArrayList<>();
        final AtomicInteger running = new AtomicInteger();
        final AtomicInteger mostRunning = new AtomicInteger();

        @Override
        public String hash(BinaryData password) {
            return open.hash(password);
        }

        @Override
        public String renew(BinaryData password, String hash) {
            return hash(password);
        }

        @Override
        public boolean matches(BinaryData password, String hash, SignInSource source) {
            begun.add(source.network());
            mostRunning.accumulateAndGet(running.incrementAndGet(), Math::max);
            gate.acquireUninterruptibly();
            running.decrementAndGet();
            return open.matches(password, hash, source);
        }
    }

    private QueuedPasswordHash queued(PasswordHash slow, int concurrency, Duration maximumWait) {
        return new QueuedPasswordHash(slow, concurrency, maximumWait, failures, System::nanoTime, registry);
    }

    @Override
    protected PasswordHash passwordHash() {
        return plain;
    }

    private static BinaryData password(String text) {
        return BinaryData.wrap(text.getBytes(UTF_8));
    }

    @Test
    void aHashIsRenewedOnlyIfNobodyNeedsTheComputation() throws Exception {
        QueuedPasswordHash hash = queued(gated, 1, LONG);
        String stored = hash.hash(password("right"));
        assertThat(hash.renew(password("right"), stored)).isNotNull();
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Boolean> client = clients.submit(() -> hash.matches(password("right"), stored, SOURCE));
            await().until(() -> gated.running.get() == 1);

            assertThat(hash.renew(password("right"), stored)).isNull();

            gated.gate.release();
            assertThat(client.get()).isTrue();
        }
        assertThat(hash.renew(password("right"), stored)).isNotNull();
    }

    @Test
    void clientOfAnotherNetworkIsNextHoweverManyClientsOfOneNetworkWait() throws Exception {
        SimpleMeterRegistry metrics = new SimpleMeterRegistry();
        QueuedPasswordHash hash = new QueuedPasswordHash(gated, 2, LONG, failures, System::nanoTime, metrics);
        String stored = hash.hash(password("right"));
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 100; i++) {
                SignInSource flood = new SignInSource("flood", "name-" + i);
                var _ = clients.submit(() -> hash.matches(password("wrong"), stored, flood));
            }
            await().until(() -> hash.waiting() == 98);
            SignInSource honest = new SignInSource("honest", "meter");
            Future<Boolean> answer = clients.submit(() -> hash.matches(password("right"), stored, honest));
            await().until(() -> hash.waiting() == 99);
            assertThat(metrics.get("heddle.password.waiting").gauge().value()).isEqualTo(99);

            gated.gate.release(2);
            await().until(() -> gated.begun.size() == 4);

            assertThat(gated.begun).contains("honest");
            gated.gate.release(200);
            assertThat(answer.get()).isTrue();
        }
        assertThat(gated.mostRunning).hasValue(2);
        assertThat(hash.waiting()).isZero();
    }

    @Test
    void failingNetworksHaveHalfOfTheTurnsEvenIfNobodyElseWaits() throws Exception {
        QueuedPasswordHash hash = queued(gated, 4, LONG);
        String stored = hash.hash(password("right"));
        SignInSource flood = new SignInSource("flood", "name");
        for (int i = 0; i < SignInFailures.FAILING; i++) {
            failures.recordFailure(flood);
        }
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 10; i++) {
                var _ = clients.submit(() -> hash.matches(password("wrong"), stored, flood));
            }
            await().until(() -> hash.waiting() == 8);
            assertThat(gated.running).hasValue(2);

            // Others need not wait for one of the flood's to end, and pass their turns only to others.
            Future<Boolean> honest = clients.submit(() -> hash.matches(password("right"), stored, SOURCE));
            await().until(() -> gated.running.get() == 3);
            assertThat(hash.waiting()).isEqualTo(8);

            gated.gate.release(11);
            assertThat(honest.get()).isTrue();
            await().until(() -> gated.begun.size() == 11);
        }
        assertThat(gated.mostRunning).hasValue(3);
        assertThat(hash.waiting()).isZero();
    }

    @Test
    void clientThatWaitsTooLongIsRefusedAndReleasesItsPlace() throws Exception {
        QueuedPasswordHash hash = queued(gated, 1, Duration.ofMillis(10));
        String stored = hash.hash(password("right"));
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Boolean> first = clients.submit(() -> hash.matches(password("right"), stored, SOURCE));
            await().until(() -> gated.running.get() == 1);

            assertThatExceptionOfType(SignInBusyException.class)
                    .isThrownBy(() -> hash.matches(password("right"), stored, SOURCE))
                    .matches(each -> each.limit() != null);
            assertThat(hash.waiting()).isZero();

            gated.gate.release(2);
            assertThat(first.get()).isTrue();
        }
        assertThat(hash.matches(password("right"), stored, SOURCE)).isTrue();
    }

    @Test
    void nothingIsComputedForDisconnectedClients() throws Exception {
        QueuedPasswordHash hash = queued(gated, 1, LONG);
        String stored = hash.hash(password("right"));
        AtomicBoolean gone = new AtomicBoolean();
        SignInSource leaving = new SignInSource("flood", "name", gone::get, true);
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Boolean> first = clients.submit(() -> hash.matches(password("right"), stored, SOURCE));
            await().until(() -> gated.running.get() == 1);
            Future<Boolean> second = clients.submit(() -> hash.matches(password("wrong"), stored, leaving));
            await().until(() -> hash.waiting() == 1);

            gone.set(true);
            await().until(() -> hash.waiting() == 0);
            gated.gate.release(2);

            assertThat(first.get()).isTrue();
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(second::get)
                    .withCauseInstanceOf(SignInBusyException.class);
        }
        assertThatExceptionOfType(SignInBusyException.class)
                .isThrownBy(() -> hash.matches(password("wrong"), stored, leaving));
        assertThat(gated.begun).containsExactly(SOURCE.network());
    }

    @Test
    void clientThatMayNotWaitIsRefusedWithoutComputation() {
        SignInSource source = new SignInSource("flood", "name", () -> false, false);

        assertThatExceptionOfType(SignInBusyException.class)
                .isThrownBy(() -> queued(gated, 1, LONG).matches(password("right"), "", source));
        assertThat(gated.begun).isEmpty();
    }

    @Test
    void failingHashDoesNotBlockOtherClients() {
        PasswordHash failing = new PasswordHash() {
            @Override
            public String hash(BinaryData password) {
                return "";
            }

            @Override
            public boolean matches(BinaryData password, String hash, SignInSource source) {
                throw new IllegalStateException("a bug");
            }
        };
        QueuedPasswordHash hash = queued(failing, 1, LONG);

        for (int i = 0; i < 2; i++) {
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> hash.matches(password("any"), "", SOURCE));
        }
    }
}
