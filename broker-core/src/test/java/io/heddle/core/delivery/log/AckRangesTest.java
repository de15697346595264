package io.heddle.core.delivery.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class AckRangesTest {
    private final AckRanges numbers = new AckRanges(10, List.of());

    @Test
    void acknowledgementsInOrderLeaveNoRange() {
        numbers.add(10);
        numbers.add(11);

        assertThat(numbers.lowest()).isEqualTo(12);
        assertThat(numbers.ranges()).isEmpty();
        assertThat(numbers.contains(11)).isTrue();
        assertThat(numbers.contains(12)).isFalse();
    }

    @Test
    void acknowledgementsOutOfOrderAreARangeUntilTheGapCloses() {
        numbers.add(12);
        numbers.add(14);
        numbers.add(15);
        assertThat(numbers.ranges()).containsExactly(new SequenceRange(12, 13), new SequenceRange(14, 16));
        assertThat(numbers.contains(13)).isFalse();
        assertThat(numbers.contains(15)).isTrue();
        assertThat(numbers.contains(16)).isFalse();

        numbers.add(13);
        assertThat(numbers.ranges()).containsExactly(new SequenceRange(12, 16));
        numbers.add(10, 12);
        assertThat(numbers.lowest()).isEqualTo(16);
        assertThat(numbers.rangeCount()).isZero();
    }

    @Test
    void resumesFromStoredRanges() {
        AckRanges again = new AckRanges(5, List.of(new SequenceRange(7, 9), new SequenceRange(11, 12)));

        assertThat(again.lowest()).isEqualTo(5);
        assertThat(again.ranges()).containsExactly(new SequenceRange(7, 9), new SequenceRange(11, 12));
        again.add(5, 7);
        assertThat(again.lowest()).isEqualTo(9);
    }

    @Test
    void anyOrderOfAcknowledgementsMatchesASet() {
        long seed = Long.getLong("heddle.test.seed", System.nanoTime());
        Random random = new Random(seed);
        TreeSet<Long> expected = new TreeSet<>();
        for (int i = 0; i < 3_000; i++) {
            long first = 10L + random.nextInt(500);
            long end = first + 1L + random.nextInt(3);
            numbers.add(first, end);
            for (long number = first; number < end; number++) {
                expected.add(number);
            }
            long lowest = 10;
            while (expected.contains(lowest)) {
                lowest++;
            }
            assertThat(numbers.lowest()).as("seed %d, step %d", seed, i).isEqualTo(lowest);
            for (long number = 10; number < 515; number++) {
                assertThat(numbers.contains(number))
                        .as("seed %d, step %d, number %d", seed, i, number)
                        .isEqualTo(expected.contains(number));
            }
            List<SequenceRange> runs = numbers.ranges();
            for (int j = 1; j < runs.size(); j++) {
                assertThat(runs.get(j).first()).isGreaterThan(runs.get(j - 1).end());
            }
        }
    }
}
