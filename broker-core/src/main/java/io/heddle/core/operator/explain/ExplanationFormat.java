package io.heddle.core.operator.explain;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.PastMessages.Remembered;
import io.heddle.core.message.frame.RecordFormat;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The question about deliveries to a client, and its answer. */
final class ExplanationFormat {
    static final RecordFormat<Question> QUESTION = RecordFormat.of(Question.class);
    static final RecordFormat<Answer> ANSWER = RecordFormat.of(Answer.class);

    private ExplanationFormat() {}

    /** @param sinceMillis the time of the first past messages; the highest number if none are asked for */
    record Question(ClientId clientId, TopicName topic, QoS qos, long sinceMillis) {}

    /**
     * The answer of a node.
     *
     * @param startMillis since when the node can remember anything, in milliseconds since 1970
     * @param lastDisconnectionMillis of the client from the node; 0 if there was none for a day
     * @param ended the ids of nodes that have left or were declared dead since the node has started, with the time
     * @param remembered the messages that the client has missed, and its deliveries on the topic since the time that is asked for; null if the
     *     node remembers nothing
     * @param delivery null if the client is not connected to the node
     */
    record Answer(
            long startMillis,
            long lastDisconnectionMillis,
            Map<String, Long> ended,
            @Nullable Remembered remembered,
            List<Contender> contenders,
            @Nullable Delivery delivery) {
        byte[] encode(int maximumBytes) {
            Delivery found = delivery;
            if (found == null) {
                return ANSWER.encode(this);
            }
            // Each half of the rest has a part of the room, because filters may be long.
            int others = ANSWER.encode(with(found.with(List.of(), List.of()))).length;
            int half = (maximumBytes - others) / 2;
            return ANSWER.encode(with(found.with(
                    RecordFormat.fitting(found.matching(), half), RecordFormat.fitting(found.similar(), half))));
        }

        private Answer with(Delivery other) {
            return new Answer(startMillis, lastDisconnectionMillis, ended, remembered, contenders, other);
        }
    }
}
