package io.heddle.core.delivery.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class AnswerTimesTest {
    private final AnswerTimes answers = new AnswerTimes();

    @Test
    void aCallIsOverdueAfterAWhileWithoutAnyAnswer() {
        assertThat(answers.isOverdue(1_000, 1_499)).isFalse();
        assertThat(answers.isOverdue(1_000, 1_500)).isTrue();
    }

    @Test
    void aCallIsNotOverdueWhileEarlierCallsAreAnswered() {
        answers.record(900, 1_800);
        answers.record(1_010, 2_000);

        assertThat(answers.isOverdue(1_000, 2_100)).isFalse();
        assertThat(answers.isOverdue(1_000, 2_500))
                .as("the last answer was long ago")
                .isTrue();
    }

    @Test
    void aCallIsOverdueWhenLaterCallsAreAnswered() {
        answers.record(1_300, 1_600);

        assertThat(answers.isOverdue(1_000, 1_600)).isTrue();
    }
}
