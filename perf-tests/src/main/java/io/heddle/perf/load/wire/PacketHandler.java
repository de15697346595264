package io.heddle.perf.load.wire;

import java.nio.ByteBuffer;
import java.util.List;

/** Handles the packets of one connection, in order. May throw {@link BrokerFaultException}. */
public interface PacketHandler {
    void connAck(ConnAck packet);

    /**
     * A PUBLISH.
     *
     * @param in the read buffer, valid during the call; by absolute positions only
     * @param packetId 0 at QoS 0
     */
    void publish(ByteBuffer in, int qos, int packetId, int payloadAt, int payloadLength);

    /**
     * PUBACK, PUBREC, PUBREL or PUBCOMP.
     *
     * @param type a constant of {@link PacketType}
     * @param reasonCode 0 if the packet has none
     */
    void acknowledgement(int type, int packetId, int reasonCode);

    /** SUBACK with its return or reason codes. */
    void subAck(int packetId, List<Integer> codes);

    void unsubAck(int packetId);

    void pingResp();

    /** DISCONNECT of an MQTT 5 broker. */
    void disconnect(int reasonCode);
}
