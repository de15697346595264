package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.mqtt.MqttMessage;
import io.netty.handler.codec.mqtt.MqttMessageIdVariableHeader;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntSupplier;

/** Receives messages and completes their exchanges, through any number of connections, up to the message {@value #END}. */
final class SteadySubscriber implements SteadyClient.Behaviour {
    /** The payload of the last message. */
    static final String END = "end";

    private final SteadyClient client;
    private final List<String> received = Collections.synchronizedList(new ArrayList<>());
    // Owned by the client's thread.
    private final Set<String> known = new HashSet<>();
    private final Set<Integer> unreleased = new HashSet<>();
    private final Map<Integer, String> inExchange = new HashMap<>();
    private int connections = 1;
    // Written by the client's thread.
    private final Map<String, List<String>> exchanges = new ConcurrentHashMap<>();

    SteadySubscriber(RawConnect connect, IntSupplier port) {
        client = new SteadyClient(connect, port, this);
    }

    SteadyClient client() {
        return client;
    }

    /** Returns the payloads in the order of their arrival, without repetitions with DUP at QoS 1. */
    List<String> received() {
        return List.copyOf(received);
    }

    @Override
    public boolean onTurn(RawClient connection) {
        if (!known.contains(END) || !unreleased.isEmpty()) {
            return true;
        }
        assertThat(connection.packetsUntilPing())
                .as("packets after the last message")
                .isEmpty();
        return false;
    }

    @Override
    public void onPacket(MqttMessage packet, RawClient connection) {
        if (packet instanceof MqttPublishMessage publish) {
            onMessage(RawPublish.of(publish), connection);
            return;
        }
        assertThat(packet.fixedHeader().messageType()).isEqualTo(MqttMessageType.PUBREL);
        int packetId = ((MqttMessageIdVariableHeader) packet.variableHeader()).messageId();
        unreleased.remove(packetId);
        note(inExchange.getOrDefault(packetId, "unknown"), "PUBREL " + packetId);
        connection.answer(MqttMessageType.PUBCOMP, packetId);
    }

    private void onMessage(RawPublish message, RawClient connection) {
        if (message.qos() == 1) {
            if (known.add(message.payload()) || !message.duplicate()) {
                received.add(message.payload());
            }
            connection.answer(MqttMessageType.PUBACK, message.packetId());
            return;
        }
        assertThat(message.qos()).as("QoS of %s", message).isEqualTo(2);
        inExchange.put(message.packetId(), message.payload());
        note(message.payload(), "PUBLISH " + message.packetId() + (message.duplicate() ? " DUP" : ""));
        // A packet identifier that waits for PUBREL marks a repetition [MQTT-4.3.3-10].
        if (unreleased.add(message.packetId())) {
            known.add(message.payload());
            received.add(message.payload());
        }
        connection.answer(MqttMessageType.PUBREC, message.packetId());
    }

    private void note(String payload, String packet) {
        exchanges
                .computeIfAbsent(payload, _ -> new CopyOnWriteArrayList<>())
                .add(packet + " in connection " + connections);
    }

    /** Returns the packets of the exchanges of a QoS 2 message. */
    List<String> exchangesOf(String payload) {
        return exchanges.getOrDefault(payload, List.of());
    }

    @Override
    public void onResumed(RawClient connection) {
        connections++;
    }
}
