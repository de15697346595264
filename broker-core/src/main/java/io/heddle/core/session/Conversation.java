package io.heddle.core.session;

import io.heddle.core.HotPath;
import io.heddle.core.client.Connection;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.AuthPacket;
import io.heddle.core.mqtt.packet.ConnAckPacket;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.mqtt.packet.DisconnectPacket;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.mqtt.packet.PingReqPacket;
import io.heddle.core.mqtt.packet.PingRespPacket;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.mqtt.packet.PubCompPacket;
import io.heddle.core.mqtt.packet.PubRecPacket;
import io.heddle.core.mqtt.packet.PubRelPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.mqtt.packet.SubAckPacket;
import io.heddle.core.mqtt.packet.SubscribePacket;
import io.heddle.core.mqtt.packet.UnsubAckPacket;
import io.heddle.core.mqtt.packet.UnsubscribePacket;
import io.heddle.core.mqtt.packet.WillMessage;
import io.heddle.core.publish.PublishOutcome;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a client and the broker say to each other over one Network Connection. Owned by the connection's event loop: every method
 * asserts it. What outlives the connection is its {@link ClientSession}'s.
 *
 * <p>States: open → ending (this side has closed, nothing more is taken or sent) → gone (the session knows that the connection
 * is lost).
 */
@HotPath
public final class Conversation {
    private static final Logger log = LoggerFactory.getLogger(Conversation.class);

    // Dependencies.
    private final SessionServices services;
    private final ClientSession session;

    // Of the connection.
    private final Connection connection;
    private final MqttVersion version;
    private final int clientReceiveMaximum;
    private final @Nullable KeepAlive keepAlive;
    private final TopicAliases aliases;
    private long expirySeconds;
    private int unreleased;
    // The client's if it is told that it is connected; paid for in either case.
    private @Nullable WillMessage will;
    private boolean begun;
    private State state = State.OPEN;

    private enum State {
        OPEN,
        ENDING,
        GONE
    }

    Conversation(ClientSession session, Connection connection, ConnectPacket connect, SessionServices services) {
        SessionSettings settings = services.settings();
        this.services = services;
        this.session = session;
        this.connection = connection;
        this.version = connect.version();
        this.clientReceiveMaximum = connect.properties().receiveMaximum();
        this.expirySeconds = ServerCapabilities.expirySeconds(connect, settings);
        this.will = connect.will();
        this.aliases = new TopicAliases(settings.topicAliasMaximum());
        int keepAliveSeconds = ServerCapabilities.keepAliveSeconds(connect, settings);
        // Zero switches the keep alive off (MQTT 5.0, section 3.1.2.10).
        this.keepAlive = keepAliveSeconds == 0
                ? null
                : new KeepAlive(connection.eventLoop(), keepAliveSeconds, this::keepAliveExpired);
    }

    /** CONNACK was sent: from here on the client has a will [MQTT-3.1.2-8]. */
    void begin() {
        begun = true;
        if (keepAlive != null) {
            keepAlive.start();
        }
    }

    Connection connection() {
        return connection;
    }

    /** A quota for a connection that nothing was sent on yet. */
    SendQuota newSendQuota() {
        return new SendQuota(Math.min(clientReceiveMaximum, services.settings().maximumInFlight()));
    }

    /** About how many bytes the will holds that the session has to be charged for; 0 when there is none. */
    int willBytes() {
        return will == null ? 0 : will.heldBytes();
    }

    private void forgetWill() {
        session.memory().giveBack(willBytes());
        will = null;
    }

