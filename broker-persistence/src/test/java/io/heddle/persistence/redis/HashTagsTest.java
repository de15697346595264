package io.heddle.persistence.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.cluster.SlotHash;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HashTagsTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 16, 64, 100, 1_024})
    void theSlotsOfTheBucketsAreSpreadEvenly(int buckets) {
        String[] tags = HashTags.of(buckets);

        assertThat(Set.of(tags)).hasSize(buckets);
        for (int bucket = 0; bucket < buckets; bucket++) {
            int slot = SlotHash.getSlot("{" + tags[bucket] + "}s:client {with} braces");
            assertThat(slot)
                    .isBetween(bucket * SlotHash.SLOT_COUNT / buckets, (bucket + 1) * SlotHash.SLOT_COUNT / buckets);
        }
    }

    @Test
    void theTagsAreStable() {
        // The keys of the stored values.
        assertThat(HashTags.of(4)).containsExactly("5nw", "h85", "7l1", "b3k");
        assertThat(HashTags.slot(0, 16)).isEqualTo(512);
        assertThat(HashTags.slot(1, 16)).isEqualTo(1_536);
    }
}
