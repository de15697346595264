package io.heddle.persistence.redis;

import io.lettuce.core.cluster.SlotHash;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Computes the hash tags of the buckets. The tag of a bucket is the first number, in base 36, whose slot is the middle of the bucket's
 * share of the 16,384 slots. This spreads the buckets evenly, however a Redis Cluster assigns the slots to its masters.
 */
final class HashTags {
    private static final int RADIX = 36;

    private HashTags() {}

    /** Returns the tags without braces. There may be at most as many buckets as slots. */
    static String[] of(int buckets) {
        int[] bucketOfSlot = new int[SlotHash.SLOT_COUNT];
        Arrays.fill(bucketOfSlot, -1);
        for (int bucket = 0; bucket < buckets; bucket++) {
            bucketOfSlot[slot(bucket, buckets)] = bucket;
        }
        @Nullable String[] tags = new @Nullable String[buckets];
        String[] found = new String[buckets];
        int missing = buckets;
        for (int number = 0; missing > 0; number++) {
            String tag = Integer.toString(number, RADIX);
            int bucket = bucketOfSlot[SlotHash.getSlot(tag.getBytes(StandardCharsets.US_ASCII))];
            if (bucket >= 0 && tags[bucket] == null) {
                tags[bucket] = tag;
                found[bucket] = tag;
                missing--;
            }
        }
        return found;
    }

    static int slot(int bucket, int buckets) {
        return (int) ((2L * bucket + 1) * SlotHash.SLOT_COUNT / (2L * buckets));
    }
}
