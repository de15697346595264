package io.heddle.app;

import com.hivemq.client.mqtt.exceptions.ConnectionClosedException;
import com.hivemq.client.mqtt.mqtt3.Mqtt3BlockingClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import java.nio.channels.NotYetConnectedException;

/**
 * Disconnects a client of the HiveMQ library. After DISCONNECT, the library closes its side of the connection and fails if the broker has
 * already closed the connection, as it should [MQTT-3.14.4-3].
 */
public final class HiveMqGoodbye {
    private HiveMqGoodbye() {}

    /** Returns when the packet is sent and the connection has ended. */
    public static void disconnect(Mqtt5BlockingClient client) {
        disconnect(client::disconnect);
    }

    /** Returns when the packet is sent and the connection has ended. */
    public static void disconnect(Mqtt3BlockingClient client) {
        disconnect(client::disconnect);
    }

    private static void disconnect(Runnable sendAndClose) {
        try {
            sendAndClose.run();
        } catch (ConnectionClosedException e) {
            if (!(e.getCause() instanceof NotYetConnectedException)) {
                throw e;
            }
        }
    }
}
