package io.heddle.transport.connection;

import io.heddle.core.client.Connection;
import io.heddle.core.client.DisconnectCause;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.session.ConnectService;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The transport's entry to core: accepts a CONNECT and creates the session. Every method is called on the event loop. */
@FunctionalInterface
public interface Sessions {
    /**
     * Processes a CONNECT. If the client is accepted, sends CONNACK and then passes the session to {@code established} once on the
     * connection's event loop, immediately or later. Before that, passes it an exchange each time the client must answer a challenge with its
     * next packet. If the client is refused, sends CONNACK with the reason, closes the connection and does not call {@code established} again.
     */
    void connect(Connection connection, ConnectPacket packet, Consumer<Session> established);

    /** Returns the entry to core's sessions. */
    static Sessions of(ConnectService connectService) {
        return (connection, packet, established) -> connectService.connect(
                connection,
                packet,
                exchange -> established.accept(new CoreExchange(exchange)),
                session -> established.accept(new CoreSession(session)));
    }

    interface Session {
        /** Returns false for an exchange before CONNACK, which takes the next packet only. */
        default boolean isConnected() {
            return true;
        }

        /** Returns the authenticated user name of the client, or null if it has none. */
        @Nullable
        String userName();

        /**
         * Processes a packet other than CONNECT.
         *
         * @throws ProtocolException if the client may not send it now
         */
        void receive(MqttPacket packet);

        /** The connection has become unwritable, so the client is not read. */
        void onUnwritable();

        /** The connection has become writable again ({@link Connection#isWritable}). */
        void onWritable();

        /**
         * The network connection is closed. Called once.
         *
         * @param cause why, unless the session has closed it
         */
        void onConnectionLost(DisconnectCause cause);
    }
}
