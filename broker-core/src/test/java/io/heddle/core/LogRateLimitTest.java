package io.heddle.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class LogRateLimitTest {
    private static final Duration WINDOW = Duration.ofMinutes(1);

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000);
    private final LogRateLimit limit = new LogRateLimit(3, WINDOW, nanos::get);

    @Test
    void aWindowHasAMaximumOfLinesAndTheNextOneCountsTheOthers() {
        assertThat(IntStream.range(0, 5).mapToLong(_ -> limit.acquire())).containsExactly(0L, 0L, 0L, -1L, -1L);

        nanos.addAndGet(WINDOW.toNanos() - 1);
        assertThat(limit.acquire()).isEqualTo(LogRateLimit.SUPPRESSED);
        nanos.incrementAndGet();
        assertThat(limit.acquire()).isEqualTo(3);
        assertThat(limit.acquire()).isZero();
    }

    @Test
    void aSubjectHasOneLineInAWindow() {
        assertThat(limit.acquire("a")).isZero();
        assertThat(limit.acquire("a")).isEqualTo(LogRateLimit.SUPPRESSED);
        assertThat(limit.acquire("b")).isOne();
        assertThat(limit.acquire("c")).isZero();
        assertThat(limit.acquire("d")).isEqualTo(LogRateLimit.SUPPRESSED);

        nanos.addAndGet(WINDOW.toNanos());
        assertThat(limit.acquire("a")).isOne();
    }

    @Test
    void aWindowBeginsWithItsFirstLine() {
        nanos.addAndGet(WINDOW.toNanos() * 3 / 2);
        assertThat(limit.acquire("a")).isZero();

        nanos.addAndGet(WINDOW.toNanos() - 1);
        assertThat(limit.acquire("a")).isEqualTo(LogRateLimit.SUPPRESSED);
    }

    @Test
    void everyLineOfManyThreadsIsLoggedOrCounted() throws InterruptedException {
        LongAdder logged = new LongAdder();
        LongAdder counted = new LongAdder();
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = Thread.ofPlatform().start(() -> {
                for (int j = 0; j < 10_000; j++) {
                    if (j % 1_000 == 0) {
                        nanos.addAndGet(WINDOW.toNanos());
                    }
                    long suppressed = limit.acquire("c" + j);
                    if (suppressed != LogRateLimit.SUPPRESSED) {
                        logged.increment();
                        counted.add(suppressed);
                    }
                }
            });
        }
        for (Thread thread : threads) {
            thread.join();
        }
        nanos.addAndGet(WINDOW.toNanos());
        counted.add(limit.acquire());

        assertThat(logged.sum()).isLessThanOrEqualTo(3 * 41L);
        assertThat(logged.sum() + counted.sum()).isEqualTo(40_000);
    }
}
