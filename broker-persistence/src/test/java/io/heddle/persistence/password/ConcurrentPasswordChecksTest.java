package io.heddle.persistence.password;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.heddle.core.authentication.PasswordHash;
import io.heddle.core.authentication.QueuedPasswordHash;
import io.heddle.core.authentication.fairness.SignInFailures;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** {@link RememberingPasswordHash} with several callers at once. */
class ConcurrentPasswordChecksTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final int PATIENCE_SECONDS = 60;
    private static final SignInSource SOURCE = new SignInSource("network", "name");

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final CountingPasswordHash slow = new CountingPasswordHash();
    private final AtomicLong nanos = new AtomicLong();
    private final RememberingPasswordHash hash = remembering(slow, 1_000);

    private RememberingPasswordHash remembering(PasswordHash of, int maximum) {
        return new RememberingPasswordHash(of, maximum, HOUR, new SecureRandom(), nanos::get, registry);
    }

    @Test
    void concurrentChecksOfTheRightPasswordAreComputedOnce() throws Exception {
        CountDownLatch allCallersWait = new CountDownLatch(1);
        RememberingPasswordHash remembering = remembering(after(() -> allCallersWait.await()), 10);
        String stored = remembering.hash(password("secret"));
        Queue<Boolean> answers = new ConcurrentLinkedQueue<>();
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            callers.add(Thread.ofVirtual()
                    .name("caller-" + i)
                    .start(() -> answers.add(remembering.matches(password("secret"), stored, SOURCE))));
        }

        await().atMost(Duration.ofSeconds(PATIENCE_SECONDS))
                .until(() -> callers.stream().allMatch(ConcurrentPasswordChecksTest::isWaiting));
        allCallersWait.countDown();

        join(callers);
        assertThat(answers).hasSize(8).containsOnly(true);
        assertThat(slow.verifications()).isOne();
        assertThat(counted("remembered")).isEqualTo(7);
    }

    @Test
    void concurrentChecksOfAWrongPasswordAreComputedEach() throws Exception {
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
    void aCachedMatchDoesNotWaitInTheQueue() throws Exception {
        CountDownLatch started = new CountDownLatch(2);
        CountDownLatch end = new CountDownLatch(1);
        PasswordHash gated = after(() -> {
            started.countDown();
            if (started.getCount() == 0) {
                end.await();
            }
        });
        PasswordHash queued = new QueuedPasswordHash(
                gated,
                1,
                HOUR,
                new SignInFailures(HOUR, HOUR, HOUR, nanos::get),
                nanos::get,
                new SimpleMeterRegistry());
        RememberingPasswordHash remembering = remembering(queued, 10);
        String stored = remembering.hash(password("secret"));
        assertThat(remembering.matches(password("secret"), stored, SOURCE)).isTrue();
        Thread other = Thread.ofVirtual().start(() -> remembering.matches(password("wrong"), stored, SOURCE));
        started.await();

        assertThat(remembering.matches(password("secret"), stored, SOURCE)).isTrue();

        end.countDown();
        join(List.of(other));
    }

    @Test
    void aFailedComputationIsRepeatedForItsWaiters() throws Exception {
        CountDownLatch allCallersWait = new CountDownLatch(1);
        AtomicBoolean first = new AtomicBoolean(true);
        RememberingPasswordHash remembering = remembering(
                after(() -> {
                    allCallersWait.await();
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
                .until(() -> callers.stream().allMatch(ConcurrentPasswordChecksTest::isWaiting));
        allCallersWait.countDown();

        join(callers);
        assertThat(answers).hasSize(8).containsOnlyOnce(false);
        assertThat(slow.verifications()).isOne();
    }

    @Test
    void differentPasswordsAreComputedInParallel() throws Exception {
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
    void aFailedComputationReleasesItsWaiters() {
        PasswordHash failing = after(() -> {
            throw new IllegalStateException("a bug");
        });
        RememberingPasswordHash remembering = remembering(failing, 10);

        for (int i = 0; i < 2; i++) {
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> remembering.matches(password("secret"), "$plain$1$736563726574", SOURCE));
        }
    }

    /** A step of the slow hash before it answers. */
    private interface Event {
        void happen() throws Exception;
    }

    /** Returns the slow hash with a step before each check. */
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

    private static BinaryData password(String text) {
        return BinaryData.wrap(text.getBytes(UTF_8));
    }
}
