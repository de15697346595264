package io.heddle.api.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RecentAnswersTest {
    private long nanos;
    private int asked;
    private final RecentAnswers<Integer, Integer> answers = new RecentAnswers<>(() -> nanos);

    private Integer find() {
        asked++;
        return asked;
    }

    @Test
    void anAnswerIsGivenAgainForSomeSeconds() {
        assertThat(answers.get(1, this::find)).isEqualTo(1);
        nanos += Duration.ofSeconds(RecentAnswers.SECONDS).toNanos() - 1;
        assertThat(answers.get(1, this::find)).isEqualTo(1);
        nanos++;
        assertThat(answers.get(1, this::find)).isEqualTo(2);
    }

    @Test
    void anotherQuestionHasAnotherAnswer() {
        assertThat(answers.get(1, this::find)).isEqualTo(1);
        assertThat(answers.get(2, this::find)).isEqualTo(2);
    }

    @Test
    void aQuestionAboveTheBoundIsAnsweredAnew() {
        for (int i = 0; i < RecentAnswers.MAXIMUM_ANSWERS; i++) {
            answers.get(i, this::find);
        }

        answers.get(-1, this::find);
        answers.get(-1, this::find);

        assertThat(asked).isEqualTo(RecentAnswers.MAXIMUM_ANSWERS + 2);
    }
}
