package io.heddle.core.testkit;

import io.heddle.core.client.BackgroundWork;
import io.heddle.core.client.EventLoop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** An event loop that runs its tasks, and lets time pass, when a test says so; current for the thread that made it. */
public final class ManualEventLoop implements EventLoop {
    private final int index;
    private final Thread owner = Thread.currentThread();
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final PriorityQueue<Scheduled> timers = new PriorityQueue<>(Comparator.comparingLong(Scheduled::dueNanos));
    private boolean current = true;
    private long nanos;

    /** A loop with an index; time begins at zero. */
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

    /** Makes this loop look like another thread's until its tasks are run. */
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

    /** Runs the tasks that wait, and those that they add. Returns how many ran. */
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

    /** Runs something as this loop, at once and ahead of the tasks that wait. */
    public void run(Runnable action) {
        boolean before = current;
        current = true;
        action.run();
        current = before;
    }

    /** Runs so many of the tasks that wait. */
    public void runNext(int count) {
        for (int i = 0; i < count; i++) {
            Runnable task = next();
            if (task == null) {
                throw new IllegalStateException("only " + i + " tasks wait, not " + count);
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

    /** Lets time pass and runs what becomes due, each at its own time. */
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

    /** Time passes within a task. */
    public void spend(Duration time) {
        nanos += time.toNanos();
    }

    /** How many timers wait. */
    public int timers() {
        return timers.size();
    }
}
