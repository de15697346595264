package io.heddle.app.start;

import io.heddle.app.console.Console;
import io.heddle.standalone.Servers;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ends the process when its stop takes longer than a person or a supervisor waits. Child processes then end by their guards, as
 * after a kill.
 */
public final class StopLimit {
    /** Nine seconds. What the servers leave is the broker's. */
    private static final Duration LIMIT = Servers.STOP_BOUND.plusSeconds(3);

    private static final int DID_NOT_STOP_IN_TIME = 1;

    private StopLimit() {}

    /** From now on a stop that was requested by a signal ends within the limit, one way or the other. */
    public static void set() {
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().name("heddle-stop-limit").unstarted(StopLimit::begin));
    }

    private static void begin() {
        // A daemon, so that a stop that ends in time does not wait for it.
        Thread.ofPlatform().daemon().name("heddle-stop-limit").start(StopLimit::halt);
    }

    private static void halt() {
        try {
            if (!new CountDownLatch(1).await(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                Console.printError("Heddle did not stop within " + LIMIT.toSeconds() + " s and is ended");
                Runtime.getRuntime().halt(DID_NOT_STOP_IN_TIME);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
