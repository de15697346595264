package io.heddle.core.session;

import io.heddle.core.Limit;
import io.heddle.core.authentication.AuthenticationOutcome.Refused;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.Connection;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.ConnAckPacket;
import io.heddle.core.mqtt.packet.ConnAckProperties;
import io.heddle.core.session.outbound.SessionMetrics;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses clients with CONNACK, and logs and counts the refusals of a node. Each call is made on the event loop of its connection.
 */
final class ConnectAnswers {
    private static final Logger log = LoggerFactory.getLogger(ConnectAnswers.class);
    private static final long LOG_INTERVAL_MILLIS = 1_000;

    private final SteadyClock clock;
    private final SessionMetrics metrics;
    private final AtomicLong otherUserLoggedMillis = new AtomicLong();

    ConnectAnswers(SteadyClock clock, SessionMetrics metrics) {
        this.clock = clock;
        this.metrics = metrics;
    }

    /** Refuses a client and closes its connection. */
    void refuse(Connection connection, ReasonCode reason, String detail) {
        log.debug("Refused CONNECT: reason={}, detail={}, address={}", reason, detail, connection.remoteAddress());
        metrics.connectAnswered(reason.tag());
        connection.send(new ConnAckPacket(false, reason, ConnAckProperties.NONE));
        connection.close();
    }

    /** Refuses a client that is not authenticated. */
    void refuse(Connection connection, String clientId, Refused refused) {
        Limit limit = refused.limit();
        if (limit != null) {
            metrics.refusals().refused(limit, "a connection", clientId, connection.remoteAddress());
        }
        refuse(connection, refused.reason(), refused.detail());
    }

    /** Refuses a client because its client id has a session that belongs to another user. */
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
        refuse(
                connection,
                ReasonCode.NOT_AUTHORIZED,
                "the session of clientId=" + identity.clientId() + " belongs to another user");
    }

    private boolean mayLogOtherUser() {
        long nowMillis = clock.millis();
        long lastMillis = otherUserLoggedMillis.get();
        return nowMillis - lastMillis >= LOG_INTERVAL_MILLIS
                && otherUserLoggedMillis.compareAndSet(lastMillis, nowMillis);
    }

    /** Refuses a client because there is no memory for its will. */
    void refuseWill(Connection connection, ClientId clientId, Limit limit) {
        metrics.willsRefused.increment();
        log(connection, clientId, limit);
        refuse(connection, ReasonCode.QUOTA_EXCEEDED, "the memory for sessions has no room for the will");
    }

    private void log(Connection connection, ClientId clientId, Limit limit) {
        metrics.refusals().refused(limit, "a connection", clientId.value(), connection.remoteAddress());
    }

    /** Refuses a client because its user, or its address, has too many persistent sessions. */
    void refuseOwner(Connection connection, ClientId clientId, int maximum) {
        metrics.refusedOwner.increment();
        log(connection, clientId, new Limit("heddle.session.maximum-persistent-per-user", maximum));
        refuse(
                connection,
                ReasonCode.QUOTA_EXCEEDED,
                "the user, or the address of anonymous clients, has the maximum number of persistent sessions");
    }

    /** Refuses a client because the node has no room for another session. */
    void refuseNoRoom(Connection connection, ClientId clientId, Limit limit) {
        log(connection, clientId, limit);
        refuse(
                connection,
                ReasonCode.QUOTA_EXCEEDED,
                "the node has the maximum number of sessions, or the memory for sessions is full");
    }
}
