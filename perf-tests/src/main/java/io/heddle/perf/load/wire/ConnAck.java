package io.heddle.perf.load.wire;

import java.nio.ByteBuffer;

/**
 * The used fields of CONNACK.
 *
 * @param code return code (3.1.1) or reason code (5.0); 0 is success
 * @param sessionPresent whether the broker has resumed a session
 * @param receiveMaximum Receive Maximum, default 65,535
 * @param maximumQos Maximum QoS, default 2
 * @param serverKeepAliveSeconds Server Keep Alive; -1 if absent
 */
public record ConnAck(
        int code, boolean sessionPresent, int receiveMaximum, int maximumQos, int serverKeepAliveSeconds) {
    private static final int SERVER_KEEP_ALIVE = 0x13;
    private static final int RECEIVE_MAXIMUM = 0x21;
    private static final int MAXIMUM_QOS = 0x24;

    static ConnAck read(ByteBuffer in, MqttVersion version, int body, int end) {
        if (end - body < 2) {
            throw new BrokerFaultException("CONNACK of " + (end - body) + " bytes");
        }
        boolean sessionPresent = (in.get(body) & 1) != 0;
        int code = in.get(body + 1) & 0xFF;
        int receiveMaximum = 0xFFFF;
        int maximumQos = 2;
        int keepAlive = -1;
        if (version == MqttVersion.V5 && end - body > 2) {
            Properties properties = new Properties(in, body + 2, end);
            while (properties.next()) {
                switch (properties.identifier()) {
                    case SERVER_KEEP_ALIVE -> keepAlive = properties.number();
                    case RECEIVE_MAXIMUM -> receiveMaximum = properties.number();
                    case MAXIMUM_QOS -> maximumQos = properties.number();
                    default -> {}
                }
            }
        }
        return new ConnAck(code, sessionPresent, receiveMaximum, maximumQos, keepAlive);
    }
}
