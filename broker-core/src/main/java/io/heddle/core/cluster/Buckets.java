package io.heddle.core.cluster;

import io.heddle.core.client.ClientId;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Partitioning of the clients of a cluster: a client's bucket is the hash of its id modulo the number of buckets, which is fixed
 * once. A bucket is a partition of the bucket log and a hash tag in Redis. Immutable.
 */
public final class Buckets {
    private static final int SEED = 0x9747b28c;
    private static final int MULTIPLIER = 0x5bd1e995;
    private static final int SHIFT = 24;

    private final int count;

    /**
     * Creates the partitioning.
     *
     * @throws IllegalArgumentException if the count is below 1
     */
    public Buckets(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("bucket count is " + count + ": use 1 or more");
        }
        this.count = count;
    }

    public int count() {
        return count;
    }

    /** Returns all buckets in ascending order. */
    public Set<Integer> all() {
        return Collections.unmodifiableSet(
                new TreeSet<>(IntStream.range(0, count).boxed().toList()));
    }

    /** Returns a client's bucket, from 0: the partition that Kafka's default partitioner chooses for the id as key. */
    public int of(ClientId clientId) {
        return (murmur2(clientId.value().getBytes(StandardCharsets.UTF_8)) & Integer.MAX_VALUE) % count;
    }

    /** MurmurHash2, 32 bits (Austin Appleby, public domain). */
    private static int murmur2(byte[] data) {
        int hash = SEED ^ data.length;
        int words = data.length / Integer.BYTES;
        for (int i = 0; i < words; i++) {
            int at = i * Integer.BYTES;
            int word = (data[at] & 0xff)
                    | ((data[at + 1] & 0xff) << 8)
                    | ((data[at + 2] & 0xff) << 16)
                    | ((data[at + 3] & 0xff) << 24);
            word *= MULTIPLIER;
            word ^= word >>> SHIFT;
            word *= MULTIPLIER;
            hash = (hash * MULTIPLIER) ^ word;
        }
        int rest = words * Integer.BYTES;
        switch (data.length - rest) {
            case 3 -> hash = last(hash ^ ((data[rest + 2] & 0xff) << 16) ^ ((data[rest + 1] & 0xff) << 8), data[rest]);
            case 2 -> hash = last(hash ^ ((data[rest + 1] & 0xff) << 8), data[rest]);
            case 1 -> hash = last(hash, data[rest]);
            default -> {
                // Whole words only.
            }
        }
        hash ^= hash >>> 13;
        hash *= MULTIPLIER;
        return hash ^ (hash >>> 15);
    }

    private static int last(int hash, byte first) {
        return (hash ^ (first & 0xff)) * MULTIPLIER;
    }
}
