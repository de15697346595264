package io.heddle.core.retained.trie;

import org.jspecify.annotations.Nullable;

/**
 * Interns level names, so that a million devices with a topic {@code …/temperature} share one string. Bounded: {@link #CAPACITY}
 * short names, the latest of each slot. Used by the writer that holds the lock.
 */
final class LevelNames {
    private static final int CAPACITY = 1 << 12;
    private static final int LONGEST = 64;

    private final @Nullable String[] names = new @Nullable String[CAPACITY];

    /** Returns an equal string, if possible a known instance. */
    String intern(String level) {
        if (level.length() > LONGEST) {
            return level;
        }
        int hash = level.hashCode();
        int slot = (hash ^ (hash >>> 16)) & (CAPACITY - 1);
        String known = names[slot];
        if (known != null && known.equals(level)) {
            return known;
        }
        names[slot] = level;
        return level;
    }
}
