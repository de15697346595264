package io.heddle.core.session;

import io.heddle.core.HotPath;
import io.heddle.core.backpressure.Inflow;
import io.heddle.core.client.Connection;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.delivery.log.MessageLog;
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
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a client publishes over one connection, and the answers to it. Belongs to the connection's event loop.
 *
 * <p>An answer waits until the message is where it must survive, and while a bucket of its recipients lags. Bounds: the Receive Maximum that
 * the client was told; one of MQTT 3.x, which was told none, is not read any more while so many answers are owed. Neither is a client whose
 * unsafe messages hold more than {@value #MAXIMUM_UNSAFE_BYTES} bytes, or that is owed {@value #MAXIMUM_AHEAD_OF_BUCKET} answers while a
 * bucket lags.
 */
@HotPath
final class InboundPublishes implements PendingAcks.Sender {
    private static final Logger log = LoggerFactory.getLogger(InboundPublishes.class);

    private static final long MAXIMUM_UNSAFE_BYTES = 4L << 20;
    private static final int MAXIMUM_AHEAD_OF_BUCKET = 64;
    private static final Duration CONGESTION_PAUSE = Duration.ofMillis(5);

    private final SessionServices services;
    private final ClientSession session;
    private final Connection connection;
    private final Inflow inflow;
    private final MqttVersion version;
    private final TopicAliases aliases;
    private @Nullable PendingAcks answers;
    private int unreleased;
    private boolean paused;
    private boolean heldByLoops;

    InboundPublishes(
            ClientSession session,
            Connection connection,
            Inflow inflow,
            MqttVersion version,
            SessionServices services) {
        this.session = session;
        this.connection = connection;
        this.inflow = inflow;
        this.version = version;
        this.services = services;
        this.aliases = new TopicAliases(services.settings().topicAliasMaximum(), services.memory());
    }

    private PendingAcks answers() {
        PendingAcks owed = answers;
        if (owed == null) {
            owed = new PendingAcks(connection.eventLoop(), services.feeds().positions(), this);
            answers = owed;
        }
        return owed;
    }

    /**
     * A PUBLISH has come.
     *
     * @throws ProtocolException for what this client may not publish now
     */
    void publish(PublishPacket packet) {
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

    /** A loop that does not catch up within the patience holds its publishers in vain. */
    private void awaitLoops(long heldSinceNanos) {
        connection.eventLoop().schedule(CONGESTION_PAUSE, () -> {
            long heldNanos = connection.eventLoop().nanoTime() - heldSinceNanos;
            if (!services.publishService().isCongested()) {
                heldByLoops = false;
                inflow.release();
            } else if (heldNanos >= services.settings().slowReaderPatience().toNanos()) {
                heldByLoops = false;
                inflow.releaseInVain(heldNanos);
            } else {
                awaitLoops(heldSinceNanos);
            }
        });
    }

    private void publishExactlyOnce(PublishMessage message, int packetId) {
        // One that was received already is only answered again [MQTT-4.3.3-10].
        if (session.parts().inboundQos2().contains(packetId)) {
            if (!answers().owes(packetId)) {
                connection.send(new PubRecPacket(packetId, ReasonCode.SUCCESS, null, List.of()));
            }
            return;
        }
        publish(message, packetId, true);
    }

    private void publish(PublishMessage message, int packetId, boolean twoPhases) {
        PendingAcks owed = answers();
        if (owed.order().isBroken()) {
            // The connection ends, and the client sends this again behind what is missing.
            return;
        }
        if (version.hasProperties()
                && unreleased + owed.count() >= services.settings().receiveMaximum()) {
            // [MQTT-3.3.4-7]
            throw new ProtocolException(
                    ReasonCode.RECEIVE_MAXIMUM_EXCEEDED, "more messages above QoS 0 at a time than announced");
        }
        PersistentSession persistent = session.persistent();
        LogAppend mark = twoPhases && persistent != null
                ? new LogAppend.ToBucket(
                        persistent.bucket(),
                        new BucketCommand.InboundReceived(session.clientId(), persistent.generation(), packetId))
                : null;
        PendingAcks.Answer answer = new PendingAcks.Answer(
                owed,
                packetId,
                twoPhases,
                mark,
                mark == null || persistent == null ? null : persistent.uncommitted(),
                message.heldBytes());
        PublishOutcome refusal = twoPhases ? remember(packetId) : null;
        PublishOutcome outcome = refusal == null ? services.publishService().publish(message, answer) : refusal;
        if (outcome == PublishOutcome.Pending.PENDING) {
            owed.add(answer);
            pauseWhenOwingMuch(owed);
        } else if (owed.isFirst(twoPhases)) {
            answer.known(outcome);
            send(answer, outcome);
        } else {
            answer.known(outcome);
            owed.add(answer);
            if (outcome instanceof PublishOutcome.Refused refused && endsTheConnection(refused)) {
                // Not before its turn: what comes behind it until then comes again.
                owed.order().breakOff();
            }
        }
    }

    /** Remembers the identifier of a QoS 2 message until its PUBREL, or says why not. */
    private @Nullable PublishOutcome remember(int packetId) {
        InboundQos2 received = session.parts().inboundQos2();
        if (received.count() >= services.settings().maximumUnreleased()) {
            return services.publishService().refusedForUnreleased();
        }
        return received.tryAdd(packetId) ? null : services.publishService().refusedForMemory();
    }

    /** MQTT 3.x has no way of saying that a message was not taken; what may not be published is acknowledged there all the same. */
    private boolean endsTheConnection(PublishOutcome.Refused refused) {
        return !version.hasProperties() && refused.reason() != ReasonCode.NOT_AUTHORIZED;
    }

    private void pauseWhenOwingMuch(PendingAcks owed) {
        boolean tooMany = owed.count() >= services.settings().receiveMaximum() && !version.hasProperties();
        boolean aheadOfBucket = owed.isHeld() && owed.count() >= MAXIMUM_AHEAD_OF_BUCKET;
        if (!paused && (tooMany || aheadOfBucket || owed.bytes() >= MAXIMUM_UNSAFE_BYTES)) {
            paused = true;
            inflow.pause();
        }
    }

    @Override
    public void answer(PendingAcks.Answer answer, PublishOutcome outcome) {
        try {
            send(answer, outcome);
        } catch (ProtocolException refused) {
            // Its turn came later than the packet, so that nobody is left to catch it.
            session.lose(refused.reason());
        }
    }

    private void send(PendingAcks.Answer answer, PublishOutcome outcome) {
        ReasonCode reason = reason(outcome);
        if (!answer.twoPhases()) {
            connection.send(new PubAckPacket(answer.packetId(), reason, null, List.of()));
            return;
        }
        if (reason.isError()) {
            session.parts().inboundQos2().remove(answer.packetId());
        } else {
            unreleased++;
        }
        connection.send(new PubRecPacket(answer.packetId(), reason, null, List.of()));
    }

    @Override
    public void unanswerable(Throwable reason) {
        log.debug("clientId={}: a message it published could not be made safe", session.clientId(), reason);
        // It was not acknowledged, so it is still the client's, who may ask again.
        session.lose(ReasonCode.UNSPECIFIED_ERROR);
    }

    @Override
    public void answered() {
        PendingAcks owed = answers();
        if (paused
                && owed.count() <= services.settings().receiveMaximum() / 2
                && owed.bytes() < MAXIMUM_UNSAFE_BYTES / 2
                && (!owed.isHeld() || owed.count() <= MAXIMUM_AHEAD_OF_BUCKET / 2)) {
            paused = false;
            inflow.resume();
        } else {
            pauseWhenOwingMuch(owed);
        }
    }

    /**
     * What PUBACK or PUBREC says.
     *
     * @throws ProtocolException when the client has no way of being told that its message was not taken
     */
    private ReasonCode reason(PublishOutcome outcome) {
        return switch (outcome) {
            case PublishOutcome.Routed routed ->
                routed.recipients() == 0 && version.hasProperties()
                        ? ReasonCode.NO_MATCHING_SUBSCRIBERS
                        : ReasonCode.SUCCESS;
            case PublishOutcome.Refused refused -> {
                if (endsTheConnection(refused)) {
                    // The message may be sent again: without an acknowledgement it is still the client's.
                    throw new ProtocolException(refused.reason(), "the message was not taken");
                }
                // What may not be published is acknowledged as if it had been [MQTT-3.3.5-2 in MQTT 3.1.1].
                yield version.hasProperties() ? refused.reason() : ReasonCode.SUCCESS;
            }
            case PublishOutcome.Pending _ -> throw new IllegalStateException("the outcome is not known");
        };
    }

    /** The connection is gone. */
    void end() {
        aliases.end();
        PendingAcks owed = answers;
        if (owed != null) {
            owed.end();
        }
    }

    /** A PUBREL has come. */
    void release(PubRelPacket packet) {
        int packetId = packet.packetId();
        boolean known = session.parts().inboundQos2().remove(packetId);
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

    /** The identifier may stand for another message once that is certain to be known after a crash. */
    private void forget(PersistentSession persistent, int packetId) {
        BucketCommand command =
                new BucketCommand.InboundReleased(session.clientId(), persistent.generation(), packetId);
        persistent.uncommitted().begin();
        services.log()
                .append(List.of(new LogAppend.ToBucket(persistent.bucket(), command)), new MessageLog.AppendCallback() {
                    @Override
                    public void onAppended() {
                        connection.eventLoop().execute(() -> complete(packetId, ReasonCode.SUCCESS));
                        persistent.uncommitted().end();
                    }

                    @Override
                    public void onFailed(Throwable reason) {
                        connection.eventLoop().execute(() -> unanswerable(reason));
                        persistent.uncommitted().end();
                    }
                });
    }
}
