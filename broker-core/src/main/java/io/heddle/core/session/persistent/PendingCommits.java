package io.heddle.core.session.persistent;

import java.util.ArrayList;
import java.util.List;

/**
 * Counts the QoS 2 messages of one session that are being committed. A client that reconnects and repeats one of them must learn its
 * outcome, so the departure of its connection waits until no commit is pending. Thread-safe.
 */
public final class PendingCommits {
    private int count;
    private List<Runnable> waiting = List.of();

    public synchronized void begin() {
        count++;
    }

    /** A commit has ended, successfully or not. */
    public void end() {
        for (Runnable due : ended()) {
            due.run();
        }
    }

    private synchronized List<Runnable> ended() {
        if (count == 0) {
            throw new IllegalStateException("more commits have ended than were started");
        }
        count--;
        if (count > 0) {
            return List.of();
        }
        List<Runnable> due = waiting;
        waiting = List.of();
        return due;
    }

    /** Runs a task when no commit is pending: immediately, or on the thread that ends the last commit. */
    public void whenNone(Runnable task) {
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
