package io.heddle.perf.jmh;

import io.heddle.core.client.BackgroundWork;
import io.heddle.core.client.EventLoop;
import java.time.Duration;

/**
 * An event loop on the benchmark's thread. It runs tasks immediately, so that a handover to another loop costs only the broker's own work,
 * without waking a thread.
 */
final class InlineEventLoop implements EventLoop {
    private final boolean current;

    private InlineEventLoop(boolean current) {
        this.current = current;
    }

    /** The current loop of the benchmark's thread. */
    static InlineEventLoop own() {
        return new InlineEventLoop(true);
    }

    /** A loop that acts as another thread. */
    static InlineEventLoop other() {
        return new InlineEventLoop(false);
    }

    @Override
    public int index() {
        return 0;
    }

    @Override
    public boolean isCurrent() {
        return current;
    }

    @Override
    public void execute(Runnable task) {
        task.run();
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public void inBackground(BackgroundWork work) {
        while (work.step()) {}
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        throw new UnsupportedOperationException("no benchmark waits for a timer");
    }
}
