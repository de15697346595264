package io.heddle.perf.load.wire;

import java.nio.ByteBuffer;

/**
 * CONNACK, as far as it matters here.
 *
 * @param code return code (3.1.1) or reason code (5.0); 0 is success
 * @param sessionPresent whether the broker has kept a session
 * @param receiveMaximum unacknowledged QoS 1 and 2 messages that the broker takes, 65,535 when it does not say
 * @param maximumQos highest QoS that the broker takes, 2 when it does not say
 * @param serverKeepAliveSeconds the keep alive that the broker orders, -1 when it orders none
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
