package io.heddle.core.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class NameFilterTest {
    private static final int COUNT = 10_000;

    @Test
    void hasEachNameThatWasAddedAndHardlyAnyOther() {
        NameFilter filter = new NameFilter(COUNT);
        assertThat(filter.isEmpty()).isTrue();
        for (int i = 0; i < COUNT; i++) {
            assertThat(filter.isFull()).isFalse();
            filter.add("meter-" + i);
        }

        assertThat(filter.isFull()).isTrue();
        assertThat(filter.isEmpty()).isFalse();
        assertThat(IntStream.range(0, COUNT)).allMatch(i -> filter.mayHave("meter-" + i));
        assertThat(IntStream.range(0, 10 * COUNT).filter(i -> filter.mayHave("pump-" + i)))
                .hasSizeLessThan(50);
    }
}
