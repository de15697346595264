package io.heddle.persistence.password;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.heddle.core.authentication.AuthenticationOutcome;
import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authentication.AuthenticationOutcome.Refused;
import io.heddle.core.authentication.ConnectCredentials;
import io.heddle.core.authentication.PasswordHash;
import io.heddle.core.authentication.QueuedPasswordHash;
import io.heddle.core.authentication.SignInBusyException;
import io.heddle.core.authentication.SignInFailures;
import io.heddle.core.authentication.SignInSource;
import io.heddle.core.authentication.StoredCredentials;
import io.heddle.core.authentication.StoredCredentialsAuthenticator;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.testkit.CountingPasswordHash;
import io.heddle.core.testkit.InMemoryCredentialsStore;
import io.heddle.core.testkit.PasswordHashContract;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RememberingPasswordHashTest extends PasswordHashContract {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final int PATIENCE_SECONDS = 60;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final CountingPasswordHash slow = new CountingPasswordHash();
    // As System.nanoTime may, it wraps.
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000);
    private final RememberingPasswordHash hash = remembering(slow, 1_000);

    private final InMemoryCredentialsStore store = new InMemoryCredentialsStore();
    private final StoredCredentialsAuthenticator authenticator =
            new StoredCredentialsAuthenticator(store, hash, new SecureRandom());

    @Override
    protected PasswordHash passwordHash() {
        return hash;
    }

    private RememberingPasswordHash remembering(PasswordHash of, int maximum) {
        return new RememberingPasswordHash(of, maximum, HOUR, new SecureRandom(), nanos::get, registry);
    }

    @Test
    void theRightPasswordIsComputedOnce() {
        String stored = hash.hash(password("secret"));

        for (int i = 0; i < 3; i++) {
            assertThat(hash.matches(password("secret"), stored, SOURCE)).isTrue();
        }

        assertThat(slow.verifications()).isOne();
        assertThat(counted("computed")).isOne();
        assertThat(counted("remembered")).isEqualTo(2);
    }

    @Test
    void aWrongPasswordIsComputedEachTimeAlsoBesideTheRightOne() {
        String stored = hash.hash(password("secret"));
        assertThat(hash.matches(password("secret"), stored, SOURCE)).isTrue();

        for (int i = 0; i < 3; i++) {
            assertThat(hash.matches(password("wrong"), stored, SOURCE)).isFalse();
        }

        assertThat(slow.verifications()).isEqualTo(4);
        assertThat(hash.matches(password("secret"), stored, SOURCE)).isTrue();
        assertThat(slow.verifications()).isEqualTo(4);
    }

    @Test
    void whatIsHashAndWhatIsPasswordIsTold() {
        PasswordHash any = new PasswordHash() {
            @Override
            public String hash(BinaryData password) {
                return "";
            }

            @Override
            public boolean matches(BinaryData password, String text, SignInSource source) {
                return text.equals("ab");
            }
        };
        RememberingPasswordHash remembering = remembering(any, 10);

        assertThat(remembering.matches(password("c"), "ab", SOURCE)).isTrue();
        assertThat(remembering.matches(password("bc"), "a", SOURCE)).isFalse();
    }

    @Test
    void twoWithTheSamePasswordAreComputedBoth() {
        put("one", "secret");
        put("two", "secret");

        assertThat(connect("one", "secret")).isInstanceOf(Accepted.class);
        assertThat(connect("two", "secret")).isInstanceOf(Accepted.class);

        assertThat(slow.verifications()).isEqualTo(2);
    }

    @Test
    void clientsThatShareAUserNameShareWhatIsRemembered() {
        put("fleet", "secret");

        for (int client = 0; client < 5; client++) {
            assertThat(authenticator.authenticate(shown("meter-" + client, "fleet", "secret")))
                    .isInstanceOf(Accepted.class);
        }

        assertThat(slow.verifications()).isOne();
    }

    @Test
    void aChangedPasswordCountsAtOnce() {
        put("user", "old");
        assertThat(connect("user", "old")).isInstanceOf(Accepted.class);

        put("user", "new");

        assertThat(connect("user", "old")).isInstanceOf(Refused.class);
        assertThat(connect("user", "new")).isInstanceOf(Accepted.class);
        assertThat(slow.verifications()).isEqualTo(3);
    }

    @Test
    void theSamePasswordStoredAnewIsComputedAnew() {
        put("user", "secret");
        assertThat(connect("user", "secret")).isInstanceOf(Accepted.class);
        put("user", "secret");

        assertThat(connect("user", "secret")).isInstanceOf(Accepted.class);

        assertThat(slow.verifications()).isEqualTo(2);
    }

    @Test
    void removedCredentialsLetNobodyInAndCostAComputationAllTheSame() {
        put("user", "secret");
        assertThat(connect("user", "secret")).isInstanceOf(Accepted.class);

        store.remove(null, "user");

        assertThat(connect("user", "secret")).isNull();
        assertThat(connect("user", "secret")).isNull();
        assertThat(slow.verifications()).isEqualTo(3);
    }

    @Test
    void aPasswordThatNobodyHasIsComputedEachTime() {
        // What the decoy was made of must not be guessed: it would be remembered, and tell by its time that a name is
        // unknown.
        for (String guess : List.of("", "\0", "\0", "")) {
            assertThat(connect("unknown", guess)).isNull();
        }

        assertThat(slow.verifications()).isEqualTo(4);
        assertThat(counted("remembered")).isZero();
    }

    @Test
    void aMatchIsForgottenWhenItsTimeIsOverHoweverOftenItWasUsed() {
        String stored = hash.hash(password("secret"));
        assertThat(hash.matches(password("secret"), stored, SOURCE)).isTrue();
        nanos.addAndGet(HOUR.minusSeconds(1).toNanos());
        assertThat(hash.matches(password("secret"), stored, SOURCE)).isTrue();
        assertThat(slow.verifications()).isOne();

        nanos.addAndGet(Duration.ofSeconds(1).toNanos());

        assertThat(hash.matches(password("secret"), stored, SOURCE)).isTrue();
        assertThat(slow.verifications()).isEqualTo(2);
    }

    @Test
    void notMoreThanTheMaximumAreRemembered() {
        RememberingPasswordHash ten = remembering(slow, 10);
        List<String> stored = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            stored.add(ten.hash(password("secret")));
            assertThat(ten.matches(password("secret"), stored.getLast(), SOURCE))
                    .isTrue();
        }

        for (String each : stored) {
            assertThat(ten.matches(password("secret"), each, SOURCE)).isTrue();
        }

        assertThat(slow.verifications()).isGreaterThanOrEqualTo(50 + 40);
    }

    @Test
    void aMaximumOfZeroTurnsItOff() {
        RememberingPasswordHash off = remembering(slow, 0);
        String stored = off.hash(password("secret"));

        assertThat(off.matches(password("secret"), stored, SOURCE)).isTrue();
        assertThat(off.matches(password("secret"), stored, SOURCE)).isTrue();

        assertThat(slow.verifications()).isEqualTo(2);
        assertThat(counted("computed")).isEqualTo(2);
    }

    @Test
    void ofManyAtOnceWithTheSameRightPasswordOneComputes() throws Exception {
        CountDownLatch everybodyIsThere = new CountDownLatch(1);
        RememberingPasswordHash remembering = remembering(after(() -> everybodyIsThere.await()), 10);
        String stored = remembering.hash(password("secret"));
        Queue<Boolean> answers = new ConcurrentLinkedQueue<>();
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            callers.add(Thread.ofVirtual()
                    .name("caller-" + i)
                    .start(() -> answers.add(remembering.matches(password("secret"), stored, SOURCE))));
        }

        await().atMost(Duration.ofSeconds(PATIENCE_SECONDS))
                .until(() -> callers.stream().allMatch(RememberingPasswordHashTest::isWaiting));
        everybodyIsThere.countDown();

        join(callers);
        assertThat(answers).hasSize(8).containsOnly(true);
        assertThat(slow.verifications()).isOne();
        assertThat(counted("remembered")).isEqualTo(7);
    }

    @Test
    void ofManyAtOnceWithTheSameWrongPasswordEachComputes() throws Exception {
        String stored = hash.hash(password("secret"));
        Queue<Boolean> answers = new ConcurrentLinkedQueue<>();
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            callers.add(Thread.ofVirtual()
                    .name("caller-" + i)
                    .start(() -> answers.add(hash.matches(password("wrong"), stored, SOURCE))));
        }

        join(callers);
        assertThat(answers).hasSize(8).containsOnly(false);
        assertThat(slow.verifications()).isEqualTo(8);
    }

    private static boolean isWaiting(Thread caller) {
        return caller.getState() == Thread.State.WAITING || caller.getState() == Thread.State.TIMED_WAITING;
    }

    @Test
    void aCallerWithoutAPlaceGetsWhatIsRememberedAndNothingElse() {
        String stored = hash.hash(password("secret"));
        SignInSource withoutPlace = new SignInSource("flood", "name", () -> false, false);
        assertThatExceptionOfType(SignInBusyException.class)
                .isThrownBy(() -> hash.matches(password("secret"), stored, withoutPlace));
        assertThat(slow.verifications()).isZero();

        assertThat(hash.matches(password("secret"), stored, SOURCE)).isTrue();

        assertThat(hash.matches(password("secret"), stored, withoutPlace)).isTrue();
        assertThat(slow.verifications()).isOne();
    }

    @Test
    void aRememberedPasswordDoesNotWaitForItsTurnToBeComputed() throws Exception {
        CountDownLatch begun = new CountDownLatch(2);
        CountDownLatch end = new CountDownLatch(1);
        PasswordHash gated = after(() -> {
            begun.countDown();
            if (begun.getCount() == 0) {
                end.await();
            }
        });
        PasswordHash queued = new QueuedPasswordHash(
                gated, 1, HOUR, new SignInFailures(HOUR, HOUR, HOUR, nanos::get), new SimpleMeterRegistry());
        RememberingPasswordHash remembering = remembering(queued, 10);
        String stored = remembering.hash(password("secret"));
        assertThat(remembering.matches(password("secret"), stored, SOURCE)).isTrue();
        Thread other = Thread.ofVirtual().start(() -> remembering.matches(password("wrong"), stored, SOURCE));
        begun.await();

        assertThat(remembering.matches(password("secret"), stored, SOURCE)).isTrue();

        end.countDown();
        join(List.of(other));
    }

    @Test
    void whoeverWaitedForAComputationThatFailedComputesAnew() throws Exception {
        CountDownLatch everybodyIsThere = new CountDownLatch(1);
        AtomicBoolean first = new AtomicBoolean(true);
        RememberingPasswordHash remembering = remembering(
                after(() -> {
                    everybodyIsThere.await();
                    if (first.getAndSet(false)) {
                        throw new IllegalStateException("the first one failed");
                    }
                }),
                10);
        String stored = remembering.hash(password("secret"));
        Queue<Boolean> answers = new ConcurrentLinkedQueue<>();
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            callers.add(Thread.ofVirtual()
                    .uncaughtExceptionHandler((_, _) -> answers.add(false))
                    .start(() -> answers.add(remembering.matches(password("secret"), stored, SOURCE))));
        }
        await().atMost(Duration.ofSeconds(PATIENCE_SECONDS))
                .until(() -> callers.stream().allMatch(RememberingPasswordHashTest::isWaiting));
        everybodyIsThere.countDown();

        join(callers);
        assertThat(answers).hasSize(8).containsOnlyOnce(false);
        assertThat(slow.verifications()).isOne();
    }

    @Test
    void differentPasswordsDoNotWaitForEachOther() throws Exception {
        CyclicBarrier bothCompute = new CyclicBarrier(2);
        RememberingPasswordHash remembering =
                remembering(after(() -> bothCompute.await(PATIENCE_SECONDS, TimeUnit.SECONDS)), 10);
        String stored = remembering.hash(password("secret"));
        Queue<Boolean> answers = new ConcurrentLinkedQueue<>();

        join(List.of(
                Thread.ofVirtual().start(() -> answers.add(remembering.matches(password("secret"), stored, SOURCE))),
                Thread.ofVirtual().start(() -> answers.add(remembering.matches(password("wrong"), stored, SOURCE)))));

        assertThat(answers).containsExactlyInAnyOrder(true, false);
    }

    @Test
    void whoFailsToComputeKeepsNobodyWaiting() {
        PasswordHash failing = after(() -> {
            throw new IllegalStateException("a bug");
        });
        RememberingPasswordHash remembering = remembering(failing, 10);

        for (int i = 0; i < 2; i++) {
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> remembering.matches(password("secret"), "$plain$1$736563726574", SOURCE));
        }
    }

    /** What happens in the slow hash before it answers. */
    private interface Event {
        void happen() throws Exception;
    }

    /** The slow hash, whose checks wait for something first. */
    private PasswordHash after(Event event) {
        return new PasswordHash() {
            @Override
            public String hash(BinaryData password) {
                return slow.hash(password);
            }

            @Override
            public boolean matches(BinaryData password, String text, SignInSource source) {
                try {
                    event.happen();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
                return slow.matches(password, text, source);
            }
        };
    }

    private static void join(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            assertThat(thread.join(Duration.ofSeconds(PATIENCE_SECONDS))).isTrue();
        }
    }

    private double counted(String result) {
        return registry.get("heddle.authentication.verified")
                .tag("result", result)
                .counter()
                .count();
    }

    private void put(String userName, String password) {
        store.put(new StoredCredentials(
                UUID.randomUUID(), null, userName, ClientType.DEVICE, hash.hash(password(password))));
    }

    private @Nullable AuthenticationOutcome connect(String userName, String password) {
        return authenticator.authenticate(shown("client", userName, password));
    }

    private static ConnectCredentials shown(String clientId, String userName, String password) {
        return new ConnectCredentials(
                new ClientId(clientId),
                userName,
                password(password),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
    }

    private static BinaryData password(String text) {
        return BinaryData.wrap(text.getBytes(UTF_8));
    }
}
