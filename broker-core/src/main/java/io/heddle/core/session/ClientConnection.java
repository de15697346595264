package io.heddle.core.session;

import io.heddle.core.HotPath;
import io.heddle.core.backpressure.Inflow;
import io.heddle.core.client.Connection;
import io.heddle.core.client.DisconnectCause;
import io.heddle.core.cluster.MessageName;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
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
import io.heddle.core.session.inbound.InboundPublishes;
import io.heddle.core.session.subscribe.InboundSubscriptions;
import io.heddle.core.session.subscribe.PublishOrder;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The packets between a client and the broker over one Network Connection. Owned by the connection's event loop, which the public methods
 * assert. The {@link ClientSession} keeps what outlives the connection.
 *
 * <p>States: open → ending (this side has closed; no packet is taken or sent) → gone (the session knows that the connection is lost).
 */
@HotPath
public final class ClientConnection {
    private static final Logger log = LoggerFactory.getLogger(ClientConnection.class);

    /** The longest time for which the client's next connection waits for packets that this one has received. */
    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(1);

    // Dependencies.
    private final SessionServices services;
    private final ClientSession session;

    // Of the connection.
    private final Connection connection;
    private final MqttVersion version;
    private final KeepAlive keepAlive;
    private final boolean maySleep;
    private final Inflow inflow;
    private final InboundPublishes publishes;
    private final AtMostOnceOutput output;
    // Null if the client has signed in without an exchange, and may stay.
    private @Nullable IdentityProof proof;
    // Null before the first SUBSCRIBE or UNSUBSCRIBE.
    private @Nullable InboundSubscriptions subscriptions;
    private long expirySeconds;
    // In force once CONNACK is sent; charged to the memory budget from the start.
    private @Nullable WillMessage will;
    private final boolean persistentWill;
    private final ConnectedClient client;
    private boolean started;
    // The network connection is lost, but a received packet is held.
    private boolean lossPending;
    private boolean takeoverPending;
    private State state = State.OPEN;
    private @Nullable DisconnectCause cause;

    private enum State {
        OPEN,
        ENDING,
        GONE
    }

    ClientConnection(
            ClientSession session,
            Connection connection,
            ConnectPacket connect,
            Map<Integer, MessageName> unreleased,
            SessionServices services) {
        this.services = services;
        this.session = session;
        this.connection = connection;
        this.version = connect.version();
        this.client = ConnectedClient.of(session.identity(), connection, connect, services);
        this.expirySeconds = client.expirySeconds();
        this.will = connect.will();
        this.persistentWill = expirySeconds > 0;
        this.output = new AtMostOnceOutput(session, connection, services);
        int keepAliveSeconds = client.keepAliveSeconds();
        // Zero switches the keep alive off (MQTT 5.0, section 3.1.2.10).
        this.maySleep = keepAliveSeconds == 0;
        this.keepAlive = new KeepAlive(
                connection.eventLoop(),
                maySleep ? KeepAlive.UNREAD_SECONDS : keepAliveSeconds,
                this::isExcused,
                connection::unfinishedBytes,
                this::keepAliveExpired);
        this.inflow = new Inflow(connection, keepAlive::packetReceived);
        this.publishes = new InboundPublishes(session, connection, inflow, version, unreleased, services.inbound());
    }

    /** CONNACK was sent: the client has a will from now on [MQTT-3.1.2-8]. Its proof is null if it needs no care. */
    void begin(@Nullable IdentityProof identity) {
        started = true;
        proof = identity;
        publishes.begin();
        if (!maySleep) {
            keepAlive.start();
        }
    }

    /** Returns whether neither side has closed. Any thread. */
    boolean isOpen() {
        return connection.isOpen();
    }

    /**
     * Returns whether the client may be silent now. A client with unsent output is not read: instead of sending packets it must read that
     * output.
     */
    private boolean isExcused() {
        return connection.isWritable() ? maySleep || inflow.isPaused() : connection.takesOutput();
    }

    Connection connection() {
        return connection;
    }

    /** Returns the name by which the client was authenticated, or null. Any thread. */
    public @Nullable String userName() {
        return client.identity().userName();
    }

