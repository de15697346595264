package io.heddle.persistence.redis;

import io.lettuce.core.cluster.SlotHash;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The hash tags of the buckets: of each bucket the first number, written with 36 digits, whose slot is the middle of the bucket's share of
 * the 16,384 slots. So the buckets are spread evenly, however a Redis Cluster divides the slots among its masters.
 */
final class HashTags {
    private static final int DIGITS = 36;

    private HashTags() {}

    /** The tags, without braces, of so many buckets: not more than there are slots. */
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
            String tag = Integer.toString(number, DIGITS);
            int bucket = bucketOfSlot[SlotHash.getSlot(tag.getBytes(StandardCharsets.US_ASCII))];
            if (bucket >= 0 && tags[bucket] == null) {
                tags[bucket] = tag;
                found[bucket] = tag;
                missing--;
            }
        }
        return found;
    }

    /** The slot of a bucket. */
    static int slot(int bucket, int buckets) {
        return (int) ((2L * bucket + 1) * SlotHash.SLOT_COUNT / (2L * buckets));
    }
}
