package io.heddle.core.lifecycle;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a short task again and again on a thread of its own, from the start of the broker to its end. A task that fails is run
 * again the next time.
 */
public final class Housekeeping implements StartupPhase {
    private static final Logger log = LoggerFactory.getLogger(Housekeeping.class);

    private final String name;
    private final Duration pause;
    private final Runnable task;
    private final Duration lastRun;
    private @Nullable ScheduledExecutorService thread;

    /**
     * A task, not yet running.
     *
     * @param name of the task, for logs and the thread
     * @param pause between two runs
     */
    public Housekeeping(String name, Duration pause, Runnable task) {
        this(name, pause, task, Duration.ZERO);
    }

    /**
     * A task that runs once more before the broker ends, not yet running.
     *
     * @param name of the task, for logs and the thread
     * @param pause between two runs
     * @param lastRun how long the stop waits for a run that is under way and the last one, before it interrupts them
     */
    public Housekeeping(String name, Duration pause, Runnable task, Duration lastRun) {
        this.name = name;
        this.pause = pause;
        this.task = task;
        this.lastRun = lastRun;
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
            log.error("{} failed and is tried again in {}", name, pause, failure);
        }
    }

    @Override
    public void stop() {
        if (thread != null) {
            if (lastRun.isPositive()) {
                runOnceMore(thread);
            }
            thread.shutdownNow();
        }
    }

    private void runOnceMore(ScheduledExecutorService stopped) {
        stopped.execute(this::run);
        // Takes nothing back but the runs that would come later.
        stopped.shutdown();
        try {
            if (!stopped.awaitTermination(lastRun.toMillis(), TimeUnit.MILLISECONDS)) {
                log.info("{} had no time to come to its end", name);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
