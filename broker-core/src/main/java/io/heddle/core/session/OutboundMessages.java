package io.heddle.core.session;

import io.heddle.core.HotPath;
import io.heddle.core.client.Connection;
import io.heddle.core.client.EventLoop;
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
import io.heddle.core.quota.MemoryAccount;
import io.heddle.core.subscription.Room;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The QoS 1 and 2 messages on their way to one client: those that wait, and those that are in flight. Belongs to the session's
 * event loop and outlives its connections; what was in flight on one is sent again on the next, with DUP and its old Packet
 * Identifier [MQTT-4.4.0-1].
 *
 * <p>Everything leaves in the order in which it came. A message waits while the client's send quota is used up, while it does not
 * read, and while it is away. Bounds: {@link WaitingMessages} and the send quota; every message held has taken its bytes from the
 * node's memory.
 */
@HotPath
final class OutboundMessages {
    // Dependencies.
    private final MemoryAccount memory;
    private final SteadyClock clock;
    private final SessionMetrics metrics;

    // Of the session.
    private final InflightWindow window = new InflightWindow(PacketIdentifiers.IN_MEMORY);
    private final WaitingMessages waiting;
    private final ExpirySweep sweep;

    // Of the connection.
    private @Nullable Connection connection;
    private SendQuota quota = new SendQuota(1);
    // What is in the window from here on has not been sent on this connection.
    private long unsent;

    OutboundMessages(QueueLimits limits, MemoryAccount memory, SteadyClock clock, SessionMetrics metrics) {
        this.memory = memory;
        this.clock = clock;
        this.metrics = metrics;
        this.waiting = new WaitingMessages(limits, memory, clock, metrics);
        this.sweep = new ExpirySweep(waiting, clock);
    }

    /** The client is there: sends what it has not acknowledged, and then what waits. */
    void attach(Connection connected, SendQuota fresh) {
        connection = connected;
        quota = fresh;
        unsent = window.lowest();
        for (long sequence : window.released()) {
            // Its PUBCOMP will raise the quota, which must not let more through than the client takes [MQTT-3.3.4-9].
            quota.sent();
            connected.send(release(window.identifier(sequence), ReasonCode.SUCCESS));
        }
        proceed();
    }

    /** The client is gone. */
    void detach() {
        connection = null;
    }

    /** The client has gone: drops what there is no room for while it is away. */
    void fitAbsence() {
        waiting.fitAbsence();
    }

    /** The session has come to this event loop, or was there already. */
    void enterLoop(EventLoop eventLoop) {
        sweep.arrange(eventLoop);
    }

    /** The session leaves its event loop. */
    void leaveLoop() {
        sweep.stop();
    }

    /** Takes a message for the client, to send it now or later, on the session's event loop. */
    void deliver(Outgoing message, EventLoop eventLoop) {
        if (!memory.tryTake(message.bytes())) {
            metrics.droppedMemory.increment();
            return;
        }
        Connection open = connection;
        if (open != null && waiting.isEmpty() && maySendNext(open)) {
            sendNew(open, message);
        } else {
            waiting.add(message);
            sweep.arrange(eventLoop);
        }
    }

    /** Whether a message that comes now would be sent at once. */
    boolean isIdle() {
        Connection open = connection;
        return open != null && waiting.isEmpty() && maySendNext(open);
    }

    /** How a message that comes now would be taken. */
    Room room() {
        if (isIdle()) {
            return Room.FREE;
        }
        return waiting.isFull() ? Room.NONE : Room.QUEUE;
    }

    private boolean maySendNext(Connection open) {
        return unsent == window.next() && !window.isFull() && quota.isFree() && open.isWritable();
    }

    /** Sends what may be sent now: called when something has changed. */
    void proceed() {
        Connection open = connection;
        if (open == null) {
            return;
        }
        while (unsent < window.next() && quota.isFree() && open.isWritable()) {
            sendAgain(open, unsent++);
        }
        while (!waiting.isEmpty() && maySendNext(open)) {
            Outgoing message = waiting.poll();
            if (message != null) {
                sendNew(open, message);
            }
        }
    }

