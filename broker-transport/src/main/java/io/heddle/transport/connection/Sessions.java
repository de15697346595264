package io.heddle.transport.connection;

import io.heddle.core.client.Connection;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.session.ConnectService;
import java.util.function.Consumer;

/** The door into core: where a CONNECT goes, and the session that comes out. Every method is called on the event loop. */
@FunctionalInterface
public interface Sessions {
    /**
     * Answers a CONNECT. When the client is accepted, CONNACK is sent and then {@code established} is called, once, on the
     * connection's event loop, at once or later. When it is refused, CONNACK with the reason is sent, the connection is closed
     * and {@code established} is never called.
     */
    void connect(Connection connection, ConnectPacket packet, Consumer<Session> established);

    /** The door to core's sessions. */
    static Sessions of(ConnectService connectService) {
        return (connection, packet, established) ->
                connectService.connect(connection, packet, session -> established.accept(new CoreSession(session)));
    }

    /** The session of one connection. */
    interface Session {
        /**
         * Takes a packet that is not CONNECT.
         *
         * @throws ProtocolException when the client may not send it now
         */
        void receive(MqttPacket packet);

        /** The connection is not writable, so the client is not read. */
        void becameUnwritable();

        /** The connection was not writable ({@link Connection#isWritable}) and is again. */
        void becameWritable();

        /** The network connection is gone, whatever the reason. Called once. */
        void connectionLost();
    }
}
