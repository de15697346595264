package io.heddle.core.lifecycle;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class HousekeepingTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final AtomicInteger runs = new AtomicInteger();

    @Test
    void failedTaskRunsAgain() {
        Housekeeping housekeeping = new Housekeeping("test", Duration.ofMillis(1), () -> {
            runs.incrementAndGet();
            throw new IllegalStateException("it always fails");
        });
        housekeeping.start();

        await().atMost(PATIENCE).until(() -> runs.get() >= 3);
        housekeeping.stop();
    }

    @Test
    void stopInterruptsARun() throws InterruptedException {
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        Housekeeping housekeeping = new Housekeeping("test", Duration.ofMillis(1), () -> {
            began.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                interrupted.countDown();
            }
        });
        housekeeping.start();
        began.await();

        housekeeping.stop();

        interrupted.await();
    }
}
