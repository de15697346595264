package io.heddle.core.subscription;

import org.jspecify.annotations.Nullable;

/**
 * Texts of levels that came lately, so that trie nodes of the same name share one text: {@code temperature} below each of a
 * million devices is one. Used under the trie's lock only. Bounded: {@value #PLACES} short texts.
 */
final class LevelNames {
    private static final int PLACES = 1 << 10;
    private static final int LONGEST = 64;

    private final @Nullable String[] lately = new @Nullable String[PLACES];

    /** The same text, if possible as an object that is there already. */
    String shared(String level) {
        if (level.length() > LONGEST) {
            return level;
        }
        int place = HashNode.spread(level.hashCode()) & PLACES - 1;
        String known = lately[place];
        if (known != null && known.equals(level)) {
            return known;
        }
        lately[place] = level;
        return level;
    }
}
