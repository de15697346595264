package io.heddle.core.quota;

import java.util.concurrent.ConcurrentHashMap;

/**
 * How many things each of many owners has. Thread-safe, never blocks. Bound: an entry for each owner that has any.
 *
 * @param <K> an owner, equal by value
 */
public final class CountQuota<K> {
    private final ConcurrentHashMap<K, Integer> counts = new ConcurrentHashMap<>();
    private final int maximum;

    /** @param maximum of each owner, at least 1 */
    public CountQuota(int maximum) {
        this.maximum = maximum;
    }

    /** Whether an owner may have one more. */
    public boolean hasRoom(K owner) {
        return count(owner) < maximum;
    }

    /** How many an owner has. */
    public int count(K owner) {
        return counts.getOrDefault(owner, 0);
    }

    /** An owner has one more, whether it may or not. */
    public void take(K owner) {
        counts.merge(owner, 1, Integer::sum);
    }

    /** An owner has one less. */
    public void giveBack(K owner) {
        counts.computeIfPresent(owner, (_, count) -> count == 1 ? null : count - 1);
    }
}
