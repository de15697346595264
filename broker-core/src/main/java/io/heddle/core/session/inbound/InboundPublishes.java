package io.heddle.core.session.inbound;

import io.heddle.core.HotPath;
import io.heddle.core.Limit;
import io.heddle.core.backpressure.Inflow;
import io.heddle.core.client.Connection;
import io.heddle.core.cluster.MessageName;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.mqtt.packet.PubCompPacket;
import io.heddle.core.mqtt.packet.PubRecPacket;
import io.heddle.core.mqtt.packet.PubRelPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.publish.PublishOutcome;
import io.heddle.core.quota.RateLimits;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.subscribe.SessionHandle;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The publishes of a client over one connection, and their acknowledgements. Owned by the connection's event loop.
 *
 * <p>PUBACK and PUBREC wait until every log that stores the message has made it durable, while a bucket of its recipients lags, and while
 * the node does not know whether it is still a member ({@link io.heddle.core.cluster.RoutingLease}). Bounds: the Receive Maximum that CONNACK
 * announced; MQTT 3.x announces none. Above the bounds of {@link PublisherPauses}, the client is not read.
 */
@HotPath
public final class InboundPublishes implements PendingAcks.Sender {
    private static final Logger log = LoggerFactory.getLogger(InboundPublishes.class);

    private final InboundServices services;
    private final SessionHandle session;
    private final Connection connection;
    private final PublisherPauses pauses;
    private final MqttVersion version;
    private final PublishReasons reasons;
    private final TopicAliases aliases;
    private final ReceivedMessages messages;
    private final PermittedPublishes permitted;
    private final Inflow inflow;
    // Null while the rules set no limits.
    private @Nullable PublishRate rate;
    private @Nullable PendingAcks pendingAcks;
    private @Nullable InboundQos2 received;
    private int unreleased;

    public InboundPublishes(
            SessionHandle session,
            Connection connection,
            Inflow inflow,
            MqttVersion version,
            Map<Integer, MessageName> unreleasedNames,
            InboundServices services) {
        this.session = session;
        this.connection = connection;
        this.version = version;
        this.reasons = new PublishReasons(version);
        this.services = services;
        this.inflow = inflow;
        this.pauses = new PublisherPauses(connection.eventLoop(), inflow, !version.hasProperties(), services);
        this.aliases = new TopicAliases(services.limits().topicAliasMaximum(), services.memory());
        this.messages = new ReceivedMessages(session.clientId(), connection.eventLoop(), services);
        this.permitted = new PermittedPublishes(session, services.publishService());
        unreleasedNames.forEach((packetId, name) -> received().restore(packetId, name));
    }

    private InboundQos2 received() {
        if (received == null) {
            received = new InboundQos2(services.memory());
        }
        return received;
    }

    private PublishRate rate() {
        if (rate == null) {
            rate = new PublishRate(session.clientId(), connection, inflow, services);
        }
        return rate;
    }

    private PendingAcks pendingAcks() {
        PendingAcks pending = pendingAcks;
        if (pending == null) {
            pending = new PendingAcks(connection.eventLoop(), services.positions(), services.lease(), this);
            pendingAcks = pending;
        }
        return pending;
    }

    /** CONNACK was sent. */
    public void begin() {
        RateLimits limits = session.rules().limits().published();
        if (limits.isLimited()) {
            rate().begin(limits);
        }
    }

    /**
     * Handles PUBLISH.
     *
     * @throws ProtocolException for a message that this client may not publish now
     */
    public void publish(PublishPacket packet) {
        TopicName topic = aliases.resolve(packet);
        if (packet.topic() == null) {
            services.metrics().incidents().events().resolved(packet, topic, connection);
        }
        PublishMessage message = messages.message(packet, topic);
        RateLimits limits = session.rules().limits().published();
        if (limits.isLimited()) {
            rate().received(message, limits);
        }
        switch (packet.qos()) {
            case AT_MOST_ONCE -> publishAtMostOnce(message);
            case AT_LEAST_ONCE -> publish(message, packet.packetId(), false);
            case EXACTLY_ONCE -> publishExactlyOnce(message, packet.packetId());
        }
    }

