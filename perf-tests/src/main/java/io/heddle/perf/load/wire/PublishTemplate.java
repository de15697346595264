package io.heddle.perf.load.wire;

import java.nio.ByteBuffer;

/** The PUBLISH of one publisher, encoded once; only packet identifier and stamp change. Immutable. */
public final class PublishTemplate {
    private static final int RETAIN = 0x01;

    private final byte[] header;
    private final byte[] properties;
    private final byte[] filler;
    private final boolean identified;
    private final int bytes;

    /**
     * A PUBLISH to one topic.
     *
     * @param payload shared between templates; its first {@link Stamp#BYTES} are replaced by the stamp
     */
    public PublishTemplate(MqttVersion version, String topic, int qos, boolean retain, byte[] payload) {
        byte[] topicBytes = PacketWriter.string(topic);
        identified = qos > 0;
        properties = version == MqttVersion.V5 ? new byte[1] : new byte[0];
        filler = payload;
        int length = topicBytes.length + (identified ? 2 : 0) + properties.length + payload.length;
        if (payload.length < Stamp.BYTES || length > VariableByteInteger.MAXIMUM) {
            throw new IllegalArgumentException("A payload of " + payload.length + " bytes cannot be published");
        }
        ByteBuffer first = ByteBuffer.allocate(1 + VariableByteInteger.size(length) + topicBytes.length);
        first.put((byte) ((PacketType.PUBLISH << 4) | (qos << 1) | (retain ? RETAIN : 0)));
        VariableByteInteger.write(first, length);
        first.put(topicBytes);
        header = first.array();
        bytes = header.length + length - topicBytes.length;
    }

    /** The size of the whole packet. */
    public int bytes() {
        return bytes;
    }

    /** Writes the packet; {@code packetId} is not used at QoS 0. */
    public void write(ByteBuffer out, int packetId, int run, int publisher, long sequence, long intendedNanos) {
        out.put(header);
        if (identified) {
            out.putShort((short) packetId);
        }
        out.put(properties);
        Stamp.write(out, run, publisher, sequence, intendedNanos);
        out.put(filler, Stamp.BYTES, filler.length - Stamp.BYTES);
    }
}
