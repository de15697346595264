package io.heddle.transport.codec;

import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.MqttPacket;
import org.jspecify.annotations.Nullable;

/**
 * One row of the golden table.
 *
 * @param name what it shows
 * @param version what the connection speaks; for a first packet, what the fault is answered in
 * @param phase who sends it, and when
 * @param notation the bytes, see {@link PacketBytes}
 * @param packet what the bytes say, or null for a violation
 * @param canonical whether the encoder writes exactly these bytes for the packet
 * @param error what the violation is answered with, or null for a valid packet
 */
public record Golden(
        String name,
        MqttVersion version,
        Phase phase,
        String notation,
        @Nullable MqttPacket packet,
        boolean canonical,
        @Nullable ReasonCode error) {
    /** When a packet is sent, and by whom. */
    public enum Phase {
        /** By a client, as the first of its connection. */
        FIRST,
        /** By a client behind its CONNECT. */
        CLIENT,
        /** By a server. */
        SERVER
    }

    static Golden valid(String name, MqttVersion version, Phase phase, String notation, MqttPacket packet) {
        return new Golden(name, version, phase, notation, packet, true, null);
    }

    /** Valid, but our encoder writes it in another, usually shorter way. */
    static Golden alsoValid(String name, MqttVersion version, Phase phase, String notation, MqttPacket packet) {
        return new Golden(name, version, phase, notation, packet, false, null);
    }

    static Golden refused(String name, MqttVersion version, Phase phase, String notation, ReasonCode error) {
        return new Golden(name, version, phase, notation, null, false, error);
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
