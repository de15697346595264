package io.heddle.persistence.kafka.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class OverdueAnswersTest {
    private static final long LONGEST =
            Duration.ofMillis(OverdueAnswers.LONGEST_MILLIS).toNanos();
    private static final long SHORT =
            Duration.ofMillis(OverdueAnswers.OVERDUE_MILLIS).toNanos();

    private final OverdueAnswers overdue = new OverdueAnswers();

    @Test
    void waitsForAllAnswersButNotForNone() {
        assertThat(overdue.waitNanos(3)).isEqualTo(LONGEST);
        assertThat(overdue.waitNanos(1)).isEqualTo(LONGEST);
        assertThat(overdue.waitNanos(0)).isZero();
    }

    @Test
    void anOverdueAnswerDelaysTheOthersOnce() {
        overdue.onWaited(1);

        assertThat(overdue.waitNanos(4)).as("three others").isEqualTo(LONGEST);
        assertThat(overdue.waitNanos(1)).as("only itself").isEqualTo(SHORT);
    }

    @Test
    void afterAnOverdueAnswerArrivesAllAreAwaitedAgain() {
        overdue.onWaited(1);
        assertThat(overdue.waitNanos(0)).isZero();

        assertThat(overdue.waitNanos(1)).isEqualTo(LONGEST);
    }
}
