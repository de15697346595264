package io.heddle.core.testkit;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.OwnerNotice;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A notice in memory, which several nodes share. Thread-safe. */
public final class InMemoryOwnerNotice implements OwnerNotice {
    private @Nullable Incarnation owner;
    private boolean isAway;
    private int reads;

    /** Makes every call fail, or ends that. */
    public synchronized void setAway(boolean away) {
        isAway = away;
    }

    /** Returns how often the notice was read. */
    public synchronized int reads() {
        return reads;
    }

    @Override
    public synchronized @Nullable Incarnation read() {
        requireThere();
        reads++;
        return owner;
    }

    @Override
    public synchronized boolean replace(@Nullable Incarnation before, Incarnation next) {
        requireThere();
        if (!Objects.equals(owner, before)) {
            return false;
        }
        owner = next;
        return true;
    }

    private void requireThere() {
        if (isAway) {
            throw new StoreUnavailableException("the notice is away", null);
        }
    }
}
