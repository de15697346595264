package io.heddle.core.delivery.log;

import io.heddle.core.client.ClientId;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Something to be written to a log, where it must survive. */
public sealed interface LogAppend {
    /** A command for a bucket. */
    record ToBucket(int bucket, BucketCommand command) implements LogAppend {}

    /**
     * A message for the log of an APPLICATION client's session.
     *
     * @param generation of the session
     * @param qos that of the delivery, 1 or 2
     * @param retain the RETAIN flag that the client sees
     * @param subscriptionIdentifiers of the subscriptions that match
     */
    record ToApplication(
            ClientId clientId,
            long generation,
            PublishMessage message,
            QoS qos,
            boolean retain,
            List<Integer> subscriptionIdentifiers)
            implements LogAppend {
        public ToApplication {
            subscriptionIdentifiers = List.copyOf(subscriptionIdentifiers);
        }
    }

    /**
     * A command that the queues of its bucket have rejected for good, set aside for a person to look at.
     *
     * @param offset of the command in the log of its bucket
     * @param reason the answer of the store
     */
    record ToDeadLetters(int bucket, long offset, BucketCommand command, String reason) implements LogAppend {}

    /** The retained message of a topic, or null when there is to be none. */
    record ToRetained(TopicName topic, @Nullable PublishMessage message) implements LogAppend {}
}
