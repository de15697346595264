package io.heddle.core.testkit;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.cluster.EndNotices;
import io.heddle.core.cluster.Incarnation;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/** Notices in memory, which several nodes share. Thread-safe. */
public final class InMemoryEndNotices implements EndNotices {
    private final Set<Incarnation> ended = new LinkedHashSet<>();
    private boolean isAway;
    private int reads;
    private int writes;

    /** Makes every call fail, or ends that. */
    public synchronized void setAway(boolean away) {
        isAway = away;
    }

    /** Returns how often a notice was looked for. */
    public synchronized int reads() {
        return reads;
    }

    /** Returns how often notices were added. */
    public synchronized int writes() {
        return writes;
    }

    /** Returns all notices, the oldest first. */
    public synchronized Set<Incarnation> all() {
        return new LinkedHashSet<>(ended);
    }

    @Override
    public synchronized void add(Set<Incarnation> more) {
        requireThere();
        writes++;
        ended.addAll(more);
        Iterator<Incarnation> oldest = ended.iterator();
        while (ended.size() > CAPACITY) {
            oldest.next();
            oldest.remove();
        }
    }

    @Override
    public synchronized boolean contains(Incarnation incarnation) {
        requireThere();
        reads++;
        return ended.contains(incarnation);
    }

    private void requireThere() {
        if (isAway) {
            throw new StoreUnavailableException("the notices are away", null);
        }
    }
}