    private void publishAtMostOnce(PublishMessage message) {
        if (message.retain()) {
            retainAtMostOnce(message);
        } else {
            message.publishEnded(PublishReasons.failure(permitted.publish(message, null)));
        }
        pauses.pauseWhileLoopsLag();
    }

    /** The client waits for no answer, so nothing but a pause slows it down to the speed of the log. */
    private void retainAtMostOnce(PublishMessage message) {
        PendingAcks pending = pendingAcks();
        PendingRetention retention =
                new PendingRetention(pending, message, services.metrics().incidents());
        retention.begin();
        PublishOutcome outcome = permitted.publish(message, retention);
        message.publishEnded(PublishReasons.failure(outcome));
        if (outcome == PublishOutcome.Pending.PENDING) {
            pauses.pauseAbove(pending);
        } else {
            retention.end();
        }
    }

    private void publishExactlyOnce(PublishMessage message, int packetId) {
        if (received().contains(packetId)) {
            repeat(message, packetId);
        } else {
            publish(message, packetId, true);
        }
    }

    /**
     * A repeated message is only acknowledged again [MQTT-4.3.3-10]. One that an earlier connection has stored is delivered before to subscribers
     * that have not got it, because the node of that connection may have died.
     */
    private void repeat(PublishMessage message, int packetId) {
        PendingAcks pending = pendingAcks();
        if (pending.isPending(packetId) || pending.order().isBroken()) {
            message.publishEnded(null);
            return;
        }
        MessageName name = received().takeName(packetId);
        if (name == null) {
            message.publishEnded(null);
            connection.send(new PubRecPacket(packetId, ReasonCode.SUCCESS, null, List.of()));
            return;
        }
        PendingAcks.PendingAck ack = new PendingAcks.PendingAck(pending, packetId, true, null, name, message);
        settle(ack, permitted.publish(message, ack));
    }

    private void publish(PublishMessage message, int packetId, boolean twoPhases) {
        PendingAcks pending = pendingAcks();
        if (pending.order().isBroken()) {
            // The connection ends, and the client repeats this message after the lost one.
            message.publishEnded(PendingAcks.CONNECTION_LOST);
            return;
        }
        if (version.hasProperties()
                && unreleased + pending.count() >= services.limits().receiveMaximum()) {
            // [MQTT-3.3.4-7]
            message.publishEnded(ReasonCode.RECEIVE_MAXIMUM_EXCEEDED.tag());
            throw new ProtocolException(
                    ReasonCode.RECEIVE_MAXIMUM_EXCEEDED,
                    "more QoS 1 and 2 messages in flight than the announced Receive Maximum",
                    new Limit(
                            "heddle.session.receive-maximum", services.limits().receiveMaximum()));
        }
        PersistentSession persistent = session.persistent();
        MessageName name = null;
        ReceivedMarker marker = null;
        if (twoPhases && persistent != null) {
            name = services.publishService().nextName(connection.eventLoop());
            marker = ReceivedMarker.of(session.clientId(), persistent, packetId, name);
        }
        PendingAcks.PendingAck ack = new PendingAcks.PendingAck(pending, packetId, twoPhases, marker, name, message);
        PublishOutcome refusal = twoPhases ? remember(packetId) : null;
        settle(ack, refusal == null ? permitted.publish(message, ack) : refusal);
    }

    private void settle(PendingAcks.PendingAck ack, PublishOutcome outcome) {
        PendingAcks pending = pendingAcks();
        if (outcome == PublishOutcome.Pending.PENDING) {
            pending.add(ack);
            pauses.pauseAbove(pending);
        } else if (pending.isFirst(ack.twoPhases()) && services.lease().isValid()) {
            ack.setOutcome(outcome);
            send(ack, outcome);
        } else {
            setOutcome(ack, outcome);
            pending.add(ack);
            pauses.pauseAbove(pending);
        }
    }

