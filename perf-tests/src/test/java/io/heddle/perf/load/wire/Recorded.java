package io.heddle.perf.load.wire;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Records the packets of a {@link PacketReader}, one line per packet. */
final class Recorded implements PacketHandler {
    final List<String> packets = new ArrayList<>();

    @Override
    public void connAck(ConnAck packet) {
        packets.add(packet.toString());
    }

    @Override
    public void publish(ByteBuffer in, int qos, int packetId, int payloadAt, int payloadLength) {
        packets.add("PUBLISH qos " + qos + " id " + packetId + " run " + Stamp.run(in, payloadAt) + " publisher "
                + Stamp.publisher(in, payloadAt) + " sequence " + Stamp.sequence(in, payloadAt) + " intended "
                + Stamp.intendedNanos(in, payloadAt) + " bytes " + payloadLength);
    }

    @Override
    public void acknowledgement(int type, int packetId, int reasonCode) {
        packets.add("type " + type + " id " + packetId + " reason " + reasonCode);
    }

    @Override
    public void subAck(int packetId, List<Integer> codes) {
        packets.add("SUBACK id " + packetId + " codes " + codes);
    }

    @Override
    public void unsubAck(int packetId) {
        packets.add("UNSUBACK id " + packetId);
    }

    @Override
    public void pingResp() {
        packets.add("PINGRESP");
    }

    @Override
    public void disconnect(int reasonCode) {
        packets.add("DISCONNECT reason " + reasonCode);
    }
}