    /** Describes the client and its connection. Any thread. */
    ConnectedClient client() {
        return client;
    }

    /** Returns whether the client may read the topics of the broker. */
    boolean mayReadSys() {
        return services.sys().isReadableBy(session.identity(), connection.remoteAddress());
    }

    private InboundSubscriptions subscriptions() {
        if (subscriptions == null) {
            PublishOrder order = new PublishOrder(
                    connection.eventLoop(), inflow, services.memory(), this::publishHeld, services.metrics());
            subscriptions = new InboundSubscriptions(session, connection, inflow, services.subscribeService(), order);
        }
        return subscriptions;
    }

    /** Decides whether the client is read. Any thread. */
    Inflow inflow() {
        return inflow;
    }

    private void forgetWill() {
        if (will != null) {
            WillCharge.release(will, persistentWill, services.memory());
            will = null;
        }
    }

    /**
     * Handles a packet of the client. Event loop only.
     *
     * @throws ProtocolException for a packet that this client may not send now; the caller answers it and closes the connection
     */
    public void receive(MqttPacket packet) {
        connection.eventLoop().assertCurrent();
        if (state != State.OPEN) {
            return;
        }
        keepAlive.packetReceived();
        switch (packet) {
            case PublishPacket publish -> {
                if (subscriptions == null || !subscriptions.order().tryHold(publish)) {
                    publishes.publish(publish);
                }
            }
            case PubAckPacket acknowledgement -> {
                session.outbox().messages().acknowledged(acknowledgement);
                session.proceed();
            }
            case PubRecPacket received -> {
                session.outbox().messages().received(received);
                session.proceed();
            }
            case PubRelPacket release -> publishes.release(release);
            case PubCompPacket completion -> {
                session.outbox().messages().completed(completion);
                session.proceed();
            }
            case SubscribePacket subscribe -> subscriptions().subscribe(subscribe);
            case UnsubscribePacket unsubscribe -> subscriptions().unsubscribe(unsubscribe);
            case PingReqPacket _ -> connection.send(PingRespPacket.INSTANCE);
            case DisconnectPacket disconnect -> disconnect(disconnect);
            // [MQTT-3.1.0-2]
            case ConnectPacket _ -> throw protocolError("a second CONNECT");
            case AuthPacket authentication -> IdentityProof.receive(proof, authentication);
            case ConnAckPacket _, SubAckPacket _, UnsubAckPacket _, PingRespPacket _ ->
                throw protocolError("a packet that only servers send");
        }
    }

    private void publishHeld(PublishPacket packet) {
        if (state == State.OPEN) {
            try {
                publishes.publish(packet);
            } catch (ProtocolException refused) {
                connection.reject(refused);
            } catch (RuntimeException fault) {
                session.onFault(fault);
            }
        }
        if (lossPending) {
            var _ = lost();
        }
    }

    private static ProtocolException protocolError(String detail) {
        return new ProtocolException(ReasonCode.PROTOCOL_ERROR, detail);
    }

    private void disconnect(DisconnectPacket packet) {
        expirySeconds = ServerCapabilities.expirySeconds(packet, expirySeconds, services.settings());
        // Close only when the log is updated: a restart before that would restore the will or the ended session.
        boolean confirms = session.persistent() != null && (will != null || expirySeconds == 0);
        if (packet.reason() == ReasonCode.SUCCESS) {
            forgetWill(); // [MQTT-3.14.4-3]
        }
        state = State.ENDING;
        cause = DisconnectCause.byClient(packet.reason());
        if (confirms) {
            ConfirmedClose.of(connection, lost());
        } else {
            connection.close();
        }
    }

    // To the client.

    /** Sends a QoS 0 message, or drops and counts it. Returns whether it was sent; the caller counts sent messages. */
    boolean deliver(PublishMessage message, boolean retain, List<Integer> subscriptionIdentifiers) {
        return state == State.OPEN
                ? output.send(message, retain, subscriptionIdentifiers)
                : session.outbox().dropped(services.metrics().droppedDisconnected, QoS.AT_MOST_ONCE, message);
    }

