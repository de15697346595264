package io.heddle.core.sys.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class LastingTest {
    private static long of(long... values) {
        Lasting lasting = new Lasting(3);
        LongStream.of(values).forEach(lasting::add);
        return lasting.value();
    }

    @Test
    void nothingLastsBeforeThereAreEnoughValues() {
        assertThat(of()).isZero();
        assertThat(of(5, 5)).isZero();
        assertThat(of(5, 5, 5)).isEqualTo(5);
    }

    @Test
    void theClosestToZeroOfTheLatestValuesLasts() {
        assertThat(of(9, 2, 5, 4, 7)).isEqualTo(4);
        assertThat(of(-9, -2, -5)).isEqualTo(-2);
    }

    @Test
    void valuesThatChangeTheirSignDoNotLast() {
        assertThat(of(5, -5, 5)).isZero();
        assertThat(of(5, 0, 5)).isZero();
        assertThat(of(5, 0, 5, 6, 7)).isEqualTo(5);
    }
}
