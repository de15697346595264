package io.heddle.core.subscription;

import org.jspecify.annotations.Nullable;

/**
 * Interns recent level names, so that trie nodes of the same name share one string: {@code temperature} below each of a million
 * devices is stored once. Used by the writer that holds the trie's lock only. Bounded: one short name in each slot.
 */
public final class LevelNames {
    private static final int LONGEST = 64;

    private final @Nullable String[] recent;

    /** @param slots the highest number of names, a power of two */
    public LevelNames(int slots) {
        recent = new @Nullable String[slots];
    }

    /** Returns an equal string, if possible a known instance. */
    public String intern(String level) {
        if (level.length() > LONGEST) {
            return level;
        }
        int slot = HashNode.spread(level.hashCode()) & recent.length - 1;
        String known = recent[slot];
        if (known != null && known.equals(level)) {
            return known;
        }
        recent[slot] = level;
        return level;
    }
}
