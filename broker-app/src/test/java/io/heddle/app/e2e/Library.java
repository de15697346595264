package io.heddle.app.e2e;

import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.paho.client.mqttv3.MqttConnectOptions;

/** The client libraries and the protocol versions that they speak. */
enum Library {
    HIVEMQ_5,
    HIVEMQ_311,
    PAHO_5,
    PAHO_311,
    PAHO_31;

    private static final Set<String> GIVEN = ConcurrentHashMap.newKeySet();

    /** Returns a client that is not connected yet. */
    LibraryClient client(int port, String clientId) throws Exception {
        return client(ListenerAddress.tcp(port), clientId);
    }

    /** Returns a client that is not connected yet. */
    LibraryClient client(ListenerAddress address, String clientId) throws Exception {
        return switch (this) {
            case HIVEMQ_5 -> new HiveMq5Client(address, clientId);
            case HIVEMQ_311 -> new HiveMq3Client(address, clientId);
            case PAHO_5 -> new Paho5Client(address, clientId);
            case PAHO_311 -> new Paho3Client(address, clientId, MqttConnectOptions.MQTT_VERSION_3_1_1);
            case PAHO_31 -> new Paho3Client(address, clientId, MqttConnectOptions.MQTT_VERSION_3_1);
        };
    }

    /** Returns a connected client with a unique identifier and a session that ends with its connection. */
    LibraryClient connected(int port) throws Exception {
        LibraryClient client = client(port, newClientId());
        client.connect(Connecting.clean());
        return client;
    }

    /** Returns a unique identifier, short enough for MQTT 3.1. */
    static String newClientId() {
        return newClientId("e2e-");
    }

    /** Returns a unique identifier with a prefix of four characters. */
    static String newClientId(String prefix) {
        String clientId = prefix + UUID.randomUUID().toString().replace("-", "").substring(0, 18);
        GIVEN.add(clientId);
        return clientId;
    }

    /** Returns the identifiers that were created since the last call. */
    static Set<String> takeClientIds() {
        Set<String> given = Set.copyOf(GIVEN);
        GIVEN.removeAll(given);
        return given;
    }
}
