package io.heddle.core.client.activity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class SpaceSavingTest {
    private final SpaceSaving sums = new SpaceSaving();

    private Map<String, Long> read() {
        Map<String, Long> read = new HashMap<>();
        sums.forEach(read::put);
        return read;
    }

    @Test
    void theSumsOfFewKeysAreExact() {
        for (int key = 0; key < SpaceSaving.CAPACITY; key++) {
            sums.add("k" + key, key);
            sums.add("k" + key, 1);
        }

        assertThat(read()).hasSize(SpaceSaving.CAPACITY).containsEntry("k0", 1L).containsEntry("k127", 128L);
    }

    @Test
    void frequentKeysAreFoundAmongVeryManyAndNoSumIsTooHigh() {
        SplittableRandom random = new SplittableRandom(1);
        Map<String, Long> exact = new HashMap<>();
        for (int i = 0; i < 200_000; i++) {
            // One in 20 events is of each of two frequent keys.
            int choice = random.nextInt(20);
            String key = choice < 2 ? "frequent" + choice : "k" + random.nextInt(50_000);
            int weight = 1 + random.nextInt(9);
            exact.merge(key, (long) weight, Long::sum);
            sums.add(key, weight);
        }

        Map<String, Long> read = read();

        assertThat(read).hasSize(SpaceSaving.CAPACITY);
        read.forEach((key, sum) -> assertThat(sum).isLessThanOrEqualTo(exact.get(key)));
        for (String frequent : new String[] {"frequent0", "frequent1"}) {
            assertThat(read.getOrDefault(frequent, 0L) / (double) exact.getOrDefault(frequent, 1L))
                    .isGreaterThan(0.9);
        }
    }

    @Test
    void nothingIsLeftAfterClear() {
        sums.add("a", 1);
        sums.clear();

        assertThat(read()).isEmpty();
    }
}
