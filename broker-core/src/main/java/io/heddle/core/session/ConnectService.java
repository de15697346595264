package io.heddle.core.session;

import io.heddle.core.authentication.Authentication;
import io.heddle.core.authentication.AuthenticationOutcome;
import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authentication.AuthenticationOutcome.Refused;
import io.heddle.core.authentication.ConnectCredentials;
import io.heddle.core.authorization.TopicRules;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.Connection;
import io.heddle.core.mqtt.ControlCharacters;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.ConnAckPacket;
import io.heddle.core.mqtt.packet.ConnAckProperties;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.mqtt.packet.WillMessage;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers CONNECT: checks it, authenticates the client, takes the client id over from an older session and makes the new one.
 * Each call stays on its connection's event loop except for the authentication.
 */
public final class ConnectService {
    private static final Logger log = LoggerFactory.getLogger(ConnectService.class);

    private static final long LOG_INTERVAL_MILLIS = 1_000;

    private final Authentication authentication;
    private final LocalSessions sessions;
    private final SessionServices services;
    private final SessionMetrics metrics;
    private final AtomicLong otherUserLoggedMillis = new AtomicLong();

    /** The one place of a node where clients come in. */
    public ConnectService(Authentication authentication, LocalSessions sessions, SessionServices services) {
        this.authentication = authentication;
        this.sessions = sessions;
        this.services = services;
        this.metrics = services.metrics();
    }

    /**
     * Answers a client's CONNECT, which is not yet answered when this returns. Event loop only.
     *
     * @param established gets the conversation, on the event loop and after CONNACK was sent. Not called when the client is
     *     refused: it then got its CONNACK and the connection is being closed. Nor when the client has gone meanwhile
     */
    public void connect(Connection connection, ConnectPacket packet, Consumer<ClientConnection> established) {
        connection.eventLoop().assertCurrent();
        ReasonCode refusal = refusalReason(packet);
        if (refusal != null) {
            refuse(connection, refusal, "clientId=" + packet.clientId());
            return;
        }
        String assigned = packet.clientId().isEmpty() ? "heddle-" + UUID.randomUUID() : null;
        ClientId clientId = new ClientId(assigned != null ? assigned : packet.clientId());
        ConnectCredentials shown = new ConnectCredentials(
                clientId,
                packet.userName(),
                packet.password(),
                connection.remoteAddress(),
                () -> !connection.isOpen(),
                true);
        authentication.authenticate(
                shown, connection.eventLoop(), outcome -> conclude(connection, packet, assigned, outcome, established));
    }

    private static @Nullable ReasonCode refusalReason(ConnectPacket packet) {
        if (packet.properties().authenticationMethod() != null) {
            return ReasonCode.BAD_AUTHENTICATION_METHOD;
        }
        if (packet.clientId().isEmpty()) {
            // MQTT 3.1 has no assigned ids; 3.1.1 has them for clean sessions only [MQTT-3.1.3-8].
            boolean mayBeAssigned =
                    packet.version() != MqttVersion.V3_1 && (packet.cleanStart() || packet.version() == MqttVersion.V5);
            return mayBeAssigned ? null : ReasonCode.CLIENT_IDENTIFIER_NOT_VALID;
        }
        if (ControlCharacters.in(packet.clientId())) {
            return ReasonCode.CLIENT_IDENTIFIER_NOT_VALID;
        }
        WillMessage will = packet.will();
        if (will == null) {
            return null;
        }
        return TopicRules.isOpenToPublishers(will.topic()) ? null : ReasonCode.NOT_AUTHORIZED;
    }

    private void conclude(
            Connection connection,
            ConnectPacket packet,
            @Nullable String assignedClientId,
            AuthenticationOutcome outcome,
            Consumer<ClientConnection> established) {
        if (!connection.isOpen()) {
            metrics.connectAnswered("gone");
            return;
        }
        switch (outcome) {
            case Refused refused -> refuse(connection, refused.reason(), refused.detail());
            case Accepted accepted -> {
                WillMessage will = packet.will();
                if (will != null && !WillCharge.tryTake(will, sessionLasts(packet), services.memory())) {
                    metrics.willsRefused.increment();
                    refuse(connection, ReasonCode.QUOTA_EXCEEDED, "the sessions' memory has no room for the will");
                    return;
                }
                sessions.claim(
                        new SessionClaim(this, connection, packet, assignedClientId, accepted.identity(), established));
            }
        }
    }

