package io.heddle.core.session;

import io.heddle.core.HotPath;
import io.heddle.core.backpressure.Inflow;
import io.heddle.core.backpressure.SlowReader;
import io.heddle.core.client.Connection;
import io.heddle.core.client.activity.LoopActivity;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.session.outbound.DeliveryPath;
import io.heddle.core.session.outbound.DeliverySpans;
import io.heddle.core.session.outbound.Outbox;
import io.heddle.core.session.outbound.SessionMetrics;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends the QoS 0 messages of a connection, or drops and counts them: they do not wait for a client. Owned by the connection's event loop.
 * Bound: the unsent output of the connection ({@link Connection#hasRoomFor}). While it is congested, publishers are paused for a time.
 */
@HotPath
final class AtMostOnceOutput {
    private final ClientSession session;
    private final Connection connection;
    private final SessionServices services;
    private final LoopActivity activity;
    private @Nullable SlowReader slowReader;

    AtMostOnceOutput(ClientSession session, Connection connection, SessionServices services) {
        this.session = session;
        this.connection = connection;
        this.services = services;
        this.activity = services.metrics().activity().of(connection.eventLoop());
    }

    /** Sends a message while the connection is open. Returns whether it was sent; the caller counts sent messages. */
    boolean send(PublishMessage message, boolean retain, List<Integer> subscriptionIdentifiers) {
        SessionMetrics metrics = services.metrics();
        Outbox outbox = session.outbox();
        boolean isLimited = session.rules().limitDeliveries();
        if (isLimited && outbox.isPaused()) {
            return outbox.dropped(metrics.droppedRateLimited, QoS.AT_MOST_ONCE, message);
        }
        boolean large = message.payload().length() >= Connection.LARGE_PAYLOAD_BYTES;
        if ((large || !connection.isWritable()) && !admits(message)) {
            return outbox.dropped(metrics.droppedSlowConsumer, QoS.AT_MOST_ONCE, message);
        }
        PublishPacket packet = packet(message, retain, subscriptionIdentifiers);
        if (packet == null) {
            return outbox.dropped(metrics.droppedExpired, QoS.AT_MOST_ONCE, message);
        }
        if (!connection.send(packet)) {
            return outbox.dropped(
                    connection.isOpen() ? metrics.droppedTooLarge : metrics.droppedDisconnected,
                    QoS.AT_MOST_ONCE,
                    message);
        }
        if (isLimited) {
            outbox.sentAtMostOnce(message);
        }
        activity.delivered(
                session.clientId(), message.topic(), message.payload().length());
        outbox.remember(message, QoS.AT_MOST_ONCE, PublishPacket.NO_PACKET_ID, false);
        DeliverySpans.sentAtMostOnce(metrics.tracing(), session.clientId(), message);
        metrics.latency().delivered(DeliveryPath.DIRECT, QoS.AT_MOST_ONCE, message, services.clock());
        return true;
    }

    /** Returns whether there is room for a large message, or one to a slow client. Holds the publisher while that client is congested. */
    private boolean admits(PublishMessage message) {
        if (!connection.isWritable()) {
            holdPublisher(message);
        }
        return connection.hasRoomFor(message.payload());
    }

    private void holdPublisher(PublishMessage message) {
        SlowReader slow = slowReader;
        if (slow == null) {
            slow = new SlowReader(connection, services.settings().slowReaderPatience());
            slowReader = slow;
        }
        if (slow.isPausing()) {
            Inflow publisher = session.others().inflowOf(message.publisher());
            if (publisher != null && slow.pause(publisher)) {
                services.metrics().publishersPaused.increment();
            }
        }
    }

    private @Nullable PublishPacket packet(
            PublishMessage message, boolean retain, List<Integer> subscriptionIdentifiers) {
        PublishProperties properties = message.properties();
        if (message.canExpire()) {
            long nowMillis = services.clock().millis();
            if (message.isExpiredAt(nowMillis)) {
                return null;
            }
            properties = message.propertiesAt(nowMillis);
        }
        return new PublishPacket(
                message.topic(),
                PublishPacket.NO_TOPIC_ALIAS,
                QoS.AT_MOST_ONCE,
                retain,
                false,
                PublishPacket.NO_PACKET_ID,
                properties,
                subscriptionIdentifiers,
                message.payload());
    }

    /** The client reads its output again. */
    void onWritable() {
        if (slowReader != null) {
            slowReader.onWritable();
        }
    }

    /** The connection is lost. */
    void end() {
        if (slowReader != null) {
            slowReader.end();
        }
    }
}
