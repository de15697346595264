package io.heddle.core.operator.trace;

import static io.heddle.core.operator.trace.TraceFormat.ANSWER;
import static io.heddle.core.operator.trace.TraceFormat.QUESTION;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.AddressRange;
import io.heddle.core.client.event.EventValues;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.operator.trace.NodeTrace.Unconfirmed;
import io.heddle.core.operator.trace.TraceFormat.Answer;
import io.heddle.core.operator.trace.TraceFormat.Question;
import io.heddle.core.operator.trace.TraceFormat.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class TraceFormatTest {
    private static final UUID ID = new UUID(1, -2);
    private static final TraceEvent EVENT = new TraceEvent(
            1_000,
            new EventValues()
                    .with("event", "packet")
                    .with("qos", 2)
                    .with("retain", true)
                    .with("reasons", List.of("success", "not_authorized"))
                    .with(
                            "properties",
                            new EventValues()
                                    .with("userProperties", List.of(Map.of("name", "colour")))
                                    .with("subscriptionIdentifiers", List.of(7L))));

    private static Answer answer(List<TraceEvent> events) {
        return new Answer(State.RUNNING, "", -5, new Unconfirmed(4, events, 3, 2));
    }

    @Test
    void aQuestionIsReadAsItWasWritten() {
        TraceFilter filter = new TraceFilter("c", "", AddressRange.parse("10.0.0.0/8"), TopicFilter.parse("a/+/#", 8));

        Question read = QUESTION.decode(QUESTION.encode(new Question(ID, "ada", -5, 4, true, filter)));

        assertThat(read.id()).isEqualTo(ID);
        assertThat(read.begin()).isEqualTo(-5);
        assertThat(read.received()).isEqualTo(4);
        assertThat(read.hasPayloads()).isTrue();
        assertThat(String.valueOf(read.filter())).isEqualTo(filter.toString());
        TraceFilter everyone = new TraceFilter(null, null, null, null);
        assertThat(QUESTION.decode(QUESTION.encode(new Question(ID, "ada", 0, 0, false, everyone))))
                .isEqualTo(new Question(ID, "ada", 0, 0, false, everyone));
        assertThat(QUESTION.decode(QUESTION.encode(Question.toEnd(ID)))).isEqualTo(Question.toEnd(ID));
    }

    @Test
    void anAnswerIsReadAsItWasWritten() {
        Answer answer = answer(List.of(EVENT, EVENT));

        assertThat(ANSWER.decode(answer.encode(10_000))).isEqualTo(answer);
        assertThat(ANSWER.decode(Answer.without(State.FULL).encode(10_000)).state())
                .isEqualTo(State.FULL);
        assertThat(ANSWER.decode(Answer.endedBy("root").encode(10_000))).isEqualTo(Answer.endedBy("root"));
    }

    @Test
    void anAnswerHasAsManyEventsAsFit() {
        List<TraceEvent> events = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            events.add(new TraceEvent(i, new EventValues().with("number", i)));
        }

        byte[] encoded = answer(events).encode(1_000);

        assertThat(encoded).hasSizeLessThanOrEqualTo(1_000);
        List<TraceEvent> read = ANSWER.decode(encoded).found().events();
        assertThat(read).hasSizeBetween(20, 99).isEqualTo(events.subList(0, read.size()));
    }
}