    /** The client has gone before it got a session. Any thread may call. */
    void abandon(ConnectPacket packet) {
        metrics.connectAnswered("gone");
        giveBackWill(packet);
    }

    /** Gives back what was taken for the will of a client that gets no session. Any thread may call. */
    void giveBackWill(ConnectPacket packet) {
        WillMessage will = packet.will();
        if (will != null) {
            WillCharge.giveBack(will, sessionLasts(packet), services.memory());
        }
    }

    private boolean sessionLasts(ConnectPacket packet) {
        return ServerCapabilities.expirySeconds(packet, services.settings()) > 0;
    }

    /** Tells a client that it is not let in, and closes. Event loop only. */
    void refuse(Connection connection, ReasonCode reason, String detail) {
        log.debug("Refused a client from {}: {} ({})", connection.remoteAddress(), reason, detail);
        metrics.connectAnswered(reason.tag());
        connection.send(new ConnAckPacket(false, reason, ConnAckProperties.NONE));
        connection.close();
    }

    /** Tells a client that its client id has a session that belongs to another user, and closes. Event loop only. */
    void refuseOtherUser(Connection connection, ClientIdentity identity) {
        metrics.refusedOtherUser.increment();
        if (mayLogOtherUser()) {
            log.info(
                    "Refused CONNECT because the client id has a session of another user; assign the client id with credentials"
                            + " that name it, or wait until the session has expired: clientId={}, userName={}, address={}",
                    identity.clientId(),
                    identity.userName(),
                    connection.remoteAddress());
        }
        refuse(connection, ReasonCode.NOT_AUTHORIZED, "clientId=" + identity.clientId() + " is another user's");
    }

    /** Tells a client that its user, or its address, may not have another persistent session, and closes. Event loop only. */
    void refuseOwner(Connection connection) {
        metrics.refusedOwner.increment();
        refuse(
                connection,
                ReasonCode.QUOTA_EXCEEDED,
                "the user, or the address of anonymous clients, has as many persistent sessions as it may");
    }

    private boolean mayLogOtherUser() {
        long nowMillis = services.clock().millis();
        long lastMillis = otherUserLoggedMillis.get();
        return nowMillis - lastMillis >= LOG_INTERVAL_MILLIS
                && otherUserLoggedMillis.compareAndSet(lastMillis, nowMillis);
    }

    /** Begins a client's conversation about its session. Event loop only. */
    void grant(SessionClaim claim, ClientSession session, boolean present) {
        ClientConnection conversation = new ClientConnection(session, claim.connection(), claim.packet(), services);
        session.attach(conversation);
        try {
            begin(claim, conversation, session, present);
        } catch (RuntimeException fault) {
            // The transport may not know of the conversation yet: then nobody else would tell it that it is over.
            session.failed(fault);
            conversation.connectionLost();
        }
    }

    private void begin(SessionClaim claim, ClientConnection conversation, ClientSession session, boolean present) {
        Connection connection = claim.connection();
        if (!connection.isOpen()) {
            metrics.connectAnswered("gone");
            conversation.connectionLost();
            return;
        }
        boolean answered = connection.send(new ConnAckPacket(
                present,
                ReasonCode.SUCCESS,
                ServerCapabilities.announce(claim.packet(), claim.assignedClientId(), services.settings())));
        if (!answered) {
            // The client takes no packet as large as this CONNACK, so it can never learn that it is connected.
            metrics.connectAnswered(ReasonCode.PACKET_TOO_LARGE.tag());
            conversation.connectionLost();
            connection.close();
            return;
        }
        conversation.begin();
        metrics.connectAnswered(ReasonCode.SUCCESS.tag());
        log.debug("clientId={} connected from {}", session.clientId(), connection.remoteAddress());
        session.beginSending();
        claim.established().accept(conversation);
    }
}
