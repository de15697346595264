package io.heddle.core.retained;

import org.jspecify.annotations.Nullable;

/**
 * Level names that came before, so that a million devices with a topic {@code …/temperature} share that text. Bounded: it
 * remembers {@link #CAPACITY} short names, the last of each place. Used by the writer whose turn it is.
 */
final class LevelNames {
    private static final int CAPACITY = 1 << 12;
    private static final int LONGEST = 64;

    private final @Nullable String[] names = new @Nullable String[CAPACITY];

    /** A text equal to the given one. */
    String shared(String level) {
        if (level.length() > LONGEST) {
            return level;
        }
        int hash = level.hashCode();
        int place = (hash ^ (hash >>> 16)) & (CAPACITY - 1);
        String known = names[place];
        if (known != null && known.equals(level)) {
            return known;
        }
        names[place] = level;
        return level;
    }
}
