package io.heddle.core.subscription;

import io.heddle.core.HotPath;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A node of a 16-way hash trie, which replaces an array that has become too large. Four bits of the hash select the part; a part
 * may be another hash node, which uses the next four bits. A change therefore never moves more than one array's content. Changed
 * under the trie's lock, read by any thread.
 */
@HotPath
final class HashNode {
    static final int PARTS = 16;
    static final int BITS = 4;
    static final int ALL_BITS = 32;

    private static final VarHandle PART = MethodHandles.arrayElementVarHandle(Object[].class);

    private final @Nullable Object[] parts = new @Nullable Object[PARTS];
    /** The number of elements, not of parts. Writer only. */
    private int size;

    /** Mixes a hash code, so that every bit of the result depends on every bit of the input. */
    static int spread(int hashCode) {
        int mixed = hashCode * 0x9E37_79B9;
        mixed ^= mixed >>> 15;
        return mixed * 0x85EB_CA6B ^ mixed >>> 13;
    }

    /** Returns the part index for a hash whose lowest {@code shift} bits have been used. */
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
