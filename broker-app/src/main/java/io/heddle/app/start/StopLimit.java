package io.heddle.app.start;

import io.heddle.app.console.Console;
import io.heddle.standalone.Servers;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * Halts the process if its stop takes too long, for example because Kafka is slow. Its child processes are then ended by their guards, as
 * after a kill.
 */
public final class StopLimit {
    /** Nine seconds: the limit of the servers, plus three seconds for the broker. */
    private static final Duration LIMIT = Servers.STOP_TIMEOUT.plusSeconds(3);

    private final Duration limit;
    private final IntSupplier exitStatus;
    private final IntConsumer halt;

    /** @param halt ends the process at once, with an exit status */
    StopLimit(Duration limit, IntSupplier exitStatus, IntConsumer halt) {
        this.limit = limit;
        this.exitStatus = exitStatus;
        this.halt = halt;
    }

    /**
     * Limits the time of a stop, whatever requests it.
     *
     * @param before the time that passes before the stop begins; read when the process ends
     * @param exitStatus the status of a process that did not stop in time; read when it is halted
     */
    public static void set(Supplier<Duration> before, IntSupplier exitStatus) {
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform()
                        .name("heddle-stop-limit")
                        .unstarted(() -> new StopLimit(before.get().plus(LIMIT), exitStatus, Runtime.getRuntime()::halt)
                                .startTimer()));
    }

    private void startTimer() {
        // A daemon, so that the JVM does not wait for it.
        Thread.ofPlatform().daemon().name("heddle-stop-limit").start(this::haltInTime);
    }

    void haltInTime() {
        try {
            if (!new CountDownLatch(1).await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                Console.printError("Heddle did not stop within " + limit.toSeconds() + " s and is killed");
                halt.accept(exitStatus.getAsInt());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