    private void sendAgain(Connection open, long sequence) {
        Outgoing message = window.message(sequence);
        if (message != null) {
            send(open, sequence, message, true);
        }
    }

    private void sendNew(Connection open, Outgoing message) {
        PublishMessage published = message.message();
        if (published.canExpire() && published.isExpiredAt(clock.millis())) {
            memory.giveBack(message.bytes());
            metrics.droppedExpired.increment();
            return;
        }
        long sequence = window.add(message);
        metrics.inFlight.increment();
        unsent = window.next();
        send(open, sequence, message, false);
    }

    private void send(Connection open, long sequence, Outgoing outgoing, boolean duplicate) {
        PublishMessage message = outgoing.message();
        PublishProperties properties =
                message.canExpire() ? message.propertiesAt(clock.millis()) : message.properties();
        boolean sent = open.send(new PublishPacket(
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
        } else if (open.isOpen()) {
            // Above the client's Maximum Packet Size: goes on as if it had been delivered [MQTT-3.1.2-25].
            forget(sequence, outgoing);
            metrics.droppedTooLarge.increment();
        }
    }

    private void forget(long sequence, Outgoing message) {
        window.remove(sequence);
        memory.giveBack(message.bytes());
        metrics.inFlight.decrement();
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
        Outgoing message = window.message(sequence);
        if (message == null || message.qos() != QoS.AT_LEAST_ONCE) {
            throw new ProtocolException(ReasonCode.PROTOCOL_ERROR, "PUBACK for a QoS 2 message");
        }
        forget(sequence, message);
        received(packet.reason());
        acknowledgedInQuota(sequence);
    }

    /** An exchange that was not taken up again on this connection has not lowered its quota. */
    private void acknowledgedInQuota(long sequence) {
        if (sequence < unsent) {
            quota.acknowledged();
        }
    }

    private void received(ReasonCode answer) {
        if (answer.isError()) {
            metrics.droppedByClient.increment();
        } else {
            metrics.delivered.increment();
        }
    }

    /**
     * PUBREC has come: answers it, unless the client refused the message [MQTT-4.3.3-4].
     *
     * @throws ProtocolException when it answers a QoS 1 message
     */
    void received(PubRecPacket packet) {
        Connection open = connection;
        if (open == null) {
            return;
        }
        long sequence = window.sequence(packet.packetId());
        if (sequence < 0) {
            metrics.acknowledgementsUnknown.increment();
            if (!packet.reason().isError()) {
                open.send(release(packet.packetId(), ReasonCode.PACKET_IDENTIFIER_NOT_FOUND));
            }
            return;
        }
        Outgoing message = window.message(sequence);
        if (message == null) {
            open.send(release(packet.packetId(), ReasonCode.SUCCESS));
            return;
        }
        if (message.qos() != QoS.EXACTLY_ONCE) {
            throw new ProtocolException(ReasonCode.PROTOCOL_ERROR, "PUBREC for a QoS 1 message");
        }
        received(packet.reason());
        if (packet.reason().isError()) {
            forget(sequence, message);
            acknowledgedInQuota(sequence);
            return;
        }
        if (sequence >= unsent) {
            quota.sent();
        }
        window.release(sequence);
        memory.giveBack(message.bytes());
        metrics.inFlight.decrement();
        open.send(release(packet.packetId(), ReasonCode.SUCCESS));
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
    }

    /** The session has ended: lets go of everything that the client has not received, in its order; what nobody takes over is dropped. */
    void end(SharedRedelivery others) {
        sweep.stop();
        for (long sequence = window.lowest(); sequence < window.next(); sequence++) {
            Outgoing message = window.message(sequence);
            if (message != null) {
                forget(sequence, message);
                if (!others.takeOver(message)) {
                    metrics.droppedSessionEnded.increment();
                }
            }
        }
        waiting.clear(others::takeOver);
    }
}