    private void setOutcome(PendingAcks.PendingAck ack, PublishOutcome outcome) {
        ack.setOutcome(outcome);
        if (outcome instanceof PublishOutcome.Refused refused && reasons.endsTheConnection(refused)) {
            // The connection is closed when the turn of this message comes; the client then sends all later
            // messages again.
            pendingAcks().order().breakOff();
        }
    }

    /** Remembers the identifier of a QoS 2 message until its PUBREL, or returns the refusal. */
    private @Nullable PublishOutcome remember(int packetId) {
        InboundQos2 received = received();
        if (received.count() >= services.limits().maximumUnreleased()) {
            return services.publishService()
                    .refusedForUnreleased(session.clientId(), services.limits().maximumUnreleased());
        }
        return received.tryAdd(packetId) ? null : services.publishService().refusedForMemory(session.clientId());
    }

    @Override
    public void acknowledge(PendingAcks.PendingAck ack, PublishOutcome outcome) {
        try {
            send(ack, outcome);
        } catch (ProtocolException refused) {
            // No caller can catch the exception: the packet arrived in an earlier turn.
            session.disconnect(refused.reason());
        }
    }

    private void send(PendingAcks.PendingAck ack, PublishOutcome outcome) {
        ack.ended(PublishReasons.failure(outcome));
        ReasonCode reason = reasons.of(outcome);
        if (!ack.twoPhases()) {
            connection.send(new PubAckPacket(ack.packetId(), reason, null, List.of()));
            return;
        }
        if (reason.isError()) {
            received().remove(ack.packetId());
        } else if (!ack.isRepeated()) {
            unreleased++;
        }
        connection.send(new PubRecPacket(ack.packetId(), reason, null, List.of()));
    }

    @Override
    public void onFailure(Throwable reason) {
        services.metrics()
                .incidents()
                .dropped(
                        "append_failed",
                        "a published message could not be stored, so its publisher is disconnected and may repeat it",
                        session.clientId());
        log.debug(
                "Could not store a published message; disconnecting its publisher: clientId={}",
                session.clientId(),
                reason);
        // Without an acknowledgement the client still has the message and may repeat it.
        session.disconnect(ReasonCode.UNSPECIFIED_ERROR);
    }

    @Override
    public void onDrained() {
        pauses.resumeBelow(pendingAcks());
    }

    /**
     * The connection is lost.
     *
     * @return completes on the event loop when the outcome of every message is known, or will never be
     */
    public CompletionStage<Void> end() {
        aliases.end();
        if (rate != null) {
            rate.end();
        }
        if (received != null) {
            received.end();
        }
        PendingAcks pending = pendingAcks;
        return pending == null ? CompletableFuture.completedStage(null) : pending.end();
    }

    /** Reads a client on although it is above a limit of the rules, until its next message. */
    public void endRatePause() {
        if (rate != null) {
            rate.resume();
        }
    }

    /** Handles PUBREL. */
    public void release(PubRelPacket packet) {
        int packetId = packet.packetId();
        boolean known = received().remove(packetId);
        if (!known) {
            complete(packetId, ReasonCode.PACKET_IDENTIFIER_NOT_FOUND);
            return;
        }
        if (unreleased > 0) {
            unreleased--;
        }
        PersistentSession persistent = session.persistent();
        if (persistent == null) {
            complete(packetId, ReasonCode.SUCCESS);
        } else {
            ReleasedMarker.commit(
                    services.log(), session.clientId(), persistent, packetId, connection.eventLoop(), failure -> {
                        if (failure == null) {
                            complete(packetId, ReasonCode.SUCCESS);
                        } else {
                            onFailure(failure);
                        }
                    });
        }
    }

    private void complete(int packetId, ReasonCode reason) {
        connection.send(new PubCompPacket(packetId, reason, null, List.of()));
    }
}
