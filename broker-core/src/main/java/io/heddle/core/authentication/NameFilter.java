package io.heddle.core.authentication;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Names that may be in a set: a Bloom filter. Says yes for each name that was added, and for about one other name in ten thousand. One thread
 * adds; any thread asks. Takes {@value #BITS_PER_NAME} bits for each name of its capacity.
 */
final class NameFilter {
    private static final int BITS_PER_NAME = 20;
    private static final int PROBES = 7;
    private static final long FIRST_PRIME = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;

    private final int capacity;
    private final AtomicLongArray bits;
    private final AtomicInteger added = new AtomicInteger();

    /** Creates a filter without names, for {@code capacity} names. */
    NameFilter(int capacity) {
        this.capacity = capacity;
        this.bits = new AtomicLongArray(Math.toIntExact((long) capacity * BITS_PER_NAME / Long.SIZE + 1));
    }

    void add(String name) {
        long hash = hash(name);
        for (int i = 0; i < PROBES; i++) {
            long bit = bit(hash, i);
            int at = (int) (bit / Long.SIZE);
            bits.set(at, bits.get(at) | 1L << bit % Long.SIZE);
        }
        added.incrementAndGet();
    }

    boolean mayHave(String name) {
        long hash = hash(name);
        for (int i = 0; i < PROBES; i++) {
            long bit = bit(hash, i);
            if ((bits.get((int) (bit / Long.SIZE)) & 1L << bit % Long.SIZE) == 0) {
                return false;
            }
        }
        return true;
    }

    boolean isEmpty() {
        return added.get() == 0;
    }

    /** Returns whether more names would make it say yes too often. */
    boolean isFull() {
        return added.get() >= capacity;
    }

    private long bit(long hash, int probe) {
        long step = hash >>> 32 | 1;
        return Long.remainderUnsigned(hash + probe * step, (long) bits.length() * Long.SIZE);
    }

    /** FNV-1a, whose bits the multiplications at the end mix. */
    private static long hash(String name) {
        long hash = FIRST_PRIME;
        for (int i = 0; i < name.length(); i++) {
            hash = (hash ^ name.charAt(i)) * PRIME;
        }
        hash = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
        hash = (hash ^ hash >>> 33) * 0xc4ceb9fe1a85ec53L;
        return hash ^ hash >>> 33;
    }
}
