package io.heddle.core.lifecycle;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a short task periodically on its own thread while the broker runs. A failed task runs again at the next interval. */
public final class Housekeeping implements StartupPhase {
    private static final Logger log = LoggerFactory.getLogger(Housekeeping.class);

    private final String name;
    private final Duration pause;
    private final Runnable task;
    private final Duration lastRunTimeout;
    private @Nullable ScheduledExecutorService thread;

    /**
     * Creates a task that does not run yet.
     *
     * @param name of the task, for logs and the thread
     * @param pause between two runs
     */
    public Housekeeping(String name, Duration pause, Runnable task) {
        this(name, pause, task, Duration.ZERO);
    }

    /**
     * Creates a task that does not run yet, and that runs once more when the broker stops.
     *
     * @param name of the task, for logs and the thread
     * @param pause between two runs
     * @param lastRunTimeout how long the stop waits for a run in progress and the last run before it interrupts them
     */
    public Housekeeping(String name, Duration pause, Runnable task, Duration lastRunTimeout) {
        this.name = name;
        this.pause = pause;
        this.task = task;
        this.lastRunTimeout = lastRunTimeout;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void start() {
        ScheduledExecutorService started = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("heddle-" + name).factory());
        var _ = started.scheduleWithFixedDelay(this::run, pause.toMillis(), pause.toMillis(), TimeUnit.MILLISECONDS);
        thread = started;
    }

    private void run() {
        try {
            task.run();
        } catch (RuntimeException failure) {
            log.error("Housekeeping task {} failed; next run in {}", name, pause, failure);
        }
    }

    @Override
    public void stop() {
        if (thread != null) {
            if (lastRunTimeout.isPositive()) {
                runOnceMore(thread);
            }
            thread.shutdownNow();
        }
    }

    private void runOnceMore(ScheduledExecutorService stopped) {
        stopped.execute(this::run);
        // Cancels only the periodic runs, not the one just submitted.
        stopped.shutdown();
        try {
            if (!stopped.awaitTermination(lastRunTimeout.toMillis(), TimeUnit.MILLISECONDS)) {
                log.info("Housekeeping task {} was interrupted because its last run exceeded {}", name, lastRunTimeout);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
