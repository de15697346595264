package io.heddle.core.retained;

import io.heddle.core.HotPath;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The changes of this node whose outcome is unknown, and the tasks that wait for them. Used by the writer that holds the lock. Bound: the log
 * limits commits in flight; a task is a report to other nodes.
 */
@HotPath
final class UnsettledChanges {
    // In the order of their beginning.
    private final Set<RetainedChange> changes = new LinkedHashSet<>();
    private final ArrayDeque<Wait> waits = new ArrayDeque<>();
    private long begun;

    private record Wait(long until, Runnable task) {}

    void begin(RetainedChange change) {
        change.number = ++begun;
        changes.add(change);
    }

    /**
     * Adds a task that waits for all changes that have begun.
     *
     * @return false if it need not wait
     */
    boolean await(Runnable task) {
        if (changes.isEmpty()) {
            return false;
        }
        waits.add(new Wait(begun, task));
        return true;
    }

    /** Removes a change with a known outcome. Returns the tasks that need not wait any longer. */
    List<Runnable> settle(RetainedChange change) {
        changes.remove(change);
        if (waits.isEmpty()) {
            return List.of();
        }
        long oldest = changes.isEmpty() ? Long.MAX_VALUE : changes.iterator().next().number;
        List<Runnable> due = new ArrayList<>();
        for (Wait first = waits.peek(); first != null && first.until() < oldest; first = waits.peek()) {
            due.add(waits.remove().task());
        }
        return due;
    }
}
