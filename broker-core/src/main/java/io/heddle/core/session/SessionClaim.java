package io.heddle.core.session;

import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.Connection;
import io.heddle.core.client.EventLoop;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.ConnectPacket;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A connection whose client was accepted and wants its session. Immutable.
 *
 * @param answers sends CONNACK
 * @param packet the CONNECT, with the client's own id, which may be empty
 * @param assignedClientId the id made for a client that sent none, or null
 * @param established gets the conversation after CONNACK was sent
 */
record SessionClaim(
        ConnectService answers,
        Connection connection,
        ConnectPacket packet,
        @Nullable String assignedClientId,
        ClientIdentity identity,
        Consumer<ClientConnection> established) {
    EventLoop eventLoop() {
        return connection.eventLoop();
    }

    /** The session is the client's. On the event loop. */
    void granted(ClientSession session, boolean present) {
        answers.grant(this, session, present);
    }

    /** The node keeps too many sessions, or too large ones, to make another one. On the event loop. */
    void refused() {
        answers.giveBackWill(packet);
        answers.refuse(
                connection,
                ReasonCode.QUOTA_EXCEEDED,
                "the node keeps as many sessions as it may, or they fill its memory for them");
    }

    /** The user, or the address, has as many persistent sessions as it may. On the event loop. */
    void refusedToOwner() {
        answers.giveBackWill(packet);
        answers.refuseOwner(connection);
    }

    /** The client id has a session that belongs to another user. Any thread may call. */
    void refusedToOtherUser() {
        if (!eventLoop().isCurrent()) {
            eventLoop().execute(this::refusedToOtherUser);
            return;
        }
        answers.giveBackWill(packet);
        answers.refuseOtherUser(connection, identity);
    }

    /** The stores do not say what there is of the client's session. On the event loop. */
    void unavailable(ReasonCode reason, String why) {
        answers.giveBackWill(packet);
        answers.refuse(connection, reason, why);
    }

    /**
     * Whether the connection is lost, as far as can be known here: only its own event loop can tell. Then the claim is over. A
     * claim that another loop decides may be granted although its connection was lost while it was on its way there.
     */
    boolean isOver() {
        return connection.eventLoop().isCurrent() && !connection.isOpen();
    }

    /** The claim is over: nobody gets the session. On the event loop. */
    void abandoned() {
        answers.abandon(packet);
    }

    /** Whether what there is of the client's session is to be dropped [MQTT-3.1.2-4]. */
    boolean cleanStart() {
        return packet.cleanStart();
    }
}
