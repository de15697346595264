package io.heddle.core.quota;

import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts the items of each owner against a maximum. Thread-safe, never blocks. Bound: one entry per owner with items.
 *
 * @param <K> the owner, compared by value
 */
public final class CountQuota<K> {
    private final ConcurrentHashMap<K, Integer> counts = new ConcurrentHashMap<>();
    private final int maximum;

    /** @param maximum items per owner, at least 1 */
    public CountQuota(int maximum) {
        this.maximum = maximum;
    }

    /** Returns whether an owner may take one more. */
    public boolean hasRoom(K owner) {
        return count(owner) < maximum;
    }

    public int count(K owner) {
        return counts.getOrDefault(owner, 0);
    }

    /** Counts one more item unless the owner has this many; returns whether it was counted. */
    public boolean tryTake(K owner, long ownMaximum) {
        boolean[] taken = new boolean[1];
        counts.compute(owner, (_, count) -> {
            int present = count == null ? 0 : count;
            taken[0] = present < ownMaximum;
            return taken[0] ? Integer.valueOf(present + 1) : count;
        });
        return taken[0];
    }

    /** Counts one more item, even above the maximum. */
    public void take(K owner) {
        counts.merge(owner, 1, Integer::sum);
    }

    public void giveBack(K owner) {
        counts.computeIfPresent(owner, (_, count) -> count == 1 ? null : count - 1);
    }
}
