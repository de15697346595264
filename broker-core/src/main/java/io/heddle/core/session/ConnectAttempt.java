package io.heddle.core.session;

import io.heddle.core.authentication.AuthExchange;
import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authorization.decision.ClientRules;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.Connection;
import io.heddle.core.client.DisconnectCause;
import io.heddle.core.client.EventLoop;
import io.heddle.core.cluster.MessageName;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.ConnAckPacket;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.mqtt.packet.WillMessage;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.session.persistent.SessionOwner;
import io.heddle.core.session.registrar.Departure;
import io.heddle.core.session.registrar.OpenOutcome;
import io.heddle.core.session.registrar.OpenRequest;
import java.net.SocketAddress;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One accepted CONNECT on its way to CONNACK. Owned by the event loop of its connection, except while an older session of the client,
 * on another event loop, decides about the takeover.
 *
 * <p>States: started (the will is charged) → claiming ({@link LocalSessions} finds the client's session on this node) → waiting (an older
 * session is opening or ending; then claiming again) → opening (a new {@link ClientSession} asks the registrar) → granted, refused or
 * abandoned (the connection is lost). The will's charge passes on to the {@link ClientConnection} when the attempt is granted.
 */
final class ConnectAttempt {
    private static final Logger log = LoggerFactory.getLogger(ConnectAttempt.class);

    private final Connection connection;
    private final SocketAddress remoteAddress;
    private final ConnectPacket packet;
    private final @Nullable String assignedClientId;
    private final ClientIdentity identity;
    private final Accepted accepted;
    private final @Nullable AuthExchange signIn;
    private final ClientRules rules;
    private final Consumer<ClientConnection> established;
    private final LocalSessions sessions;
    private final SessionServices services;

    /**
     * An attempt that has not started.
     *
     * @param packet the CONNECT with the client's own id, which may be empty
     * @param assignedClientId the id that was assigned to a client without one, or null
     * @param signIn the exchange by which the client has proved its identity, or null
     * @param established receives the connection after CONNACK was sent
     */
    ConnectAttempt(
            Connection connection,
            ConnectPacket packet,
            @Nullable String assignedClientId,
            Accepted accepted,
            @Nullable AuthExchange signIn,
            ClientRules rules,
            Consumer<ClientConnection> established,
            LocalSessions sessions,
            SessionServices services) {
        this.connection = connection;
        this.remoteAddress = connection.remoteAddress();
        this.packet = packet;
        this.assignedClientId = assignedClientId;
        this.identity = accepted.identity();
        this.accepted = accepted;
        this.signIn = signIn;
        this.rules = rules;
        this.established = established;
        this.sessions = sessions;
        this.services = services;
    }

    /** Charges the will and claims the client's session. On the event loop. */
    void start() {
        WillMessage will = packet.will();
        if (will != null && !WillCharge.tryCharge(will, outlivesConnection(), services.memory())) {
            MemoryBudget memory = services.memory();
            services.answers()
                    .refuseWill(connection, identity, outlivesConnection() ? memory.persistentLimit() : memory.limit());
            return;
        }
        sessions.claim(this);
    }

    /** Claims the client's session again, because the older session is disconnected or has ended. Any thread. */
    void retry() {
        eventLoop().execute(() -> sessions.claim(this));
    }

    private boolean outlivesConnection() {
        return expirySeconds() > 0;
    }

    private long expirySeconds() {
        return ServerCapabilities.expirySeconds(packet, identity, services.settings());
    }

    ClientIdentity identity() {
        return identity;
    }

    ClientRules rules() {
        return rules;
    }

    SocketAddress remoteAddress() {
        return remoteAddress;
    }

    EventLoop eventLoop() {
        return connection.eventLoop();
    }

    OpenRequest request() {
        return new OpenRequest(
                identity,
                SessionOwner.of(identity, connection.remoteAddress()),
                packet.cleanStart(),
                expirySeconds(),
                packet.will(),
                services.persistent().incarnation(),
                0);
    }

    /**
     * Returns whether the connection is known to be lost, with no packet behind CONNECT. Only its own event loop can tell: an attempt that
     * another loop decides may be granted although its connection was lost in the meantime.
     */
    boolean isAbandoned() {
        return eventLoop().isCurrent() && isLost();
    }

    /** Returns whether the connection is lost, with no packet behind CONNECT. Any thread; others than its own may see it later. */
    boolean isLost() {
        return connection.isGone();
    }

    // The end of the attempt.

    /** The connection is lost, so the client gets no session. On the event loop. */
    void abandon() {
        services.answers().gone(connection, identity.clientId().value(), identity.userName());
        giveBackWill();
    }

    /**
     * The registrar has decided. On the event loop.
     *
     * @param isReadable whether this node may supply the messages of the session
     */
    void onOutcome(ClientSession session, OpenOutcome outcome, boolean isReadable) {
        switch (outcome) {
            case OpenOutcome.Opened granted -> onOpened(session, granted, isReadable);
            case OpenOutcome.Transient(long number) -> {
                session.register(number);
                grant(session, false, Map.of());
            }
            case OpenOutcome.Refused refused -> {
                session.end();
                refuse(refused);
            }
            case OpenOutcome.Unavailable unavailable -> {
                session.end();
                abandonOrRefuse(unavailable);
            }
            case OpenOutcome.Moved _ -> {
                session.end();
                refuse(new OpenOutcome.Unavailable(
                        ReasonCode.SERVER_BUSY, "another node is about to decide about the client"));
            }
        }
    }

