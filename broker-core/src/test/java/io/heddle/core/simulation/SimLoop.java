package io.heddle.core.simulation;

import io.heddle.core.client.BackgroundWork;
import io.heddle.core.client.EventLoop;
import java.time.Duration;
import java.util.ArrayDeque;

/** An event loop of a simulated process. Each turn is an event that runs some of the waiting tasks, in order. */
public final class SimLoop implements EventLoop {
    private static final long MAXIMUM_PAUSE_MICROS = 200;

    private final World world;
    private final SimProcess process;
    private final int index;
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final ArrayDeque<BackgroundWork> background = new ArrayDeque<>();
    private boolean scheduled;
    private long stuckUntilNanos;

    public SimLoop(World world, SimProcess process, int index) {
        this.world = world;
        this.process = process;
        this.index = index;
    }

    @Override
    public int index() {
        return index;
    }

    @Override
    public boolean isCurrent() {
        return world.isCurrent(this);
    }

    @Override
    public long nanoTime() {
        return process.nanoTime(world);
    }

    /** Its thread stands still for a while. */
    void standStill(long micros) {
        stuckUntilNanos = world.nanoTime() + micros * 1_000;
    }

    public boolean isStuck() {
        return world.nanoTime() < stuckUntilNanos;
    }

    /** Runs a task at once, or when the thread goes on. */
    public void run(Runnable task) {
        if (isStuck()) {
            world.at(process, stuckUntilNanos, () -> run(task));
        } else {
            world.runAs(this, task);
        }
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        wake();
    }

    private void wake() {
        if (!scheduled) {
            scheduled = true;
            world.after(process, world.random().nextLong(1, MAXIMUM_PAUSE_MICROS), this::turn);
        }
    }

    private void turn() {
        if (isStuck()) {
            world.at(process, stuckUntilNanos, this::turn);
            return;
        }
        scheduled = false;
        world.runAs(this, () -> {
            int count = world.oneIn(4) ? 1 : tasks.size();
            for (int i = 0; i < count && !tasks.isEmpty(); i++) {
                tasks.remove().run();
            }
            if (!background.isEmpty()) {
                BackgroundWork work = background.remove();
                if (work.step()) {
                    background.add(work);
                }
            }
        });
        if (!tasks.isEmpty() || !background.isEmpty()) {
            wake();
        }
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        Timeout timeout = new Timeout(task);
        world.at(process, world.nanoTime() + delay.toNanos(), () -> run(timeout::expire));
        return timeout;
    }

    @Override
    public void inBackground(BackgroundWork work) {
        assertCurrent();
        background.add(work);
        wake();
    }

    private static final class Timeout implements Timer {
        private final Runnable task;
        private boolean cancelled;

        Timeout(Runnable task) {
            this.task = task;
        }

        void expire() {
            if (!cancelled) {
                task.run();
            }
        }

        @Override
        public void cancel() {
            cancelled = true;
        }
    }
}
