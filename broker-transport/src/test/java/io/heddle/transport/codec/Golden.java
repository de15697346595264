package io.heddle.transport.codec;

import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.MqttPacket;
import org.jspecify.annotations.Nullable;

/**
 * One row of the golden table.
 *
 * @param name the test case
 * @param version of the connection; for a first packet, of the answer to a fault
 * @param phase sender and time
 * @param notation the bytes, see {@link PacketBytes}
 * @param packet the decoded packet, or null for a violation
 * @param canonical whether the encoder writes exactly these bytes for the packet
 * @param error the reason code of the violation, or null for a valid packet
 */
public record Golden(
        String name,
        MqttVersion version,
        Phase phase,
        String notation,
        @Nullable MqttPacket packet,
        boolean canonical,
        @Nullable ReasonCode error) {
    /** The sender and time of a packet. */
    public enum Phase {
        /** From a client, as the first packet of its connection. */
        FIRST,
        /** From a client, after its CONNECT. */
        CLIENT,
        /** From a server. */
        SERVER
    }

    static Golden valid(String name, MqttVersion version, Phase phase, String notation, MqttPacket packet) {
        return new Golden(name, version, phase, notation, packet, true, null);
    }

    /** Returns a valid row that our encoder encodes differently, usually shorter. */
    static Golden alsoValid(String name, MqttVersion version, Phase phase, String notation, MqttPacket packet) {
        return new Golden(name, version, phase, notation, packet, false, null);
    }

    static Golden refused(String name, MqttVersion version, Phase phase, String notation, ReasonCode error) {
        return new Golden(name, version, phase, notation, null, false, error);
    }

    /** A row of a client that has connected. */
    static Golden valid(String name, MqttVersion version, String notation, MqttPacket packet) {
        return valid(name, version, Phase.CLIENT, notation, packet);
    }

    /** A row of a client that has connected. */
    static Golden alsoValid(String name, MqttVersion version, String notation, MqttPacket packet) {
        return alsoValid(name, version, Phase.CLIENT, notation, packet);
    }

    /** A row of a client that has connected. */
    static Golden refused(String name, MqttVersion version, String notation, ReasonCode error) {
        return refused(name, version, Phase.CLIENT, notation, error);
    }

    /** The bytes themselves. */
    public byte[] bytes() {
        return PacketBytes.of(notation);
    }

    @Override
    public String toString() {
        return version + " " + phase + ": " + name;
    }
}
