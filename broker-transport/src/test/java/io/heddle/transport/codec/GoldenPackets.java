package io.heddle.transport.codec;

import io.heddle.core.mqtt.MqttVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The golden table: bytes with their packet or their error. For tests of decoder, encoder and server. */
public final class GoldenPackets {
    /** Limits that the table's violations exceed and its valid packets respect. */
    public static final PacketLimits LIMITS = new PacketLimits(512, 384, 40, 4, 3);

    private GoldenPackets() {}

    /** Every row. */
    public static List<Golden> all() {
        List<Golden> all = new ArrayList<>();
        all.addAll(GoldenConnects.rows());
        all.addAll(GoldenPublishes.rows());
        all.addAll(GoldenSubscriptions.rows());
        all.addAll(GoldenAnswers.rows());
        return all;
    }

    /** The rows of packets that clients send. */
    public static List<Golden> ofClients() {
        return all().stream().filter(row -> row.phase() != Golden.Phase.SERVER).toList();
    }

    /** The rows with a packet. */
    public static Stream<Golden> valid() {
        return all().stream().filter(row -> row.packet() != null);
    }

    /** The rows with a packet that clients send. */
    public static Stream<Golden> validOfClients() {
        return ofClients().stream().filter(row -> row.packet() != null);
    }

    /** The rows with an error. */
    public static Stream<Golden> violations() {
        return all().stream().filter(row -> row.error() != null);
    }

    /** A small CONNECT of each version. */
    public static byte[] connect(MqttVersion version) {
        return PacketBytes.of(
                switch (version) {
                    case V3_1 -> "10 { <MQIsdp> 03 02 000A <c> }";
                    case V3_1_1 -> "10 { <MQTT> 04 02 000A <c> }";
                    case V5 -> "10 { <MQTT> 05 02 000A {} <c> }";
                });
    }
}
