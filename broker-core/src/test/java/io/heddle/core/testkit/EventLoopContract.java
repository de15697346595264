package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.client.EventLoop;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The contract of {@link EventLoop}. The test thread may be the loop's own only for a fake. */
public abstract class EventLoopContract {
    /** Returns the loop under test, running and idle, the same throughout a test. */
    protected abstract EventLoop loop();

    /** Runs the loop and advances its time until the condition holds; fails after about ten seconds of the loop's time. */
    protected abstract void await(BooleanSupplier condition);

    @Test
    void tasksRunOnTheLoopInTheOrderTheyWereGiven() throws Exception {
        List<Integer> ran = new CopyOnWriteArrayList<>();
        List<Boolean> current = new CopyOnWriteArrayList<>();

        onAnotherThread(() -> {
            for (int i = 0; i < 100; i++) {
                int number = i;
                loop().execute(() -> {
                    loop().assertCurrent();
                    current.add(loop().isCurrent());
                    ran.add(number);
                });
            }
        });
        await(() -> ran.size() == 100);

        assertThat(ran).isSorted();
        assertThat(current).containsOnly(true);
    }

    @Test
    void taskSubmittedOnTheLoopRunsAfterItsSubmitter() {
        List<String> ran = new CopyOnWriteArrayList<>();

        loop().execute(() -> {
            loop().execute(() -> ran.add("second"));
            ran.add("first");
        });
        await(() -> ran.size() == 2);

        assertThat(ran).containsExactly("first", "second");
    }

    @Test
    void assertCurrentThrowsOnAnotherThread() throws Exception {
        onAnotherThread(() -> {
            assertThat(loop().isCurrent()).isFalse();
            assertThatThrownBy(loop()::assertCurrent)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(Thread.currentThread().getName())
                    .hasMessageContaining("event loop " + loop().index());
        });
    }

    @Test
    void indexIsNotNegative() {
        assertThat(loop().index()).isNotNegative().isEqualTo(loop().index());
    }

    @Test
    void aTimerRunsOnceOnTheLoopAndNotBeforeItsTime() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        AtomicReference<Long> began = new AtomicReference<>(0L);
        AtomicReference<Long> ran = new AtomicReference<>(0L);
        AtomicInteger later = new AtomicInteger();

        loop().execute(() -> {
            began.set(loop().nanoTime());
            loop().schedule(Duration.ofMillis(30), () -> {
                loop().assertCurrent();
                ran.set(loop().nanoTime());
                runs.incrementAndGet();
            });
            loop().schedule(Duration.ofMillis(90), later::incrementAndGet);
        });
        await(() -> later.get() == 1);

        assertThat(runs).hasValue(1);
        assertThat(Duration.ofNanos(ran.get() - began.get())).isGreaterThanOrEqualTo(Duration.ofMillis(30));
    }

    /** The delays differ by more time than a busy machine needs to get from one line to the next. */
    @Test
    void timersRunInOrderOfTheirDeadlines() throws Exception {
        List<String> ran = new CopyOnWriteArrayList<>();

        onAnotherThread(() -> {
            EventLoop.Timer never = loop().schedule(Duration.ofHours(1), () -> ran.add("in an hour"));
            loop().schedule(Duration.ofSeconds(1), () -> {
                ran.add("late");
                never.cancel();
            });
            loop().schedule(Duration.ZERO, () -> ran.add("at once"));
        });
        await(() -> ran.size() == 2);

        assertThat(ran).containsExactly("at once", "late");
    }

    @Test
    void aCancelledTimerDoesNotRun() {
        AtomicInteger cancelled = new AtomicInteger();
        AtomicInteger later = new AtomicInteger();
        CountDownLatch held = new CountDownLatch(1);
        // Blocks the loop, so that it runs no timer, however long the next lines take.
        loop().execute(() -> {
            try {
                held.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });

        EventLoop.Timer timer = loop().schedule(Duration.ofMillis(10), cancelled::incrementAndGet);
        timer.cancel();
        timer.cancel();
        loop().schedule(Duration.ofMillis(30), later::incrementAndGet);
        held.countDown();
        await(() -> later.get() == 1);

        assertThat(cancelled).hasValue(0);
    }

    @Test
    void cancellingATimerThatRanChangesNothing() {
        AtomicInteger runs = new AtomicInteger();
        EventLoop.Timer timer = loop().schedule(Duration.ofMillis(1), runs::incrementAndGet);
        await(() -> runs.get() == 1);

        timer.cancel();

        AtomicInteger later = new AtomicInteger();
        loop().execute(later::incrementAndGet);
        await(() -> later.get() == 1);
        assertThat(runs).hasValue(1);
    }

    @Test
    void backgroundWorkRunsStepByStepOnTheLoopAfterItsCaller() {
        List<String> ran = new CopyOnWriteArrayList<>();

        loop().execute(() -> {
            AtomicInteger left = new AtomicInteger(3);
            loop().inBackground(() -> {
                loop().assertCurrent();
                ran.add("step");
                return left.decrementAndGet() > 0;
            });
            ran.add("caller");
        });
        await(() -> ran.size() == 4);

        assertThat(ran).containsExactly("caller", "step", "step", "step");
    }

    @Test
    void timeNeverGoesBack() {
        List<Long> times = new CopyOnWriteArrayList<>();

        for (int i = 0; i < 5; i++) {
            loop().schedule(Duration.ofMillis(i), () -> times.add(loop().nanoTime()));
        }
        await(() -> times.size() == 5);

        assertThat(times).isSorted();
    }

    private static void onAnotherThread(Runnable task) throws InterruptedException {
        AtomicReference<@Nullable AssertionError> failure = new AtomicReference<>();
        Thread thread = Thread.ofPlatform().name("event-loop-contract").unstarted(() -> {
            try {
                task.run();
            } catch (AssertionError | RuntimeException e) {
                failure.set(new AssertionError("on another thread", e));
            }
        });
        thread.start();
        thread.join();
        AssertionError failed = failure.get();
        if (failed != null) {
            throw failed;
        }
    }
}
