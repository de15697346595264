package io.heddle.core.session;

import io.heddle.core.HotPath;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.Connection;
import io.heddle.core.client.EventLoop;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.ProtocolException;
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
import io.heddle.core.publish.PublishService;
import io.heddle.core.subscription.DeliveryTerms;
import io.heddle.core.subscription.LocalSession;
import io.heddle.core.subscription.Subscription;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connected client's conversation, which ends with its connection. Owned by the connection's event loop: every method but
 * the plain accessors asserts it. Holds its subscriptions (bounded by a setting) and its will.
 *
 * <p>States: connected → ending (this side has closed, nothing more is taken or sent) → gone (the connection is lost; the
 * subscriptions are removed and the will, if it is due, is published).
 */
@HotPath
public final class ClientSession implements LocalSession {
    private static final Logger log = LoggerFactory.getLogger(ClientSession.class);

    // Dependencies.
    private final SubscribeService subscribeService;
    private final PublishService publishService;
    private final SteadyClock clock;
    private final SessionMetrics metrics;
    private final Consumer<ClientSession> left;

    // Of the session.
    private final ClientIdentity identity;
    private final Map<String, Subscription> subscriptions = new HashMap<>(2);

    // Of the connection.
    private final Connection connection;
    private final MqttVersion version;
    private final boolean expiresWithConnection;
    private final @Nullable KeepAlive keepAlive;
    private @Nullable WillMessage will;
    private volatile State state = State.CONNECTED;

    private enum State {
        CONNECTED,
        ENDING,
        GONE
    }

    ClientSession(
            ClientIdentity identity,
            Connection connection,
            ConnectPacket connect,
            Consumer<ClientSession> left,
            SubscribeService subscribeService,
            PublishService publishService,
            SteadyClock clock,
            SessionMetrics metrics) {
        this.identity = identity;
        this.connection = connection;
        this.version = connect.version();
        this.expiresWithConnection = connect.properties().sessionExpirySeconds() == 0;
        this.will = connect.will();
        this.left = left;
        this.subscribeService = subscribeService;
        this.publishService = publishService;
        this.clock = clock;
        this.metrics = metrics;
        // Zero switches the keep alive off (MQTT 5.0, section 3.1.2.10).
        this.keepAlive = connect.keepAliveSeconds() == 0
                ? null
                : new KeepAlive(connection.eventLoop(), connect.keepAliveSeconds(), this::keepAliveExpired);
    }

    void begin() {
        if (keepAlive != null) {
            keepAlive.start();
        }
    }

    @Override
    public ClientId clientId() {
        return identity.clientId();
    }

    /** Who the client is. */
    public ClientIdentity identity() {
        return identity;
    }

    @Override
    public boolean isConnected() {
        return state == State.CONNECTED;
    }

    @Override
    public EventLoop eventLoop() {
        return connection.eventLoop();
    }

    /**
     * Takes a packet from the client. Event loop only.
     *
     * @throws ProtocolException for what this client may not do now; the caller answers it and closes the connection
     */
    public void receive(MqttPacket packet) {
        eventLoop().assertCurrent();
        if (state != State.CONNECTED) {
            return;
        }
        if (keepAlive != null) {
            keepAlive.packetReceived();
        }
        switch (packet) {
            case PublishPacket publish -> publish(publish);
            case SubscribePacket subscribe ->
                connection.send(subscribeService.subscribe(this, subscriptions, subscribe));
            case UnsubscribePacket unsubscribe ->
                connection.send(subscribeService.unsubscribe(this, subscriptions, unsubscribe));
            case PingReqPacket _ -> connection.send(PingRespPacket.INSTANCE);
            case DisconnectPacket disconnect -> disconnect(disconnect);
            // [MQTT-3.1.0-2]
            case ConnectPacket _ -> throw protocolError("a second CONNECT");
            case PubAckPacket _ -> throw protocolError("PUBACK, but no QoS 1 message was sent");
            case PubRecPacket _ -> throw protocolError("PUBREC, but no QoS 2 message was sent");
            case PubRelPacket _ -> throw protocolError("PUBREL, but no QoS 2 message was received");
            case PubCompPacket _ -> throw protocolError("PUBCOMP, but no QoS 2 message was sent");
            case AuthPacket _ -> throw protocolError("AUTH without an authentication method in CONNECT");
            case ConnAckPacket _, SubAckPacket _, UnsubAckPacket _, PingRespPacket _ ->
                throw protocolError("a packet that only servers send");
        }
    }

