package io.heddle.core.session;

import java.util.ArrayList;
import java.util.List;

/**
 * How many QoS 2 messages of one session are being committed. A client that comes back and sends one of them again must find
 * out what became of it: so its new connection waits until none is left. Thread-safe.
 */
final class PendingCommits {
    private int count;
    private List<Runnable> waiting = List.of();

    /** One is being committed. */
    synchronized void begin() {
        count++;
    }

    /** One is committed, or never will be. */
    void end() {
        for (Runnable due : ended()) {
            due.run();
        }
    }

    private synchronized List<Runnable> ended() {
        if (count == 0) {
            throw new IllegalStateException("more commits have ended than begun");
        }
        count--;
        if (count > 0) {
            return List.of();
        }
        List<Runnable> due = waiting;
        waiting = List.of();
        return due;
    }

    /** Runs a task when there is none: here and now, or on the thread that ends the last one. */
    void whenNone(Runnable task) {
        if (!waits(task)) {
            task.run();
        }
    }

    private synchronized boolean waits(Runnable task) {
        if (count == 0) {
            return false;
        }
        List<Runnable> more = new ArrayList<>(waiting);
        more.add(task);
        waiting = more;
        return true;
    }
}
