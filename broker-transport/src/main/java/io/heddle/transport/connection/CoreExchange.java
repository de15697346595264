package io.heddle.transport.connection;

import io.heddle.core.authentication.AuthExchange;
import io.heddle.core.client.DisconnectCause;
import io.heddle.core.mqtt.packet.MqttPacket;
import org.jspecify.annotations.Nullable;

/** Adapts core's {@link AuthExchange}, which takes one packet, to the transport's interface. */
record CoreExchange(AuthExchange exchange) implements Sessions.Session {
    @Override
    public boolean isConnected() {
        return false;
    }

    @Override
    public @Nullable String userName() {
        return null;
    }

    @Override
    public void receive(MqttPacket packet) {
        exchange.receive(packet);
    }

    /** A challenge is sent at once, so nothing waits. */
    @Override
    public void onUnwritable() {}

    @Override
    public void onWritable() {}

    @Override
    public void onConnectionLost(DisconnectCause cause) {
        exchange.onConnectionLost();
    }
}
