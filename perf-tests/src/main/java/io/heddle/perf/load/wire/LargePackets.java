package io.heddle.perf.load.wire;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Creates packets of any size, each in an array of its own: for packets that are rare or reused. */
public final class LargePackets {
    private static final int RESERVED = 0x02;
    private static final int RETAIN = 0x01;
    private static final int PACKET_IDENTIFIER_BYTES = 2;

    private LargePackets() {}

    /** SUBSCRIBE with several filters. */
    public static byte[] subscribe(MqttVersion version, int packetId, List<String> filters, int qos) {
        return filters(PacketType.SUBSCRIBE, version, packetId, filters, qos);
    }

    /** UNSUBSCRIBE with several filters. */
    public static byte[] unsubscribe(MqttVersion version, int packetId, List<String> filters) {
        return filters(PacketType.UNSUBSCRIBE, version, packetId, filters, -1);
    }

    /** PUBLISH; {@code packetId} is not used with QoS 0. */
    public static byte[] publish(
            MqttVersion version, String topic, int qos, boolean retain, int packetId, byte[] payload) {
        byte[] topicBytes = PacketWriter.string(topic);
        int properties = propertyBytes(version);
        int length = topicBytes.length + (qos > 0 ? PACKET_IDENTIFIER_BYTES : 0) + properties + payload.length;
        int flags = (qos << 1) | (retain ? RETAIN : 0);
        byte[] packet = ofLength(length);
        ByteBuffer out = begin(packet, PacketType.PUBLISH, flags, length);
        out.put(topicBytes);
        if (qos > 0) {
            out.putShort((short) packetId);
        }
        out.put(new byte[properties]).put(payload);
        return packet;
    }

    /** Changes the packet identifier of a SUBSCRIBE or UNSUBSCRIBE that this class has created. */
    public static void setPacketId(byte[] packet, int packetId) {
        int at = 1;
        while (packet[at++] < 0) {
            // Skips the bytes of the remaining length.
        }
        packet[at] = (byte) (packetId >> 8);
        packet[at + 1] = (byte) packetId;
    }

    private static byte[] filters(int type, MqttVersion version, int packetId, List<String> filters, int qos) {
        int properties = propertyBytes(version);
        int length = PACKET_IDENTIFIER_BYTES + properties;
        List<byte[]> texts = new ArrayList<>(filters.size());
        for (String filter : filters) {
            byte[] text = PacketWriter.string(filter);
            texts.add(text);
            length += text.length + (qos >= 0 ? 1 : 0);
        }
        byte[] packet = ofLength(length);
        ByteBuffer out = begin(packet, type, RESERVED, length);
        out.putShort((short) packetId).put(new byte[properties]);
        for (byte[] text : texts) {
            out.put(text);
            if (qos >= 0) {
                out.put((byte) qos);
            }
        }
        return packet;
    }

    private static byte[] ofLength(int length) {
        if (length > VariableByteInteger.MAXIMUM) {
            throw new IllegalArgumentException("An MQTT packet can have at most 268,435,455 bytes, not " + length);
        }
        return new byte[1 + VariableByteInteger.size(length) + length];
    }

    private static ByteBuffer begin(byte[] packet, int type, int flags, int length) {
        ByteBuffer out = ByteBuffer.wrap(packet);
        out.put((byte) ((type << 4) | flags));
        VariableByteInteger.write(out, length);
        return out;
    }

    private static int propertyBytes(MqttVersion version) {
        return version == MqttVersion.V5 ? 1 : 0;
    }
}
