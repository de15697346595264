package io.heddle.transport.connection;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.session.ClientSession;

/** A session of core behind the transport's own interface, which tests can stand behind too. */
@HotPath
record CoreSession(ClientSession session) implements Sessions.Session {
    @Override
    public void receive(MqttPacket packet) {
        session.receive(packet);
    }

    @Override
    public void connectionLost() {
        session.connectionLost();
    }
}
