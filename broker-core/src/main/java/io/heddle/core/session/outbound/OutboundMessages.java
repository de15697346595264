package io.heddle.core.session.outbound;

import io.heddle.core.HotPath;
import io.heddle.core.authorization.decision.ClientRules;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.Connection;
import io.heddle.core.client.PastMessages;
import io.heddle.core.client.activity.LoopActivity;
import io.heddle.core.client.ledger.LoopLedger;
import io.heddle.core.delivery.log.OutboundQueue;
import io.heddle.core.delivery.log.OutboundQueue.InFlight;
import io.heddle.core.delivery.log.OutboundQueue.Message;
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
import org.jspecify.annotations.Nullable;

/**
 * The QoS 1 and 2 exchanges with one client over one connection. Owned by the connection's event loop.
 *
 * <p>Messages are sent in the order of their {@link OutboundQueue}. They wait there while the client's send quota is used up and while the
 * client does not read. A message that an earlier connection has sent without an acknowledgement comes from the queue again, with DUP and
 * its old Packet Identifier [MQTT-4.4.0-1]; a message that the client has already answered with PUBREC is released before all others.
 * Bounds: the send quota and {@link InflightWindow}.
 */
@HotPath
public final class OutboundMessages {
    /** A client that has acknowledged a message within this time makes progress. */
    private static final long PROGRESS_MILLIS = 5_000;

    private static final long NEVER = Long.MIN_VALUE / 2;

    // Dependencies.
    private final ClientId clientId;
    private final ClientRules rules;
    private final Connection connection;
    private final DeliveryPath path;
    private final OutboundQueue queue;
    private final OutboundQueue.Listener listener;
    private final Outbox outbox;
    private final SteadyClock clock;
    private final SessionMetrics metrics;
    private final LoopActivity activity;
    private final LoopLedger ledger;
    private final DeliverySpans spans;

    private final InflightWindow window;
    private final SendQuota quota;
    // Approximately the time at which the first message was sent.
    private final long firstMillis;
    // Stored messages that have arrived earlier were published while the client was away.
    private final long connectedMicros;
    // Null until a message is sent under a limit of the rules.
    private @Nullable DeliveryRate rate;
    private long acknowledgements;
    // The time since which a message has always waited for the client; 0 if none waits.
    private long behindSinceMillis;
    // As of the latest call of progress().
    private long acknowledgementsBefore;
    private long progressMillis = NEVER;

    OutboundMessages(
            ClientId clientId,
            ClientRules rules,
            Connection connection,
            SendQuota quota,
            PacketIdentifiers identifiers,
            DeliveryPath path,
            OutboundQueue queue,
            OutboundQueue.Listener listener,
            Outbox outbox,
            OutboundServices services) {
        this.clientId = clientId;
        this.rules = rules;
        this.connection = connection;
        this.quota = quota;
        this.window = new InflightWindow(identifiers, queue.first());
        this.path = path;
        this.queue = queue;
        this.listener = listener;
        this.outbox = outbox;
        this.clock = services.clock();
        this.metrics = services.metrics();
        this.activity = metrics.activity().of(connection.eventLoop());
        this.ledger = metrics.ledger().of(connection.eventLoop());
        this.spans = DeliverySpans.of(metrics.tracing());
        this.firstMillis = clock.millis();
        this.connectedMicros = path == DeliveryPath.DIRECT ? Long.MIN_VALUE : clock.micros();
    }

    /**
     * Resends PUBREL for the messages that the client answered with PUBREC over earlier connections. Called before anything else is sent.
     *
     * @param received distinct sequence numbers in the order of their PUBRECs [MQTT-4.6.0-4]
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
        // PUBCOMP will raise the quota, which must not exceed the client's Receive Maximum [MQTT-3.3.4-9].
        quota.sent();
        connection.send(release(window.identifier(sequence), ReasonCode.SUCCESS));
    }

    /** The number of messages in flight or waiting. */
    public long waiting() {
        return window.size() + queue.waiting();
    }

    /** Returns the number of messages that were sent and are not acknowledged. */
    int inFlight() {
        return window.size();
    }

    /** Returns the time since which a message has always waited for the client, in milliseconds since 1970; 0 if none waits. */
    long behindSinceMillis() {
        return behindSinceMillis;
    }

    /** Returns whether a further message would be sent at once. */
    boolean isIdle() {
        return queue.peek() == null && window.hasRoomFor(window.next()) && quota.isFree() && isReady();
    }

    private boolean isReady() {
        return connection.isWritable() && !isPaused();
    }

    /** Returns whether no PUBLISH may be sent now, because of a limit of the rules. */
    boolean isPaused() {
        return rate != null && rate.isPaused();
    }

    /** Counts a PUBLISH of a client with limits for its deliveries. */
    void sent(PublishMessage message) {
        DeliveryRate present = rate;
        if (present == null) {
            present = new DeliveryRate(clientId, connection.eventLoop(), listener, metrics);
            rate = present;
        }
        present.sent(message, rules.limits().delivered());
    }

    /** Ends a pause, because the limits may have changed. */
    void endPause() {
        if (rate != null) {
            rate.resume();
        }
    }

    /** The client's progress: a PUBACK or PUBREC since the last call or within {@value #PROGRESS_MILLIS} ms counts as progress. */
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

    /** One above the highest sequence number that was sent or skipped over this connection. */
    long next() {
        return window.next();
    }

    /** Sends what may be sent now. Called after every change of the queue, the window, the quota or the connection. */
    void proceed() {
        for (Message next = queue.peek(); next != null; next = queue.peek()) {
            if (!quota.isFree() || !isReady() || !window.hasRoomFor(queue.sequence()) || !queue.canTake()) {
                if (behindSinceMillis == 0) {
                    behindSinceMillis = clock.millis();
                }
                return;
            }
            send(queue.sequence(), next);
        }
        behindSinceMillis = 0;
    }