    private static ProtocolException protocolError(String detail) {
        return new ProtocolException(ReasonCode.PROTOCOL_ERROR, detail);
    }

    private void publish(PublishPacket packet) {
        if (packet.qos().compareTo(ServerCapabilities.MAXIMUM_QOS) > 0) {
            throw new ProtocolException(ReasonCode.QOS_NOT_SUPPORTED, "only QoS 0 is supported");
        }
        if (packet.retain() && !ServerCapabilities.RETAIN_AVAILABLE) {
            throw new ProtocolException(ReasonCode.RETAIN_NOT_SUPPORTED, "retained messages are not supported");
        }
        TopicName topic = packet.topic();
        if (topic == null || packet.topicAlias() != PublishPacket.NO_TOPIC_ALIAS) {
            // CONNACK announced no Topic Alias Maximum, so there are none [MQTT-3.3.2-9].
            throw new ProtocolException(ReasonCode.TOPIC_ALIAS_INVALID, "topic aliases are not supported");
        }
        publishService.publish(PublishMessage.receivedAt(
                clock, clientId(), topic, packet.qos(), packet.retain(), packet.properties(), packet.payload()));
    }

    private void disconnect(DisconnectPacket packet) {
        Long expirySeconds = packet.sessionExpirySeconds();
        if (expirySeconds != null && expirySeconds != 0 && expiresWithConnection) {
            // MQTT 5.0, section 3.14.2.2.2
            throw protocolError("DISCONNECT may not prolong a session that CONNECT let end with its connection");
        }
        if (packet.reason() == ReasonCode.SUCCESS) {
            will = null; // [MQTT-3.14.4-3]
        }
        state = State.ENDING;
        connection.close();
    }

    @Override
    public void deliver(PublishMessage message, DeliveryTerms terms) {
        eventLoop().assertCurrent();
        if (state != State.CONNECTED) {
            metrics.droppedDisconnected.increment();
            return;
        }
        if (!connection.isWritable()) {
            metrics.droppedSlowConsumer.increment();
            return;
        }
        QoS qos = message.qos().min(terms.maximumQos());
        boolean sent = connection.send(new PublishPacket(
                message.topic(),
                PublishPacket.NO_TOPIC_ALIAS,
                qos,
                message.retain() && terms.retainAsPublished(),
                false,
                PublishPacket.NO_PACKET_ID,
                message.properties(),
                terms.subscriptionIdentifiers(),
                message.payload()));
        if (sent) {
            metrics.delivered.increment();
        } else if (connection.isOpen()) {
            metrics.droppedTooLarge.increment();
        } else {
            metrics.droppedDisconnected.increment();
        }
    }

    /**
     * Ends the conversation from this side: tells a client of MQTT 5.0 why and closes. Event loop only.
     *
     * @param reason an error of the standard's DISCONNECT
     */
    public void end(ReasonCode reason) {
        eventLoop().assertCurrent();
        if (state != State.CONNECTED) {
            return;
        }
        state = State.ENDING;
        log.debug("clientId={} is disconnected: {}", clientId(), reason);
        if (version.hasProperties()) {
            connection.send(DisconnectPacket.of(reason, null));
        }
        connection.close();
    }

    private void keepAliveExpired() {
        metrics.keepAliveTimeouts.increment();
        end(ReasonCode.KEEP_ALIVE_TIMEOUT);
    }

    /** The network connection is gone, for whatever reason. Event loop only; once. */
    public void connectionLost() {
        eventLoop().assertCurrent();
        if (state == State.GONE) {
            return;
        }
        state = State.GONE;
        if (keepAlive != null) {
            keepAlive.stop();
        }
        subscribeService.unsubscribeAll(this, subscriptions);
        left.accept(this);
        WillMessage due = will;
        if (due != null) {
            // The session ends with its connection, so the will is due whatever its delay [MQTT-3.1.3-9].
            will = null;
            metrics.willsPublished.increment();
            publishService.publish(PublishMessage.receivedAt(
                    clock, clientId(), due.topic(), due.qos(), due.retain(), due.properties(), due.payload()));
        }
        log.debug("clientId={} is gone", clientId());
    }
}
