package io.heddle.core.session;

import io.heddle.core.HotPath;
import io.heddle.core.client.Connection;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.mqtt.packet.PubCompPacket;
import io.heddle.core.mqtt.packet.PubRecPacket;
import io.heddle.core.mqtt.packet.PubRelPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.quota.ClientProgress;
import java.util.List;
import java.util.function.Consumer;

/**
 * The QoS 1 and 2 exchanges with one client over one connection. Belongs to the connection's event loop.
 *
 * <p>Everything leaves in the order of its {@link OutboundSource}. A message waits there while the client's send quota is used up
 * and while it does not read. What an earlier connection has sent and not seen acknowledged comes from the source again, with
 * DUP and its old Packet Identifier [MQTT-4.4.0-1], but what it has seen received is released first of all. Bounds: the send quota
 * and {@link InflightWindow}.
 */
@HotPath
final class OutboundMessages {
    /** A client that has acknowledged something within this time makes progress. */
    private static final long PROGRESS_MILLIS = 5_000;

    private static final long NEVER = Long.MIN_VALUE / 2;

    // Dependencies.
    private final Connection connection;
    private final OutboundSource source;
    private final SteadyClock clock;
    private final SessionMetrics metrics;

    private final InflightWindow window;
    private final SendQuota quota;
    // About when the first message was sent.
    private final long firstMillis;
    private long acknowledgements;
    // As of the last time that somebody asked.
    private long acknowledgementsBefore;
    private long progressMillis = NEVER;

    OutboundMessages(
            Connection connection,
            SendQuota quota,
            PacketIdentifiers identifiers,
            OutboundSource source,
            SteadyClock clock,
            SessionMetrics metrics) {
        this.connection = connection;
        this.quota = quota;
        this.window = new InflightWindow(identifiers, source.first());
        this.source = source;
        this.clock = clock;
        this.metrics = metrics;
        this.firstMillis = clock.millis();
    }

    /**
     * Sends PUBREL again for what an earlier connection has seen received. Before anything else is sent.
     *
     * @param received numbers in the order of their PUBRECs, none twice [MQTT-4.6.0-4]
     */
    void releaseAgain(List<Long> received) {
        for (long sequence : received) {
            if (sequence >= window.lowest()) {
                window.releaseEarly(sequence);
                release(sequence);
            }
        }
    }

    private void release(long sequence) {
        // Its PUBCOMP will raise the quota, which must not let more through than the client takes [MQTT-3.3.4-9].
        quota.sent();
        connection.send(release(window.identifier(sequence), ReasonCode.SUCCESS));
    }

    /** How many messages are under way to the client, or wait. */
    long waiting() {
        return window.size() + source.waiting();
    }

    /** Whether a message that comes now would be sent at once. */
    boolean isIdle() {
        return source.isEmpty() && window.hasRoomFor(window.next()) && quota.isFree() && connection.isWritable();
    }

    /** Progress of the client: it acknowledges if a PUBACK or PUBREC has come since the last call or within {@value #PROGRESS_MILLIS} ms. */
    ClientProgress progress() {
        long nowMillis = clock.millis();
        if (acknowledgements != acknowledgementsBefore) {
            acknowledgementsBefore = acknowledgements;
            progressMillis = nowMillis;
        }
        if (nowMillis - progressMillis < PROGRESS_MILLIS) {
            return ClientProgress.ACKNOWLEDGES;
        }
        return acknowledgements == 0 && nowMillis - firstMillis < PROGRESS_MILLIS
                ? ClientProgress.NEW
                : ClientProgress.STALLED;
    }

    /** One above the highest number that was sent or done with over this connection. */
    long next() {
        return window.next();
    }

    /** Sends what may be sent now: called when something has changed. */
    void proceed() {
        while (!source.isEmpty()
                && quota.isFree()
                && connection.isWritable()
                && window.hasRoomFor(source.sequence())
                && source.mayBeTaken()) {
            sendFirst();
        }
    }

    private void sendFirst() {
        long sequence = source.sequence();
        if (window.isReleasedEarly(sequence)) {
            source.take();
            window.skip(sequence);
            source.acknowledgedBelow(window.lowest());
            return;
        }
        if (source.isReceived()) {
            source.take();
            window.addReleased(sequence);
            release(sequence);
            return;
        }
        Outgoing message = source.message();
        boolean duplicate = source.isDuplicate();
        InFlight taken = source.take();
        if (!duplicate && message.message().canExpire() && message.message().isExpiredAt(clock.millis())) {
            window.skip(sequence);
            source.letGo(taken);
            metrics.droppedExpired.increment();
            done(sequence);
            return;
        }
        window.add(sequence, taken);
        metrics.inFlight.increment();
        send(sequence, taken, message, duplicate);
    }

