package io.heddle.core.delivery.log;

import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the QoS 1 and 2 messages of one persistent session come from while its client is connected. Belongs to the event loop of
 * the connection; each message has a number, and they come by rising number.
 */
public interface OutboundFeed {
    /** The client may be sent messages: only from here on anything is read. */
    void begin();

    /** The lowest number that the client may not have acknowledged. */
    long first();

    /** About how many messages there are that were not taken. */
    long waiting();

    /** Up to this number a message may have been sent over an earlier connection. */
    long duplicatesUpTo();

    /** The next message without taking it, or null when there is none now: {@link Listener#feedReady} says when there is. */
    @Nullable
    Fed peek();

    /** Takes what {@link #peek} showed. */
    void take();

    /** The client has acknowledged a message for good, or it will never be sent; lower ones may be under way. */
    void acknowledged(long sequence);

    /**
     * The client has acknowledged everything below a number, for good.
     *
     * @param lowest the lowest number that it may not have acknowledged
     */
    void acknowledgedBelow(long lowest);

    /**
     * The client has answered a QoS 2 message with PUBREC.
     *
     * @param remembered runs on the event loop once that outlives a crash; never when the feed has ended or can't go on
     */
    void received(long sequence, Runnable remembered);

    /** The client is gone: nothing is fed any more, and what was acknowledged is passed on. */
    void end();

    /**
     * A message for the client.
     *
     * @param sequence its number
     * @param qos that of the delivery, 1 or 2
     * @param retain the RETAIN flag that the client sees
     * @param duplicate whether it may have been sent before
     * @param received whether PUBREC has come for it: then only PUBREL is sent
     */
    record Fed(
            long sequence,
            PublishMessage message,
            QoS qos,
            boolean retain,
            List<Integer> subscriptionIdentifiers,
            boolean duplicate,
            boolean received) {}

    /** Hears of a feed, on the event loop. */
    interface Listener {
        /** There is a message, where there was none. */
        void feedReady();

        /**
         * The session belongs to another connection now, or its store refuses for good: the connection must go.
         *
         * @param code for the client, which may connect again at once unless its session was taken over
         * @param reason for the log
         */
        void feedLost(ReasonCode code, String reason);
    }
}
