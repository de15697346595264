package io.heddle.core.delivery.log;

import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The source of the QoS 1 and 2 messages of one persistent session while its client is connected. Belongs to the event loop of the
 * connection. Each message has a sequence number; messages are fed in ascending order.
 */
public interface OutboundFeed {
    /** Starts reading, once the client may be sent messages. */
    void begin();

    /** The lowest sequence number that is not acknowledged. */
    long first();

    /** The approximate number of messages that were not taken. */
    long waiting();

    /** The highest sequence number that may have been sent over an earlier connection. */
    long duplicatesUpTo();

    /** Returns the next message without taking it, or null when there is none; {@link Listener#feedReady} reports the next one. */
    @Nullable
    Fed peek();

    /** Takes the message that {@link #peek} returned. */
    void take();

    /** Marks a message as fully acknowledged, or as never to be sent. Lower ones may be in flight. */
    void acknowledged(long sequence);

    /**
     * Marks everything below a sequence number as fully acknowledged.
     *
     * @param lowest the lowest sequence number that may not be acknowledged
     */
    void acknowledgedBelow(long lowest);

    /**
     * Stores that the client has answered a QoS 2 message with PUBREC.
     *
     * @param remembered runs on the event loop once this is durable; never after the feed has ended or failed
     */
    void received(long sequence, Runnable remembered);

    /** Stops feeding and flushes acknowledgements, after the client has disconnected. */
    void end();

    /**
     * A message for the client.
     *
     * @param qos of the delivery, 1 or 2
     * @param retain the RETAIN flag of the delivery
     * @param duplicate whether the message may have been sent before
     * @param received whether PUBREC has arrived, so that only PUBREL is sent
     */
    record Fed(
            long sequence,
            PublishMessage message,
            QoS qos,
            boolean retain,
            List<Integer> subscriptionIdentifiers,
            boolean duplicate,
            boolean received) {}

    /** Receives events of a feed, on the event loop. */
    interface Listener {
        /** A message is available after there was none. */
        void feedReady();

        /**
         * The feed has failed permanently or another connection owns the session: the connection must be closed.
         *
         * @param code for the client, which may connect again at once unless its session was taken over
         * @param reason for the log
         */
        void feedLost(ReasonCode code, String reason);
    }
}