    private void send(long sequence, InFlight taken, Outgoing outgoing, boolean duplicate) {
        PublishMessage message = outgoing.message();
        PublishProperties properties =
                message.canExpire() ? message.propertiesAt(clock.millis()) : message.properties();
        boolean sent = connection.send(new PublishPacket(
                message.topic(),
                PublishPacket.NO_TOPIC_ALIAS,
                outgoing.qos(),
                outgoing.retain(),
                duplicate,
                window.identifier(sequence),
                properties,
                outgoing.terms().subscriptionIdentifiers(),
                message.payload()));
        if (sent) {
            quota.sent();
        } else if (connection.isOpen()) {
            // Above the client's Maximum Packet Size: goes on as if it had been delivered [MQTT-3.1.2-25].
            forget(sequence, taken);
            metrics.droppedTooLarge.increment();
        }
    }

    private void forget(long sequence, InFlight message) {
        window.remove(sequence);
        metrics.inFlight.decrement();
        source.letGo(message);
        done(sequence);
    }

    private void done(long sequence) {
        source.acknowledged(sequence);
        source.acknowledgedBelow(window.doneBelow());
    }

    /**
     * PUBACK has come. What may be sent now is sent by {@link #proceed}, here and below.
     *
     * @throws ProtocolException when it answers a QoS 2 message
     */
    void acknowledged(PubAckPacket packet) {
        long sequence = window.sequence(packet.packetId());
        if (sequence < 0) {
            metrics.acknowledgementsUnknown.increment();
            return;
        }
        InFlight message = window.message(sequence);
        if (message == null || message.qos() != QoS.AT_LEAST_ONCE) {
            throw new ProtocolException(ReasonCode.PROTOCOL_ERROR, "PUBACK for a QoS 2 message");
        }
        forget(sequence, message);
        received(packet.reason());
        quota.acknowledged();
    }

    private void received(ReasonCode answer) {
        acknowledgements++;
        if (answer.isError()) {
            metrics.droppedByClient.increment();
        } else {
            metrics.delivered.increment();
        }
    }

    /**
     * PUBREC has come: answers it when it is remembered, unless the client refused the message [MQTT-4.3.3-4].
     *
     * @throws ProtocolException when it answers a QoS 1 message
     */
    void received(PubRecPacket packet) {
        long sequence = window.sequence(packet.packetId());
        if (sequence < 0) {
            metrics.acknowledgementsUnknown.increment();
            if (!packet.reason().isError()) {
                connection.send(release(packet.packetId(), ReasonCode.PACKET_IDENTIFIER_NOT_FOUND));
            }
            return;
        }
        InFlight message = window.message(sequence);
        if (message == null) {
            if (window.isReleased(sequence)) {
                connection.send(release(packet.packetId(), ReasonCode.SUCCESS));
            }
            return;
        }
        if (message.qos() != QoS.EXACTLY_ONCE) {
            throw new ProtocolException(ReasonCode.PROTOCOL_ERROR, "PUBREC for a QoS 1 message");
        }
        received(packet.reason());
        if (packet.reason().isError()) {
            forget(sequence, message);
            quota.acknowledged();
            return;
        }
        window.received(sequence);
        metrics.inFlight.decrement();
        source.received(sequence, message, () -> {
            window.released(sequence);
            connection.send(release(packet.packetId(), ReasonCode.SUCCESS));
        });
    }

    private static PubRelPacket release(int packetId, ReasonCode reason) {
        return new PubRelPacket(packetId, reason, null, List.of());
    }

    /**
     * PUBCOMP has come.
     *
     * @throws ProtocolException when it answers a message that PUBREC has not answered
     */
    void completed(PubCompPacket packet) {
        long sequence = window.sequence(packet.packetId());
        if (sequence < 0) {
            metrics.acknowledgementsUnknown.increment();
            return;
        }
        if (!window.isReleased(sequence)) {
            throw new ProtocolException(ReasonCode.PROTOCOL_ERROR, "PUBCOMP before PUBREC");
        }
        window.remove(sequence);
        quota.acknowledged();
        done(sequence);
    }

    /** The connection is gone: hands on every message that the client was sent and has not received, in their order. */
    void end(Consumer<InFlight> unacknowledged) {
        for (long sequence = window.lowest(); sequence < window.next(); sequence++) {
            InFlight message = window.message(sequence);
            if (message != null) {
                window.remove(sequence);
                metrics.inFlight.decrement();
                unacknowledged.accept(message);
            }
        }
    }
}
