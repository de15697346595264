package io.heddle.transport.connection;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.session.ClientConnection;

/** A conversation of core behind the transport's own interface, which tests can stand behind too. */
@HotPath
record CoreSession(ClientConnection conversation) implements Sessions.Session {
    @Override
    public void receive(MqttPacket packet) {
        conversation.receive(packet);
    }

    @Override
    public void becameUnwritable() {
        conversation.becameUnwritable();
    }

    @Override
    public void becameWritable() {
        conversation.becameWritable();
    }

    @Override
    public void connectionLost() {
        conversation.connectionLost();
    }
}
