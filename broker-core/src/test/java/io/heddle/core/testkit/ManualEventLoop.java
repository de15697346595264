package io.heddle.core.testkit;

import io.heddle.core.client.BackgroundWork;
import io.heddle.core.client.EventLoop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Queue;
import java.util.concurrent.PriorityBlockingQueue;
import org.jspecify.annotations.Nullable;

/** An event loop whose tasks and time a test controls. Owned by the thread that created it. */
public final class ManualEventLoop implements EventLoop {
    private static final int INITIAL_CAPACITY = 11;

    private final int index;
    private final Thread owner = Thread.currentThread();
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final Queue<Scheduled> timers =
            new PriorityBlockingQueue<>(INITIAL_CAPACITY, Comparator.comparingLong(Scheduled::dueNanos));
    private boolean current = true;
    private long nanos;

    /** Creates a loop whose time starts at zero. */
    public ManualEventLoop(int index) {
        this.index = index;
    }

    private record Scheduled(long dueNanos, Runnable task) {}

    @Override
    public int index() {
        return index;
    }

    @Override
    public boolean isCurrent() {
        return current && Thread.currentThread().equals(owner);
    }

    /** Makes {@link #isCurrent} false until {@link #runTasks} or {@link #run} is called. */
    public void leave() {
        current = false;
    }

    @Override
    public long nanoTime() {
        return nanos;
    }

    @Override
    public synchronized void execute(Runnable task) {
        tasks.add(task);
    }

    /** Runs the waiting tasks and those that they add. Returns the number of tasks run. */
    public int runTasks() {
        boolean before = current;
        current = true;
        int ran = 0;
        for (Runnable task = next(); task != null; task = next()) {
            task.run();
            ran++;
        }
        current = before;
        return ran;
    }

    /** Runs an action as this loop, before the waiting tasks. */
    public void run(Runnable action) {
        boolean before = current;
        current = true;
        action.run();
        current = before;
    }

    /** Runs a number of waiting tasks. */
    public void runNext(int count) {
        for (int i = 0; i < count; i++) {
            Runnable task = next();
            if (task == null) {
                throw new IllegalStateException("only " + i + " tasks are waiting, not " + count);
            }
            run(task);
        }
    }

    private synchronized @Nullable Runnable next() {
        return tasks.poll();
    }

    @Override
    public void inBackground(BackgroundWork work) {
        execute(() -> {
            if (work.step()) {
                inBackground(work);
            }
        });
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        Scheduled scheduled = new Scheduled(nanos + delay.toNanos(), task);
        timers.add(scheduled);
        return () -> timers.remove(scheduled);
    }

    /** Advances time and runs due timers, each at its own deadline. */
    public void advance(Duration time) {
        long end = nanos + time.toNanos();
        for (Scheduled next = timers.peek(); next != null && next.dueNanos() <= end; next = timers.peek()) {
            timers.remove(next);
            nanos = next.dueNanos();
            next.task().run();
        }
        nanos = Math.max(nanos, end);
        runTasks();
    }

    /** Advances time within a task, without running timers. */
    public void spend(Duration time) {
        nanos += time.toNanos();
    }

    /** Returns the number of waiting timers. */
    public int timers() {
        return timers.size();
    }
}
