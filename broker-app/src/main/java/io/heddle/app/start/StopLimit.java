package io.heddle.app.start;

import io.heddle.app.console.Console;
import io.heddle.standalone.Servers;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Halts the process if its stop takes too long. Its child processes are then ended by their guards, as after a kill. */
public final class StopLimit {
    /** Nine seconds: the limit of the servers, plus three seconds for the broker. */
    private static final Duration LIMIT = Servers.STOP_TIMEOUT.plusSeconds(3);

    private static final int DID_NOT_STOP_IN_TIME = 1;

    private StopLimit() {}

    /** Limits the time of a stop that a signal requests. */
    public static void set() {
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().name("heddle-stop-limit").unstarted(StopLimit::startTimer));
    }

    private static void startTimer() {
        // A daemon, so that the JVM does not wait for it.
        Thread.ofPlatform().daemon().name("heddle-stop-limit").start(StopLimit::halt);
    }

    private static void halt() {
        try {
            if (!new CountDownLatch(1).await(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                Console.printError("Heddle did not stop within " + LIMIT.toSeconds() + " s and is killed");
                Runtime.getRuntime().halt(DID_NOT_STOP_IN_TIME);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