    /** Gives the session back if the connection is lost, or if this node does not know the session or its progress. */
    private void onOpened(ClientSession session, OpenOutcome.Opened granted, boolean isReadable) {
        HeldSession found = isReadable ? HeldSession.find(identity.clientId(), granted, services) : null;
        if (found != null && !(granted.isPresent() && isAbandoned())) {
            if (granted.hasMissed()) {
                // From now on, this node remembers what becomes of the messages for the client.
                var _ = services.metrics()
                        .incidents()
                        .pastMessages()
                        .of(identity.clientId(), services.clock().millis());
            }
            session.hold(found, granted.registration());
            grant(session, granted.isPresent(), granted.registration().inboundReceived());
            return;
        }
        var _ = services.registrar().leave(Departure.unanswered(identity.clientId(), granted, expirySeconds()));
        session.end();
        abandonOrRefuse(new OpenOutcome.Unavailable(
                ReasonCode.SERVER_UNAVAILABLE,
                isReadable
                        ? "the session is not known to this node"
                        : "the log of its acknowledgements did not answer"));
    }

    private void abandonOrRefuse(OpenOutcome.Unavailable unavailable) {
        if (isAbandoned()) {
            abandon();
        } else {
            refuse(unavailable);
        }
    }

    /** Refuses the client because the node has no room for its session. On the event loop. */
    void refuseNoRoom() {
        refuse(OpenOutcome.Refused.NO_ROOM);
    }

    /** Refuses the client because its user has the maximum number of connections to this node. On the event loop. */
    void refuseConnections() {
        giveBackWill();
        services.answers()
                .refuseConnections(connection, identity, rules.limits().connections());
    }

    /** Refuses the client because its client id has a session of another user. Any thread. */
    void refuseOtherUser() {
        if (eventLoop().isCurrent()) {
            refuse(OpenOutcome.Refused.OTHER_USER);
        } else {
            eventLoop().execute(this::refuseOtherUser);
        }
    }

    /** Refuses the client for this reason. On the event loop. */
    void refuse(OpenOutcome.Refused reason) {
        giveBackWill();
        switch (reason) {
            case OTHER_USER -> services.answers().refuseOtherUser(connection, identity);
            case NO_ROOM -> services.answers().refuseNoRoom(connection, identity, sessions.exceeded());
            case OWNER_QUOTA ->
                services.answers()
                        .refuseOwner(connection, identity, services.settings().maximumPersistentPerOwner());
            case CONNECTED -> throw new IllegalStateException("only administrators ask for clients that are away");
        }
    }

    /** Refuses the client because the stores can't open its session. On the event loop. */
    void refuse(OpenOutcome.Unavailable unavailable) {
        giveBackWill();
        services.answers().refuse(connection, identity, unavailable.reason(), unavailable.detail());
    }

    private void giveBackWill() {
        WillMessage will = packet.will();
        if (will != null) {
            WillCharge.release(will, outlivesConnection(), services.memory());
        }
    }

    /**
     * Connects the client to its session and sends CONNACK. On the event loop.
     *
     * @param present whether the session existed before
     * @param unreleased the names of QoS 2 messages that wait for PUBREL since an earlier connection, by Packet Identifier
     */
    private void grant(ClientSession session, boolean present, Map<Integer, MessageName> unreleased) {
        ClientConnection client = new ClientConnection(session, connection, packet, unreleased, services);
        session.attach(client, packet.properties().receiveMaximum());
        try {
            answer(client, session, present);
        } catch (RuntimeException fault) {
            // The transport may not know the ClientConnection yet, so it would not report the lost connection.
            session.onFault(fault);
            client.onConnectionLost(DisconnectCause.FAULT);
        }
    }

    private void answer(ClientConnection client, ClientSession session, boolean present) {
        if (connection.isGone()) {
            services.answers().gone(connection, identity.clientId().value(), identity.userName());
            client.onConnectionLost(DisconnectCause.CLOSED_BY_CLIENT);
            return;
        }
        connection.names().set(identity.clientId().value(), identity.userName());
        boolean answered = connection.send(new ConnAckPacket(
                present,
                ReasonCode.SUCCESS,
                ServerCapabilities.announce(packet, assignedClientId, accepted, services.settings())));
        // A client that has closed the connection needs no answer; the packets that it has sent before are processed.
        if (!answered && connection.isOpen()) {
            // CONNACK exceeds the client's Maximum Packet Size, so the client can never learn that it is connected.
            services.metrics().connectAnswered(ReasonCode.PACKET_TOO_LARGE.tag());
            client.onConnectionLost(DisconnectCause.byServer(ReasonCode.PACKET_TOO_LARGE, null));
            connection.close();
            return;
        }
        client.begin(proof(client, session));
        services.metrics().connectAnswered(ReasonCode.SUCCESS.tag());
        client.client().show(connection, present, services.metrics().incidents().events());
        log.debug("Client connected: clientId={}, address={}", session.clientId(), connection.remoteAddress());
        session.beginSending();
        established.accept(client);
        String blocked = services.blocked().connected(identity.clientId(), identity.userName(), remoteAddress);
        if (blocked != null) {
            session.disconnect(ReasonCode.ADMINISTRATIVE_ACTION, blocked);
        }
    }

    private @Nullable IdentityProof proof(ClientConnection client, ClientSession session) {
        return accepted.validUntil() == null && signIn == null
                ? null
                : new IdentityProof(
                        session,
                        identity,
                        session::renew,
                        connection,
                        signIn,
                        accepted.validUntil(),
                        client::end,
                        services);
    }
}
