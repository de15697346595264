package io.heddle.transport.connection;

import io.heddle.core.HotPath;
import io.heddle.core.client.DisconnectCause;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.session.ClientConnection;
import org.jspecify.annotations.Nullable;

/** Adapts core's {@link ClientConnection} to the transport's interface, which tests also implement. */
@HotPath
record CoreSession(ClientConnection connection) implements Sessions.Session {
    @Override
    public @Nullable String userName() {
        return connection.userName();
    }

    @Override
    public void receive(MqttPacket packet) {
        connection.receive(packet);
    }

    @Override
    public void onUnwritable() {
        connection.onUnwritable();
    }

    @Override
    public void onWritable() {
        connection.onWritable();
    }

    @Override
    public void onConnectionLost(DisconnectCause cause) {
        connection.onConnectionLost(cause);
    }
}
