package io.heddle.core.session;

import io.heddle.core.Limit;
import io.heddle.core.authentication.AuthenticationOutcome.Refused;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.Connection;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.ConnAckPacket;
import io.heddle.core.mqtt.packet.ConnAckProperties;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.session.outbound.SessionMetrics;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses clients with CONNACK, and logs and counts the refusals of a node. Each call is made on the event loop of its connection.
 */
final class ConnectAnswers {
    private static final Logger log = LoggerFactory.getLogger(ConnectAnswers.class);

    private final SessionMetrics metrics;

    ConnectAnswers(SessionMetrics metrics) {
        this.metrics = metrics;
    }

    /** Refuses a client that is not authenticated. */
    void refuse(Connection connection, ConnectPacket packet, Refused refused) {
        refuse(connection, packet.clientId(), packet.userName(), refused);
    }

    /** Refuses a client that has claimed this user name, or null. */
    void refuse(Connection connection, String clientId, @Nullable String userName, Refused refused) {
        Limit limit = refused.limit();
        if (limit == null) {
            metrics.incidents().connectRefused(refused.reason(), refused.detail(), clientId, userName, connection);
        } else {
            metrics.incidents().refused(limit, "a connection", clientId, userName, connection.remoteAddress());
        }
        answer(connection, refused.reason(), refused.detail());
    }

    void refuse(Connection connection, ClientIdentity identity, ReasonCode reason, String detail) {
        metrics.incidents()
                .connectRefused(reason, detail, identity.clientId().value(), identity.userName(), connection);
        answer(connection, reason, detail);
    }

    private void answer(Connection connection, ReasonCode reason, String detail) {
        log.debug("Refused CONNECT: reason={}, detail={}, address={}", reason, detail, connection.remoteAddress());
        metrics.connectAnswered(reason.tag());
        connection.send(new ConnAckPacket(false, reason, ConnAckProperties.NONE));
        connection.close();
    }

    /** A client has closed its connection before CONNACK. Closes this side, too, which drops what was received. */
    void gone(Connection connection, String clientId, @Nullable String userName) {
        connection.close();
        metrics.connectAnswered("gone");
        metrics.incidents().gone(clientId, userName, connection.remoteAddress(), connection.listener());
    }

    /** Refuses a client because its client id has a session that belongs to another user. */
    void refuseOtherUser(Connection connection, ClientIdentity identity) {
        metrics.refusedOtherUser.increment();
        refuse(
                connection,
                identity,
                ReasonCode.NOT_AUTHORIZED,
                "the client id has a session of another user: assign the client id with credentials that name it, or"
                        + " wait until the session has expired");
    }

    /** Refuses a client because there is no memory for its will. */
    void refuseWill(Connection connection, ClientIdentity identity, Limit limit) {
        metrics.willsRefused.increment();
        log(connection, identity, limit);
        answer(connection, ReasonCode.QUOTA_EXCEEDED, "the memory for sessions has no room for the will");
    }

    private void log(Connection connection, ClientIdentity identity, Limit limit) {
        metrics.incidents()
                .refused(
                        limit,
                        "a connection",
                        identity.clientId().value(),
                        identity.userName(),
                        connection.remoteAddress());
    }

    /** Refuses a client because its user, or its address, has too many persistent sessions. */
    void refuseOwner(Connection connection, ClientIdentity identity, int maximum) {
        metrics.refusedOwner.increment();
        log(connection, identity, new Limit("heddle.session.maximum-persistent-per-user", maximum));
        answer(
                connection,
                ReasonCode.QUOTA_EXCEEDED,
                "the user, or the address of anonymous clients, has the maximum number of persistent sessions");
    }

    /** Refuses a client because its user has the maximum number of connections to this node. */
    void refuseConnections(Connection connection, ClientIdentity identity, long maximum) {
        log(connection, identity, new Limit("limit connections of the rules", maximum));
        answer(connection, ReasonCode.QUOTA_EXCEEDED, "the user has the maximum number of connections");
    }

    /** Refuses a client because the node has no room for another session. */
    void refuseNoRoom(Connection connection, ClientIdentity identity, Limit limit) {
        log(connection, identity, limit);
        answer(
                connection,
                ReasonCode.QUOTA_EXCEEDED,
                "the node has the maximum number of sessions, or the memory for sessions is full");
    }
}
