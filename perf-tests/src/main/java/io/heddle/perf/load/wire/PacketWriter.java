package io.heddle.perf.load.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;

/** Writes the packets of a client, except PUBLISH: see {@link PublishTemplate}. The caller provides enough space. */
public final class PacketWriter {
    /** The maximum size of an acknowledgement, ping or DISCONNECT. */
    public static final int SHORT_PACKET_BYTES = 4;

    private static final byte[] PROTOCOL = {0, 4, 'M', 'Q', 'T', 'T'};
    private static final int SESSION_EXPIRY_INTERVAL = 0x11;
    private static final int FLAG_CLEAN = 0x02;
    private static final int FLAG_PASSWORD = 0x40;
    private static final int FLAG_USERNAME = 0x80;
    // Bits of the first byte that the standard fixes for PUBREL and SUBSCRIBE.
    private static final int RESERVED = 0x02;

    private PacketWriter() {}

    public static void connect(ByteBuffer out, ConnectFields fields) {
        byte[] clientId = string(fields.clientId());
        byte[] username = fields.username() == null ? new byte[0] : string(fields.username());
        byte[] password = fields.password() == null ? new byte[0] : string(fields.password());
        boolean expiry = fields.sessionExpirySeconds() != 0;
        boolean five = fields.version() == MqttVersion.V5;
        int properties = !five ? 0 : expiry ? 6 : 1;
        out.put((byte) (PacketType.CONNECT << 4));
        VariableByteInteger.write(
                out, PROTOCOL.length + 4 + properties + clientId.length + username.length + password.length);
        out.put(PROTOCOL);
        out.put((byte) fields.version().level());
        out.put((byte) ((fields.cleanStart() ? FLAG_CLEAN : 0)
                | (username.length > 0 ? FLAG_USERNAME : 0)
                | (password.length > 0 ? FLAG_PASSWORD : 0)));
        out.putShort((short) fields.keepAliveSeconds());
        if (five) {
            out.put((byte) (properties - 1));
            if (expiry) {
                out.put((byte) SESSION_EXPIRY_INTERVAL);
                out.putInt(fields.sessionExpirySeconds());
            }
        }
        out.put(clientId).put(username).put(password);
    }

    public static void subscribe(ByteBuffer out, MqttVersion version, int packetId, String filter, int qos) {
        byte[] text = string(filter);
        int properties = version == MqttVersion.V5 ? 1 : 0;
        out.put((byte) ((PacketType.SUBSCRIBE << 4) | RESERVED));
        VariableByteInteger.write(out, 2 + properties + text.length + 1);
        out.putShort((short) packetId);
        if (properties > 0) {
            out.put((byte) 0);
        }
        out.put(text);
        out.put((byte) qos);
    }

    /** PUBACK, PUBREC, PUBREL or PUBCOMP with success. */
    public static void acknowledgement(ByteBuffer out, int type, int packetId) {
        int flags = type == PacketType.PUBREL ? RESERVED : 0;
        out.put((byte) ((type << 4) | flags)).put((byte) 2).putShort((short) packetId);
    }

    public static void pingReq(ByteBuffer out) {
        out.putShort((short) (PacketType.PINGREQ << 12));
    }

    public static void disconnect(ByteBuffer out) {
        out.putShort((short) (PacketType.DISCONNECT << 12));
    }

    /** Encodes a string with its two bytes of length. */
    static byte[] string(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        if (bytes.length > 0xFFFF) {
            throw new IllegalArgumentException("An MQTT string can have at most 65,535 bytes, not " + bytes.length);
        }
        byte[] all = new byte[bytes.length + 2];
        all[0] = (byte) (bytes.length >> 8);
        all[1] = (byte) bytes.length;
        System.arraycopy(bytes, 0, all, 2, bytes.length);
        return all;
    }
}