    /** The client does not read its output, so it is not read either. Event loop only. */
    public void onUnwritable() {
        connection.eventLoop().assertCurrent();
        if (state == State.OPEN) {
            keepAlive.start();
        }
    }

    /** The client reads its output again. Event loop only. */
    public void onWritable() {
        connection.eventLoop().assertCurrent();
        keepAlive.packetReceived();
        output.onWritable();
        if (state == State.OPEN) {
            session.proceed();
        }
    }

    /** Closes the connection; a client of MQTT 5.0 gets DISCONNECT with the reason, an error code. Event loop only. */
    void end(ReasonCode reason, DisconnectCause because) {
        connection.eventLoop().assertCurrent();
        releaseHeld();
        if (state != State.OPEN) {
            return;
        }
        state = State.ENDING;
        cause = because;
        if (version.hasProperties()) {
            connection.send(DisconnectPacket.of(reason, null));
        }
        connection.close();
    }

    /**
     * The client has connected again, from this address, or to another node if it is null. Event loop only. A connection that the client
     * has closed ends by itself when the packets before are processed, or after {@link #DRAIN_LIMIT}.
     */
    void takenOver(@Nullable SocketAddress newAddress) {
        if (!connection.isDraining()) {
            takeOver(newAddress);
        } else if (!takeoverPending) {
            takeoverPending = true;
            publishes.endRatePause();
            connection.eventLoop().schedule(DRAIN_LIMIT, () -> takeOver(newAddress));
        }
    }

    private void takeOver(@Nullable SocketAddress newAddress) {
        if (state == State.GONE) {
            return;
        }
        services.metrics().takenOver.increment();
        services.metrics().incidents().takenOver(session.identity(), client.address(), newAddress);
        end(ReasonCode.SESSION_TAKEN_OVER, DisconnectCause.byServer(ReasonCode.SESSION_TAKEN_OVER, null));
        var _ = lost();
    }

    /** A message that arrived before the end of the connection is published. */
    private void releaseHeld() {
        if (subscriptions != null) {
            subscriptions.order().release();
        }
    }

    /** Closes the connection after a bug, without DISCONNECT, because its state is in doubt. Event loop only. */
    void fail() {
        if (state == State.OPEN) {
            state = State.ENDING;
            cause = DisconnectCause.FAULT;
            connection.close();
        }
    }

    private void keepAliveExpired() {
        services.metrics().keepAliveTimeouts.increment();
        int unfinishedBytes = connection.isWritable() ? connection.unfinishedBytes() : 0;
        end(ReasonCode.KEEP_ALIVE_TIMEOUT, KeepAlive.cause(client.keepAliveSeconds(), unfinishedBytes));
    }

    /**
     * The network connection is lost. Event loop only.
     *
     * @param found why, unless this side has ended the connection
     */
    public void onConnectionLost(DisconnectCause found) {
        connection.eventLoop().assertCurrent();
        if (cause == null) {
            cause = found;
        }
        if (!found.equals(DisconnectCause.CLOSED_BY_CLIENT)) {
            releaseHeld();
        }
        lossPending = state == State.OPEN
                && subscriptions != null
                && subscriptions.order().isHolding();
        if (!lossPending) {
            var _ = lost();
        }
    }

    /** Detaches the session from the connection. Completes when the session's record as disconnected, or its end, is durable. */
    private CompletionStage<Void> lost() {
        if (state == State.GONE) {
            return CompletableFuture.completedStage(null);
        }
        state = State.GONE;
        WillMessage due = started ? will : null;
        // A waiting will is charged anew.
        forgetWill();
        return session.detach(due, expirySeconds, this::release);
    }

    /** Completes when the outcome of the client's publishes is known. */
    private CompletionStage<Void> release() {
        report();
        keepAlive.stop();
        if (proof != null) {
            proof.stop();
        }
        CompletionStage<Void> published = publishes.end();
        inflow.end();
        output.end();
        return published;
    }

    /** A client that has not got CONNACK was never connected. */
    private void report() {
        DisconnectCause found = cause;
        log.debug("Client disconnected: clientId={}, cause={}", session.clientId(), found);
        if (started && found != null) {
            services.disconnected(client, found);
        }
    }
}
