package io.heddle.core.subscription;

import io.heddle.core.HotPath;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Sixteen parts of something that has become too large for one array, told apart by four bits of a hash; each part may be a
 * fork again, by the next four. So no change ever moves more than one array's content, however much there is. Changed under the
 * trie's lock, read by any thread.
 */
@HotPath
final class HashNode {
    static final int PARTS = 16;
    static final int BITS = 4;
    /** So many bits have been used when forks stand as deep as they can. */
    static final int ALL_BITS = 32;

    private static final VarHandle PART = MethodHandles.arrayElementVarHandle(Object[].class);

    private final @Nullable Object[] parts = new @Nullable Object[PARTS];
    /** How much is in it, counted in what it holds, not in parts. Of the writer. */
    private int size;

    /** A hash code whose bits all depend on all of the given one's. */
    static int spread(int hashCode) {
        int mixed = hashCode * 0x9E37_79B9;
        mixed ^= mixed >>> 15;
        return mixed * 0x85EB_CA6B ^ mixed >>> 13;
    }

    /** The part for a hash of which the lowest {@code shift} bits have been used. */
    static int index(int hash, int shift) {
        return hash >>> shift & PARTS - 1;
    }

    @Nullable
    Object part(int index) {
        return PART.getAcquire(parts, index);
    }

    void part(int index, @Nullable Object part) {
        PART.setRelease(parts, index, part);
    }

    int size() {
        return size;
    }

    void grow() {
        size++;
    }

    void shrink() {
        size--;
    }
}
