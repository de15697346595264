package io.heddle.core.delivery.log;

import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Supplies the QoS 1 and 2 messages for one connected client, by rising sequence number: from memory, from the queue of a DEVICE
 * client, or from the log of an APPLICATION client. Owned by the event loop of the connection.
 */
public interface OutboundQueue {
    /** Starts the supply, after CONNACK was sent: a queue or log is not read before. */
    void begin();

    /** The lowest sequence number that the client may not have acknowledged. */
    long first();

    /** The approximate number of messages that were not taken yet. */
    long waiting();

    /** Up to this sequence number a message may have been sent over an earlier connection. */
    long duplicatesUpTo();

    /** The next message without taking it, or null when there is none now; {@link Listener#onMessageAvailable} announces the next one. */
    @Nullable
    Message peek();

    /** The sequence number of the message that {@link #peek} shows. */
    long sequence();

    /** Returns whether the bytes in flight leave room for the message that {@link #peek} shows. */
    default boolean canTake() {
        return true;
    }

    /**
     * Takes the message that {@link #peek} shows.
     *
     * @return stands for the message until it is acknowledged
     */
    InFlight take();

    /** Releases what a taken message holds in memory: the client has received the message, or will never get it. */
    default void release(InFlight message) {}

    /** The client has acknowledged a message completely, or the message will never be sent; lower ones may be in flight. */
    void acknowledged(long sequence);

    /**
     * The client has completely acknowledged all messages below a sequence number.
     *
     * @param lowest the lowest sequence number that the client may not have acknowledged
     */
    void acknowledgedBelow(long lowest);

    /**
     * The client has answered a QoS 2 message with PUBREC.
     *
     * @param remembered runs on the event loop once the PUBREC is durable, or at once if the session is not persistent; never after the
     *     queue has ended or failed
     */
    void received(long sequence, InFlight message, Runnable remembered);

    /** Ends the supply and passes on all acknowledgements, because the connection is lost. */
    void end();

    /**
     * Completes, after {@link #end}, when another node may supply the session: it finds all acknowledgements, or they are lost. Never fails.
     * On any thread.
     */
    default CompletionStage<Void> whenPassedOn() {
        return CompletableFuture.completedStage(null);
    }

    interface Message {
        /** The published message. */
        PublishMessage message();

        /** The QoS of the delivery, 1 or 2. */
        QoS qos();

        /** The RETAIN flag that the client sees. */
        boolean retain();

        List<Integer> subscriptionIdentifiers();

        /** Returns whether an earlier connection may have sent the message. */
        boolean duplicate();

        /** Returns whether an earlier connection received PUBREC for the message; the broker then sends only PUBREL. */
        boolean received();
    }

    /** A message of a queue or a log, which keeps the message until the client has acknowledged it. */
    record StoredMessage(
            long sequence,
            PublishMessage message,
            QoS qos,
            boolean retain,
            List<Integer> subscriptionIdentifiers,
            boolean duplicate,
            boolean received)
            implements Message {}

    /** A message that was sent and is not acknowledged. */
    interface InFlight {
        /** The QoS of the delivery, 1 or 2. */
        QoS qos();
    }

    /** Represents a {@link StoredMessage} in flight without holding it in memory. */
    enum StoredInFlight implements InFlight {
        AT_LEAST_ONCE(QoS.AT_LEAST_ONCE),
        EXACTLY_ONCE(QoS.EXACTLY_ONCE);

        private final QoS qos;

        StoredInFlight(QoS qos) {
            this.qos = qos;
        }

        /** The representative of a message with this QoS, 1 or 2. */
        public static StoredInFlight of(QoS qos) {
            return qos == QoS.EXACTLY_ONCE ? EXACTLY_ONCE : AT_LEAST_ONCE;
        }

        @Override
        public QoS qos() {
            return qos;
        }
    }

    /** Receives the events of a queue, on the event loop. */
    interface Listener {
        /** A message is available where there was none, or the queue is full. */
        void onMessageAvailable();

        /**
         * The connection must be closed: another connection has taken the session over, or the store has rejected a request permanently.
         *
         * @param code for the client, which may connect again at once unless its session was taken over
         * @param reason for the log
         */
        void onQueueLost(ReasonCode code, String reason);
    }
}
