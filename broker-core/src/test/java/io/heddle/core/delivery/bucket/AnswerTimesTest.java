package io.heddle.core.delivery.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class AnswerTimesTest {
    private final AnswerTimes answers = new AnswerTimes();

    @Test
    void withoutAnyAnswerACallIsOverdueAfterAWhile() {
        assertThat(answers.isOverdue(1_000, 1_499)).isFalse();
        assertThat(answers.isOverdue(1_000, 1_500)).isTrue();
    }

    @Test
    void queuesThatAnswerEarlierCallsAreBusy() {
        answers.answered(900, 1_800);
        answers.answered(1_010, 2_000);

        assertThat(answers.isOverdue(1_000, 2_100)).isFalse();
        assertThat(answers.isOverdue(1_000, 2_500))
                .as("the last answer was long ago")
                .isTrue();
    }

    @Test
    void whenLaterCallsAreAnsweredTheCallIsOverdue() {
        answers.answered(1_300, 1_600);

        assertThat(answers.isOverdue(1_000, 1_600)).isTrue();
    }
}
