package io.heddle.core.operator.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.client.AddressRange;
import io.heddle.core.client.event.EventValues;
import io.heddle.core.message.frame.MalformedFrameException;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.operator.trace.NodeTrace.Unconfirmed;
import io.heddle.core.operator.trace.TraceFormat.Answer;
import io.heddle.core.operator.trace.TraceFormat.Question;
import io.heddle.core.operator.trace.TraceFormat.State;
import java.util.ArrayList;
import java.util.Arrays;
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

        Question read = Question.decode(new Question(ID, "ada", -5, 4, true, filter).encode());

        assertThat(read.id()).isEqualTo(ID);
        assertThat(read.begin()).isEqualTo(-5);
        assertThat(read.received()).isEqualTo(4);
        assertThat(read.hasPayloads()).isTrue();
        assertThat(String.valueOf(read.filter())).isEqualTo(filter.toString());
        TraceFilter everyone = new TraceFilter(null, null, null, null);
        assertThat(Question.decode(new Question(ID, "ada", 0, 0, false, everyone).encode()))
                .isEqualTo(new Question(ID, "ada", 0, 0, false, everyone));
        assertThat(Question.decode(Question.toEnd(ID).encode())).isEqualTo(Question.toEnd(ID));
    }

    @Test
    void anAnswerIsReadAsItWasWritten() {
        Answer answer = answer(List.of(EVENT, EVENT));

        assertThat(Answer.decode(answer.encode(10_000))).isEqualTo(answer);
        assertThat(Answer.decode(Answer.without(State.FULL).encode(10_000)).state())
                .isEqualTo(State.FULL);
        assertThat(Answer.decode(Answer.endedBy("root").encode(10_000))).isEqualTo(Answer.endedBy("root"));
    }

    @Test
    void anAnswerHasAsManyEventsAsFit() {
        List<TraceEvent> events = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            events.add(new TraceEvent(i, new EventValues().with("number", i)));
        }

        byte[] encoded = answer(events).encode(1_000);

        assertThat(encoded).hasSizeLessThanOrEqualTo(1_000);
        List<TraceEvent> read = Answer.decode(encoded).found().events();
        assertThat(read).hasSizeBetween(30, 99).isEqualTo(events.subList(0, read.size()));
    }

    @Test
    void whatCannotBeReadIsMalformed() {
        byte[] question = new Question(ID, "ada", 0, 0, true, new TraceFilter("c", null, null, null)).encode();
        byte[] answer = answer(List.of(EVENT)).encode(10_000);
        for (int length = 0; length < answer.length; length++) {
            byte[] cut = Arrays.copyOf(answer, length);
            assertThatThrownBy(() -> Answer.decode(cut)).isInstanceOf(MalformedFrameException.class);
        }
        for (int length = 0; length < question.length; length++) {
            byte[] cut = Arrays.copyOf(question, length);
            assertThatThrownBy(() -> Question.decode(cut)).isInstanceOf(MalformedFrameException.class);
        }
        answer[1] = 9;
        assertThatThrownBy(() -> Answer.decode(answer))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessageContaining("its state is 9");
    }

    @Test
    void valuesThatAreNestedTooDeeplyAreMalformed() {
        Object nested = "text";
        for (int i = 0; i < 100; i++) {
            nested = List.of(nested);
        }
        byte[] answer =
                answer(List.of(new TraceEvent(1, Map.of("nested", nested)))).encode(10_000);

        assertThatThrownBy(() -> Answer.decode(answer))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessageContaining("nested too deeply");
    }
}