    /**
     * Takes a packet from the client. Event loop only.
     *
     * @throws ProtocolException for what this client may not do now; the caller answers it and closes the connection
     */
    public void receive(MqttPacket packet) {
        connection.eventLoop().assertCurrent();
        if (state != State.OPEN) {
            return;
        }
        if (keepAlive != null) {
            keepAlive.packetReceived();
        }
        switch (packet) {
            case PublishPacket publish -> publish(publish);
            case PubAckPacket acknowledgement -> {
                session.parts().outbound().acknowledged(acknowledgement);
                session.proceed();
            }
            case PubRecPacket received -> {
                session.parts().outbound().received(received);
                session.proceed();
            }
            case PubRelPacket release -> release(release);
            case PubCompPacket completion -> {
                session.parts().outbound().completed(completion);
                session.proceed();
            }
            case SubscribePacket subscribe -> services.subscribeService().subscribe(session, connection, subscribe);
            case UnsubscribePacket unsubscribe ->
                connection.send(services.subscribeService().unsubscribe(session, unsubscribe));
            case PingReqPacket _ -> connection.send(PingRespPacket.INSTANCE);
            case DisconnectPacket disconnect -> disconnect(disconnect);
            // [MQTT-3.1.0-2]
            case ConnectPacket _ -> throw protocolError("a second CONNECT");
            case AuthPacket _ -> throw protocolError("AUTH without an authentication method in CONNECT");
            case ConnAckPacket _, SubAckPacket _, UnsubAckPacket _, PingRespPacket _ ->
                throw protocolError("a packet that only servers send");
        }
    }

    private static ProtocolException protocolError(String detail) {
        return new ProtocolException(ReasonCode.PROTOCOL_ERROR, detail);
    }

    // From the client.

    private void publish(PublishPacket packet) {
        TopicName topic = aliases.resolve(packet);
        switch (packet.qos()) {
            case AT_MOST_ONCE -> publish(packet, topic);
            case AT_LEAST_ONCE -> {
                ReasonCode reason = answer(publish(packet, topic));
                connection.send(new PubAckPacket(packet.packetId(), reason, null, List.of()));
            }
            case EXACTLY_ONCE -> publishExactlyOnce(packet, topic);
        }
    }

    private PublishOutcome publish(PublishPacket packet, TopicName topic) {
        return services.publishService()
                .publish(PublishMessage.receivedAt(
                        services.clock(),
                        session.clientId(),
                        topic,
                        packet.qos(),
                        packet.retain(),
                        packet.properties(),
                        packet.payload()));
    }

    private void publishExactlyOnce(PublishPacket packet, TopicName topic) {
        InboundQos2 received = session.parts().inboundQos2();
        ReasonCode reason = ReasonCode.SUCCESS;
        // One that was received already is only answered again [MQTT-4.3.3-10].
        if (!received.contains(packet.packetId())) {
            if (unreleased >= services.settings().receiveMaximum() && version.hasProperties()) {
                // [MQTT-3.3.4-7]
                throw new ProtocolException(
                        ReasonCode.RECEIVE_MAXIMUM_EXCEEDED, "more QoS 2 messages at a time than announced");
            }
            reason = answer(publish(packet, topic));
            if (!reason.isError()) {
                received.add(packet.packetId());
                unreleased++;
            }
        }
        connection.send(new PubRecPacket(packet.packetId(), reason, null, List.of()));
    }

    /**
     * What PUBACK or PUBREC says.
     *
     * @throws ProtocolException when the client has no way of being told that its message was not taken
     */
    private ReasonCode answer(PublishOutcome outcome) {
        return switch (outcome) {
            case PublishOutcome.Routed routed ->
                routed.recipients() == 0 && version.hasProperties()
                        ? ReasonCode.NO_MATCHING_SUBSCRIBERS
                        : ReasonCode.SUCCESS;
            case PublishOutcome.NotKept _ ->
                // A client of MQTT 3.x cannot be told, and to close would keep it from publishing while the others are
                // away.
                version.hasProperties() ? ReasonCode.QUOTA_EXCEEDED : ReasonCode.SUCCESS;
            case PublishOutcome.Refused refused -> {
                if (version.hasProperties()) {
                    yield refused.reason();
                }
                if (refused.reason() == ReasonCode.NOT_AUTHORIZED) {
                    // What may not be published is acknowledged as if it had been [MQTT-3.3.5-2 in MQTT 3.1.1].
                    yield ReasonCode.SUCCESS;
                }
                // The message may be sent again: without an acknowledgement it is still the client's.
                throw new ProtocolException(refused.reason(), "the message was not taken");
            }
        };
    }

