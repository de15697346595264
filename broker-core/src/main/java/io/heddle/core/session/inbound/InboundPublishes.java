package io.heddle.core.session.inbound;

import io.heddle.core.HotPath;
import io.heddle.core.backpressure.Inflow;
import io.heddle.core.client.Connection;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.delivery.log.OrderFence;
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
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.subscribe.SessionHandle;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The publishes of a client over one connection, and their acknowledgements. Owned by the connection's event loop.
 *
 * <p>An acknowledgement waits until the message is where it must survive, and while a bucket of its recipients lags. Bounds: the Receive
 * Maximum that CONNACK announced; a client of MQTT 3.x, which gets no such announcement, is not read while so many acknowledgements are
 * pending. Nor is a client whose unsafe messages hold more than {@value #MAXIMUM_UNSAFE_BYTES} bytes, or that has {@value
 * #MAXIMUM_AHEAD_OF_BUCKET} pending acknowledgements while a bucket lags.
 */
@HotPath
public final class InboundPublishes implements PendingAcks.Sender {
    private static final Logger log = LoggerFactory.getLogger(InboundPublishes.class);

    private static final long MAXIMUM_UNSAFE_BYTES = 4L << 20;
    private static final int MAXIMUM_AHEAD_OF_BUCKET = 64;
    private static final Duration CONGESTION_PAUSE = Duration.ofMillis(5);

    private final InboundServices services;
    private final SessionHandle session;
    private final Connection connection;
    private final Inflow inflow;
    private final MqttVersion version;
    private final TopicAliases aliases;
    private @Nullable PendingAcks pendingAcks;
    private @Nullable InboundQos2 received;
    private int unreleased;
    private boolean paused;
    private boolean heldByLoops;

    public InboundPublishes(
            SessionHandle session,
            Connection connection,
            Inflow inflow,
            MqttVersion version,
            List<Integer> unreleasedIds,
            InboundServices services) {
        this.session = session;
        this.connection = connection;
        this.inflow = inflow;
        this.version = version;
        this.services = services;
        this.aliases = new TopicAliases(services.limits().topicAliasMaximum(), services.memory());
        for (int packetId : unreleasedIds) {
            received().restore(packetId);
        }
    }

    private InboundQos2 received() {
        InboundQos2 present = received;
        if (present == null) {
            present = new InboundQos2(services.memory());
            received = present;
        }
        return present;
    }

    private PendingAcks pendingAcks() {
        PendingAcks pending = pendingAcks;
        if (pending == null) {
            pending = new PendingAcks(connection.eventLoop(), services.positions(), this);
            pendingAcks = pending;
        }
        return pending;
    }

    /**
     * Handles PUBLISH.
     *
     * @throws ProtocolException for a message that this client may not publish now
     */
    public void publish(PublishPacket packet) {
        TopicName topic = aliases.resolve(packet);
        PublishMessage message = PublishMessage.receivedAt(
                services.clock(),
                session.clientId(),
                topic,
                packet.qos(),
                packet.retain(),
                packet.properties(),
                packet.payload());
        switch (packet.qos()) {
            case AT_MOST_ONCE -> publishAtMostOnce(message);
            case AT_LEAST_ONCE -> publish(message, packet.packetId(), false);
            case EXACTLY_ONCE -> publishExactlyOnce(message, packet.packetId());
        }
    }

    private void publishAtMostOnce(PublishMessage message) {
        services.publishService().publish(message, null);
        if (services.publishService().isCongested() && !heldByLoops && !inflow.hasRespite()) {
            heldByLoops = true;
            services.metrics().publishersHeld.increment();
            inflow.hold();
            awaitLoops(connection.eventLoop().nanoTime());
        }
    }

    /** Holds the publisher until the event loops have caught up, at most for the patience. */
    private void awaitLoops(long heldSinceNanos) {
        connection.eventLoop().schedule(CONGESTION_PAUSE, () -> {
            long heldNanos = connection.eventLoop().nanoTime() - heldSinceNanos;
            if (!services.publishService().isCongested()) {
                heldByLoops = false;
                inflow.release();
            } else if (heldNanos >= services.limits().congestionPatience().toNanos()) {
                heldByLoops = false;
                inflow.releaseInVain(heldNanos);
            } else {
                awaitLoops(heldSinceNanos);
            }
        });
    }

    private void publishExactlyOnce(PublishMessage message, int packetId) {
        // A repeated message is only acknowledged again [MQTT-4.3.3-10].
        if (received().contains(packetId)) {
            if (!pendingAcks().isPending(packetId)) {
                connection.send(new PubRecPacket(packetId, ReasonCode.SUCCESS, null, List.of()));
            }
            return;
        }
        publish(message, packetId, true);
    }

    private void publish(PublishMessage message, int packetId, boolean twoPhases) {
        PendingAcks pending = pendingAcks();
        if (pending.order().isBroken()) {
            // The connection ends, and the client repeats this message after the lost one.
            return;
        }
        if (version.hasProperties()
                && unreleased + pending.count() >= services.limits().receiveMaximum()) {
            // [MQTT-3.3.4-7]
            throw new ProtocolException(
                    ReasonCode.RECEIVE_MAXIMUM_EXCEEDED,
                    "more QoS 1 and 2 messages in flight than the announced Receive Maximum");
        }
        PersistentSession persistent = session.persistent();
        LogAppend mark = twoPhases && persistent != null
                ? new LogAppend.ToBucket(
                        persistent.bucket(),
                        new BucketCommand.InboundReceived(session.clientId(), persistent.generation(), packetId))
                : null;
        PendingAcks.Answer answer = new PendingAcks.Answer(
                pending,
                packetId,
                twoPhases,
                mark,
                mark == null || persistent == null ? null : persistent.pendingCommits(),
                message.heldBytes());
        PublishOutcome refusal = twoPhases ? remember(packetId) : null;
        PublishOutcome outcome = refusal == null ? services.publishService().publish(message, answer) : refusal;
        if (outcome == PublishOutcome.Pending.PENDING) {
            pending.add(answer);
            pauseWhenTooManyPending(pending);
        } else if (pending.isFirst(twoPhases)) {
            answer.known(outcome);
            send(answer, outcome);
        } else {
            answer.known(outcome);
            pending.add(answer);
            if (outcome instanceof PublishOutcome.Refused refused && endsTheConnection(refused)) {
                // Fails when its turn comes; the client repeats all messages behind it.
                pending.order().breakOff();
            }
        }
    }

    /** Remembers the identifier of a QoS 2 message until its PUBREL, or returns the refusal. */
    private @Nullable PublishOutcome remember(int packetId) {
        InboundQos2 received = received();
        if (received.count() >= services.limits().maximumUnreleased()) {
            return services.publishService().refusedForUnreleased();
        }
        return received.tryAdd(packetId) ? null : services.publishService().refusedForMemory();
    }

    /** MQTT 3.x has no negative acknowledgement: a refusal ends the connection, except that an unauthorized message is acknowledged. */
    private boolean endsTheConnection(PublishOutcome.Refused refused) {
        return !version.hasProperties() && refused.reason() != ReasonCode.NOT_AUTHORIZED;
    }

    private void pauseWhenTooManyPending(PendingAcks pending) {
        boolean tooMany = pending.count() >= services.limits().receiveMaximum() && !version.hasProperties();
        boolean aheadOfBucket = pending.isHeld() && pending.count() >= MAXIMUM_AHEAD_OF_BUCKET;
        if (!paused && (tooMany || aheadOfBucket || pending.bytes() >= MAXIMUM_UNSAFE_BYTES)) {
            paused = true;
            inflow.pause();
        }
    }

    @Override
    public void answer(PendingAcks.Answer answer, PublishOutcome outcome) {
        try {
            send(answer, outcome);
        } catch (ProtocolException refused) {
            // No caller can catch the exception: the packet arrived in an earlier turn.
            session.disconnect(refused.reason());
        }
    }

    private void send(PendingAcks.Answer answer, PublishOutcome outcome) {
        ReasonCode reason = reason(outcome);
        if (!answer.twoPhases()) {
            connection.send(new PubAckPacket(answer.packetId(), reason, null, List.of()));
            return;
        }
        if (reason.isError()) {
            received().remove(answer.packetId());
        } else {
            unreleased++;
        }
        connection.send(new PubRecPacket(answer.packetId(), reason, null, List.of()));
    }

    @Override
    public void unanswerable(Throwable reason) {
        log.debug(
                "Could not store a published message; disconnecting its publisher: clientId={}",
                session.clientId(),
                reason);
        // Without an acknowledgement the client still has the message and may repeat it.
        session.disconnect(ReasonCode.UNSPECIFIED_ERROR);
    }

    @Override
    public void answered() {
        PendingAcks pending = pendingAcks();
        if (paused
                && pending.count() <= services.limits().receiveMaximum() / 2
                && pending.bytes() < MAXIMUM_UNSAFE_BYTES / 2
                && (!pending.isHeld() || pending.count() <= MAXIMUM_AHEAD_OF_BUCKET / 2)) {
            paused = false;
            inflow.resume();
        } else {
            pauseWhenTooManyPending(pending);
        }
    }

    /**
     * The reason code of PUBACK or PUBREC.
     *
     * @throws ProtocolException when the protocol version has no way to refuse the message
     */
    private ReasonCode reason(PublishOutcome outcome) {
        return switch (outcome) {
            case PublishOutcome.Routed routed ->
                routed.recipients() == 0 && version.hasProperties()
                        ? ReasonCode.NO_MATCHING_SUBSCRIBERS
                        : ReasonCode.SUCCESS;
            case PublishOutcome.Refused refused -> {
                if (endsTheConnection(refused)) {
                    // Without an acknowledgement the client still has the message and may repeat it.
                    throw new ProtocolException(refused.reason(), "the message was refused");
                }
                // An unauthorized message is acknowledged as if it had been published [MQTT-3.3.5-2 in MQTT 3.1.1].
                yield version.hasProperties() ? refused.reason() : ReasonCode.SUCCESS;
            }
            case PublishOutcome.Pending _ -> throw new IllegalStateException("the outcome is unknown");
        };
    }

    /** The connection is lost. */
    public void end() {
        aliases.end();
        if (received != null) {
            received.end();
        }
        PendingAcks pending = pendingAcks;
        if (pending != null) {
            pending.end();
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
            forget(persistent, packetId);
        }
    }

    private void complete(int packetId, ReasonCode reason) {
        connection.send(new PubCompPacket(packetId, reason, null, List.of()));
    }

    /**
     * Completes the exchange when the release is committed: only then may the identifier be used for another message. A late copy of an
     * appended release would remove the marker of that message.
     */
    private void forget(PersistentSession persistent, int packetId) {
        LogAppend release = new LogAppend.ToBucket(
                persistent.bucket(),
                new BucketCommand.InboundReleased(session.clientId(), persistent.generation(), packetId));
        persistent.pendingCommits().begin();
        services.log().commit(List.of(release), new OrderFence(), new MessageLog.AppendCallback() {
            @Override
            public void onAppended() {
                connection.eventLoop().execute(() -> complete(packetId, ReasonCode.SUCCESS));
                persistent.pendingCommits().end();
            }

            @Override
            public void onFailed(Throwable reason) {
                connection.eventLoop().execute(() -> unanswerable(reason));
                persistent.pendingCommits().end();
            }
        });
    }
}
