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
    private @Nullable ScheduledExecutorService thread;

    /**
     * Creates a task that does not run yet.
     *
     * @param name of the task, for logs and the thread
     * @param pause between two runs
     */
    public Housekeeping(String name, Duration pause, Runnable task) {
        this.name = name;
        this.pause = pause;
        this.task = task;
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
            thread.shutdownNow();
        }
    }
}
