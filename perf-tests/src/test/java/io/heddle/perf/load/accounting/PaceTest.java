package io.heddle.perf.load.accounting;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PaceTest {
    private static final long SECOND = 1_000_000_000;
    private static final long START = -3 * SECOND;

    @Test
    void messagesAreDueAtEqualIntervalsFromTheStart() {
        Pace pace = new Pace(3, 4, START);
        assertThat(pace.dueBy(START - 1)).isZero();
        assertThat(pace.dueBy(START)).isEqualTo(1);
        assertThat(pace.dueBy(START + SECOND / 4 - 1)).isEqualTo(1);
        assertThat(pace.dueBy(START + SECOND / 4)).isEqualTo(2);
        assertThat(pace.dueBy(START + 10 * SECOND)).isEqualTo(41);
    }

    @Test
    void publishersTakeTurns() {
        Pace pace = new Pace(3, 4, START);
        assertThat(pace.publisherOf(4)).isEqualTo(1);
        assertThat(pace.dueNanos(1, 1))
                .as("its second message is the fifth of all")
                .isEqualTo(START + SECOND);
    }

    @Test
    void dueTimesAreExactForALongTime() {
        Pace pace = new Pace(7, 3_333.3, START);
        for (long message = 0; message < 3_000_000_000L; message += 999_983) {
            assertThat(pace.dueBy(pace.dueNanos(message))).isEqualTo(message + 1);
            assertThat(pace.dueBy(pace.dueNanos(message) - 2)).isEqualTo(message);
        }
    }
}
