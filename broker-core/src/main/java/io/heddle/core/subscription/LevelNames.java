package io.heddle.core.subscription;

import org.jspecify.annotations.Nullable;

/**
 * Interns recent level names, so that trie nodes of the same name share one string: {@code temperature} below each of a million
 * devices is stored once. Used under the trie's lock only. Bounded: {@value #SLOTS} short names.
 */
final class LevelNames {
    private static final int SLOTS = 1 << 10;
    private static final int LONGEST = 64;

    private final @Nullable String[] recent = new @Nullable String[SLOTS];

    /** Returns an equal string, if possible a known instance. */
    String intern(String level) {
        if (level.length() > LONGEST) {
            return level;
        }
        int slot = HashNode.spread(level.hashCode()) & SLOTS - 1;
        String known = recent[slot];
        if (known != null && known.equals(level)) {
            return known;
        }
        recent[slot] = level;
        return level;
    }
}
