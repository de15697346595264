package io.heddle.perf.load.wire;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Reads packets in place from the read buffer. */
public final class PacketReader {
    private static final int SHORTEST = 2;

    private PacketReader() {}

    /**
     * Passes the complete packets between position and limit to the handler, and sets the position after the last of them.
     */
    public static void read(ByteBuffer in, MqttVersion version, PacketHandler handler) {
        int at = in.position();
        int limit = in.limit();
        while (limit - at >= SHORTEST) {
            int length = in.get(at + 1);
            int body = at + 2;
            if (length < 0) {
                length = VariableByteInteger.peek(in, at + 1, limit);
                if (length == VariableByteInteger.INCOMPLETE) {
                    break;
                }
                body = at + 1 + VariableByteInteger.size(length);
            }
            if (length > in.capacity() - 5) {
                throw new BrokerFaultException("a packet of " + length + " bytes, larger than any published packet");
            }
            int end = body + length;
            if (end > limit) {
                break;
            }
            int first = in.get(at) & 0xFF;
            if (first >> 4 == PacketType.PUBLISH) {
                publish(in, version, handler, first, body, end);
            } else {
                other(in, version, handler, first >> 4, body, end);
            }
            at = end;
        }
        in.position(at);
    }

    private static void publish(
            ByteBuffer in, MqttVersion version, PacketHandler handler, int first, int body, int end) {
        int qos = (first >> 1) & 3;
        int fixed = qos == 0 ? 2 : 4;
        if (end - body < fixed || qos == 3) {
            throw new BrokerFaultException("a malformed PUBLISH");
        }
        int at = body + 2 + (in.getShort(body) & 0xFFFF);
        int packetId = 0;
        if (qos > 0) {
            if (at + 2 > end) {
                throw new BrokerFaultException("a malformed PUBLISH");
            }
            packetId = in.getShort(at) & 0xFFFF;
            at += 2;
        }
        if (version == MqttVersion.V5) {
            int properties = VariableByteInteger.read(in, at, end);
            at += VariableByteInteger.size(properties) + properties;
        }
        if (at > end) {
            throw new BrokerFaultException("a malformed PUBLISH");
        }
        handler.publish(in, qos, packetId, at, end - at);
    }

    private static void other(ByteBuffer in, MqttVersion version, PacketHandler handler, int type, int body, int end) {
        switch (type) {
            case PacketType.PUBACK, PacketType.PUBREC, PacketType.PUBREL, PacketType.PUBCOMP -> {
                if (end - body < 2) {
                    throw new BrokerFaultException("an acknowledgement without a packet identifier");
                }
                int reasonCode = end - body > 2 ? in.get(body + 2) & 0xFF : 0;
                handler.acknowledgement(type, in.getShort(body) & 0xFFFF, reasonCode);
            }
            case PacketType.PINGRESP -> handler.pingResp();
            case PacketType.CONNACK -> handler.connAck(ConnAck.read(in, version, body, end));
            case PacketType.SUBACK -> subAck(in, version, handler, body, end);
            case PacketType.UNSUBACK -> {
                if (end - body < 2) {
                    throw new BrokerFaultException("UNSUBACK without a packet identifier");
                }
                handler.unsubAck(in.getShort(body) & 0xFFFF);
            }
            case PacketType.DISCONNECT -> handler.disconnect(end > body ? in.get(body) & 0xFF : 0);
            default -> throw new BrokerFaultException("a packet of type " + type + ", which no broker sends");
        }
    }

    private static void subAck(ByteBuffer in, MqttVersion version, PacketHandler handler, int body, int end) {
        int at = body + 2;
        if (version == MqttVersion.V5) {
            int properties = VariableByteInteger.read(in, at, end);
            at += VariableByteInteger.size(properties) + properties;
        }
        if (at >= end) {
            throw new BrokerFaultException("SUBACK without a reason code");
        }
        List<Integer> codes = new ArrayList<>();
        while (at < end) {
            codes.add(in.get(at++) & 0xFF);
        }
        handler.subAck(in.getShort(body) & 0xFFFF, codes);
    }
}
