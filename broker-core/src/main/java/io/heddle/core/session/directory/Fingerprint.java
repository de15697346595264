package io.heddle.core.session.directory;

import org.jspecify.annotations.Nullable;

/**
 * A hash of a sequence of values that is the same in every run and on every node. Not collision-resistant against attackers. Owned by one
 * thread.
 */
final class Fingerprint {
    private static final long FACTOR = 0x9E37_79B9_7F4A_7C15L;
    private static final int TURN = 29;

    private long state = FACTOR;

    Fingerprint add(long value) {
        state = Long.rotateLeft((state ^ value) * FACTOR, TURN);
        return this;
    }

    /** Null differs from an empty text. */
    Fingerprint add(@Nullable String text) {
        if (text == null) {
            return add(-1);
        }
        add(text.length());
        for (int i = 0; i < text.length(); i++) {
            add(text.charAt(i));
        }
        return this;
    }

    /** The hash of all values added so far. */
    long value() {
        long mixed = (state ^ (state >>> 32)) * FACTOR;
        return mixed ^ (mixed >>> TURN);
    }
}
