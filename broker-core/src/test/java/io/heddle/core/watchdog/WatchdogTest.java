package io.heddle.core.watchdog;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.testkit.LogLines;
import io.heddle.core.testkit.ManualEventLoop;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

final class WatchdogTest {
    private static final int LIMIT = 3;

    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final WatchedThreads threads = new WatchedThreads();
    private final LogLines lines = new LogLines();
    private final Watchdog watchdog = new Watchdog(threads, LIMIT, lines.logger(), metrics);

    private double stuck() {
        return metrics.get("heddle.threads.stuck").gauge().value();
    }

    /** Heartbeats until one is not written, at most ten. */
    private int heartbeats() {
        int written = 0;
        while (written < 10 && watchdog.areAllProgressing()) {
            written++;
        }
        return written;
    }

    @Test
    void aThreadThatDoesNotEndAPieceOfWorkStandsStill() {
        WatchedThread thread = threads.add("heddle-test");
        assertThat(heartbeats()).as("it waits for work").isEqualTo(10);
        thread.begin();
        assertThat(heartbeats()).isEqualTo(LIMIT);
        assertThat(watchdog.areAllProgressing()).isFalse();
        assertThat(lines.only()).contains("thread=heddle-test", "at io.heddle.core.watchdog.WatchdogTest");
        assertThat(stuck()).isOne();

        thread.end();
        assertThat(heartbeats()).isEqualTo(10);
        assertThat(stuck()).isZero();
    }

    @Test
    void aThreadThatIsSlowProgresses() {
        WatchedThread thread = threads.add("heddle-test");
        for (int i = 0; i < 20; i++) {
            thread.begin();
            assertThat(watchdog.areAllProgressing()).isTrue();
            assertThat(watchdog.areAllProgressing()).isTrue();
            thread.end();
        }
    }

    @Test
    void anEventLoopThatDoesNotRunItsTaskStandsStill() {
        ManualEventLoop loop = new ManualEventLoop(4);
        ManualEventLoop other = new ManualEventLoop(5);
        threads.add(loop);
        threads.add(other);
        for (int i = 0; i < 20; i++) {
            assertThat(watchdog.areAllProgressing()).isTrue();
            loop.runTasks();
            other.runTasks();
        }

        assertThat(heartbeats()).isEqualTo(LIMIT + 1);
        other.runTasks();
        assertThat(watchdog.areAllProgressing()).isFalse();
        assertThat(stuck()).isOne();
        loop.runTasks();
        assertThat(watchdog.areAllProgressing()).isTrue();
    }

    @Test
    void aThreadThatHasEndedIsNotWatched() {
        WatchedThread thread = threads.add("heddle-test");
        thread.begin();
        threads.remove(thread);

        assertThat(heartbeats()).isEqualTo(10);
    }
}
