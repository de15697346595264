package io.heddle.core.lifecycle;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs short tasks again and again on its own thread while the broker runs. A failed task runs again after the pause. */
public final class Housekeeping implements StartupPhase {
    private static final Logger log = LoggerFactory.getLogger(Housekeeping.class);

    private final String name;
    private final Duration pause;
    private final Supplier<Duration> run;
    private @Nullable ScheduledExecutorService thread;

    /**
     * Creates tasks that do not run yet.
     *
     * @param name of the tasks, for logs and the thread
     * @param pause between two runs
     */
    public Housekeeping(String name, Duration pause, Runnable... tasks) {
        this.name = name;
        this.pause = pause;
        this.run = () -> {
            for (Runnable task : tasks) {
                var _ = run(() -> {
                    task.run();
                    return pause;
                });
            }
            return pause;
        };
    }

    private Housekeeping(String name, Duration pause, Supplier<Duration> run) {
        this.name = name;
        this.pause = pause;
        this.run = run;
    }

    /**
     * Creates a task that does not run yet.
     *
     * @param pause before the first run, and after one that fails
     * @param run returns the pause before the next run
     */
    public static Housekeeping paced(String name, Duration pause, Supplier<Duration> run) {
        return new Housekeeping(name, pause, run);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void start() {
        ScheduledExecutorService started = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("heddle-" + name).factory());
        thread = started;
        runAfter(pause, started);
    }

    private void runAfter(Duration wait, ScheduledExecutorService started) {
        if (!started.isShutdown()) {
            var _ = started.schedule(() -> runAfter(run(run), started), wait.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private Duration run(Supplier<Duration> task) {
        try {
            return task.get();
        } catch (RuntimeException failure) {
            log.error("Housekeeping task {} failed; next run in {}", name, pause, failure);
            return pause;
        }
    }

    @Override
    public void stop() {
        if (thread != null) {
            thread.shutdownNow();
        }
    }
}