    private void release(PubRelPacket packet) {
        boolean known = session.parts().inboundQos2().remove(packet.packetId());
        if (known && unreleased > 0) {
            unreleased--;
        }
        ReasonCode reason = known ? ReasonCode.SUCCESS : ReasonCode.PACKET_IDENTIFIER_NOT_FOUND;
        connection.send(new PubCompPacket(packet.packetId(), reason, null, List.of()));
    }

    private void disconnect(DisconnectPacket packet) {
        Long newExpirySeconds = packet.sessionExpirySeconds();
        if (newExpirySeconds != null) {
            if (newExpirySeconds != 0 && expirySeconds == 0) {
                // MQTT 5.0, section 3.14.2.2.2
                throw protocolError("DISCONNECT may not prolong a session that CONNECT let end with its connection");
            }
            expirySeconds = Math.min(newExpirySeconds, services.settings().maximumExpirySeconds());
        }
        if (packet.reason() == ReasonCode.SUCCESS) {
            forgetWill(); // [MQTT-3.14.4-3]
        }
        state = State.ENDING;
        connection.close();
    }

    // To the client.

    /** Sends a QoS 0 message, which the caller counts, or drops and counts it. */
    boolean deliver(PublishMessage message, boolean retain, List<Integer> subscriptionIdentifiers) {
        SessionMetrics metrics = services.metrics();
        if (state != State.OPEN) {
            metrics.droppedDisconnected.increment();
            return false;
        }
        if (!connection.isWritable()) {
            metrics.droppedSlowConsumer.increment();
            return false;
        }
        PublishPacket packet = packet(message, retain, subscriptionIdentifiers);
        if (packet == null) {
            metrics.droppedExpired.increment();
        } else if (connection.send(packet)) {
            return true;
        } else if (connection.isOpen()) {
            metrics.droppedTooLarge.increment();
        } else {
            metrics.droppedDisconnected.increment();
        }
        return false;
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

    /** A client that did not read what it was sent reads again. Event loop only. */
    public void becameWritable() {
        connection.eventLoop().assertCurrent();
        if (state == State.OPEN) {
            session.proceed();
        }
    }

    /**
     * Ends the conversation from this side: tells a client of MQTT 5.0 why and closes. Event loop only.
     *
     * @param reason an error of the standard's DISCONNECT
     */
    public void end(ReasonCode reason) {
        connection.eventLoop().assertCurrent();
        if (state != State.OPEN) {
            return;
        }
        state = State.ENDING;
        log.debug("clientId={} is disconnected: {}", session.clientId(), reason);
        if (version.hasProperties()) {
            connection.send(DisconnectPacket.of(reason, null));
        }
        connection.close();
    }

    /** The client has connected again. Event loop only. */
    void takenOver() {
        end(ReasonCode.SESSION_TAKEN_OVER);
        lost(true);
    }

    /** A bug struck: ends the conversation without a word, as what could be said is in doubt. Event loop only. */
    void fail() {
        if (state == State.OPEN) {
            state = State.ENDING;
            connection.close();
        }
    }

    private void keepAliveExpired() {
        services.metrics().keepAliveTimeouts.increment();
        end(ReasonCode.KEEP_ALIVE_TIMEOUT);
    }

    /** The network connection is gone, for whatever reason. Event loop only. */
    public void connectionLost() {
        connection.eventLoop().assertCurrent();
        lost(false);
    }

    private void lost(boolean takenOver) {
        if (state == State.GONE) {
            return;
        }
        state = State.GONE;
        if (keepAlive != null) {
            keepAlive.stop();
        }
        if (!begun) {
            forgetWill();
        }
        WillMessage due = will;
        will = null;
        session.detach(due, expirySeconds, takenOver);
    }
}