    private void send(long sequence, Message message) {
        if (window.isReleasedEarly(sequence)) {
            queue.take();
            window.skip(sequence);
            queue.acknowledgedBelow(window.lowest());
            return;
        }
        if (message.received()) {
            queue.take();
            window.addReleased(sequence);
            release(sequence);
            return;
        }
        InFlight taken = queue.take();
        if (path != DeliveryPath.DIRECT) {
            ledger.read();
        }
        DropReason unsendable = unsendable(message);
        if (unsendable != null) {
            window.skip(sequence);
            queue.release(taken);
            outbox.drops().add(unsendable, message.qos(), message.message());
            done(sequence);
            return;
        }
        window.add(sequence, taken);
        ledger.inFlight(1);
        send(sequence, taken, message);
    }

    private @Nullable DropReason unsendable(Message message) {
        if (!rules.mayReceive(message.message().topic(), message.qos())) {
            return metrics.droppedDenied;
        }
        return !message.duplicate()
                        && message.message().canExpire()
                        && message.message().isExpiredAt(clock.millis())
                ? metrics.droppedExpired
                : null;
    }

    private void send(long sequence, InFlight taken, Message outbound) {
        PublishMessage message = outbound.message();
        PublishProperties properties =
                message.canExpire() ? message.propertiesAt(clock.millis()) : message.properties();
        boolean sent = connection.send(new PublishPacket(
                message.topic(),
                PublishPacket.NO_TOPIC_ALIAS,
                outbound.qos(),
                outbound.retain(),
                outbound.duplicate(),
                window.identifier(sequence),
                properties,
                outbound.subscriptionIdentifiers(),
                message.payload()));
        if (sent) {
            quota.sent();
            spans.sent(sequence, clientId, outbound);
            activity.delivered(clientId, message.topic(), message.payload().length());
            if (rules.limitDeliveries()) {
                sent(message);
            }
            outbox.remember(message, outbound.qos(), window.identifier(sequence), outbound.duplicate());
            if (message.arrivedMicros() >= connectedMicros && !outbound.duplicate()) {
                metrics.latency().delivered(path, outbound.qos(), message, clock);
            }
        } else if (connection.isOpen()) {
            // Above the client's Maximum Packet Size: handled as if it had been delivered [MQTT-3.1.2-25].
            complete(sequence, taken);
            outbox.drops().add(metrics.droppedTooLarge, outbound.qos(), message);
        }
    }

    private void complete(long sequence, InFlight message) {
        window.remove(sequence);
        ledger.inFlight(-1);
        queue.release(message);
        done(sequence);
    }

    private void done(long sequence) {
        queue.acknowledged(sequence);
        queue.acknowledgedBelow(window.doneBelow());
    }

    /**
     * PUBACK has come. The caller calls {@link Outbox#proceed} afterwards, here and below.
     *
     * @throws ProtocolException when PUBACK answers a QoS 2 message
     */
    public void acknowledged(PubAckPacket packet) {
        long sequence = window.sequence(packet.packetId());
        if (sequence < 0) {
            metrics.acknowledgementsUnknown.increment();
            return;
        }
        InFlight message = window.message(sequence);
        if (message == null || message.qos() != QoS.AT_LEAST_ONCE) {
            throw new ProtocolException(ReasonCode.PROTOCOL_ERROR, "PUBACK for a QoS 2 message");
        }
        complete(sequence, message);
        received(sequence, packet.packetId(), packet.reason(), message);
        quota.acknowledged();
    }

    private void received(long sequence, int packetId, ReasonCode answer, InFlight message) {
        acknowledgements++;
        spans.answered(sequence, message.qos(), answer);
        PastMessages.OfClient past = outbox.past();
        if (answer.isError()) {
            outbox.drops().add(metrics.droppedByClient, message, past == null ? null : past.refused(packetId));
            return;
        }
        ledger.delivered(1);
        if (past != null) {
            past.acknowledged(clock.millis(), packetId);
        }
    }

    /**
     * PUBREC has come: answers with PUBREL once the PUBREC is stored, unless the client refused the message [MQTT-4.3.3-4].
     *
     * @throws ProtocolException when PUBREC answers a QoS 1 message
     */
    public void received(PubRecPacket packet) {
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
        received(sequence, packet.packetId(), packet.reason(), message);
        if (packet.reason().isError()) {
            complete(sequence, message);
            quota.acknowledged();
            return;
        }
        window.received(sequence);
        ledger.inFlight(-1);
        queue.received(sequence, message, () -> {
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
     * @throws ProtocolException when PUBCOMP comes before PUBREC
     */
    public void completed(PubCompPacket packet) {
        long sequence = window.sequence(packet.packetId());
        if (sequence < 0) {
            metrics.acknowledgementsUnknown.increment();
            return;
        }
        if (!window.isReleased(sequence)) {
            throw new ProtocolException(ReasonCode.PROTOCOL_ERROR, "PUBCOMP before PUBREC");
        }
        window.remove(sequence);
        spans.completed(sequence);
        quota.acknowledged();
        done(sequence);
    }

    /** The connection is lost: passes on every message that the client was sent and has not received, in their order. */
    void end(Consumer<InFlight> unacknowledged) {
        if (rate != null) {
            rate.end();
        }
        spans.end();
        for (long sequence = window.lowest(); sequence < window.next(); sequence++) {
            InFlight message = window.message(sequence);
            if (message != null) {
                window.remove(sequence);
                ledger.inFlight(-1);
                unacknowledged.accept(message);
            }
        }
    }
}
