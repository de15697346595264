package io.heddle.core.delivery.log;

import io.heddle.core.client.ClientId;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A record to append to a durable log. */
public sealed interface LogAppend {
    /** Returns the number of sessions for which the record brings a message. */
    default int copies() {
        return 0;
    }

    record ToBucket(int bucket, BucketCommand command) implements LogAppend {
        @Override
        public int copies() {
            return command instanceof BucketCommand.Enqueue enqueue
                    ? enqueue.recipients().size()
                    : 0;
        }
    }

    /**
     * A message for the log of an APPLICATION client's session.
     *
     * @param generation of the session
     * @param qos of the delivery, 1 or 2
     * @param retain the RETAIN flag of the delivery
     * @param subscriptionIdentifiers of the matching subscriptions
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

        @Override
        public int copies() {
            return 1;
        }
    }

    /**
     * A command that the queues have rejected permanently, kept for the operator.
     *
     * @param offset of the command in its bucket log
     * @param reason the error of the store
     */
    record ToDeadLetters(int bucket, long offset, BucketCommand command, String reason) implements LogAppend {}

    /** The retained message of a topic; null removes it. */
    record ToRetained(TopicName topic, @Nullable PublishMessage message) implements LogAppend {}

    /**
     * A change of the log of clients. Committed together with messages, never appended.
     *
     * @param bucket of the client
     */
    record ToClients(int bucket, ClientStateChange change) implements LogAppend {}

    /** A change of the log of clients, which a higher package defines. */
    interface ClientStateChange {}
}
