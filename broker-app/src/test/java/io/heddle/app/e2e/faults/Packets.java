package io.heddle.app.e2e.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.app.e2e.faults.MessageStream.Sent;
import io.netty.handler.codec.mqtt.MqttConnectMessage;
import io.netty.handler.codec.mqtt.MqttFixedHeader;
import io.netty.handler.codec.mqtt.MqttMessage;
import io.netty.handler.codec.mqtt.MqttMessageBuilders;
import io.netty.handler.codec.mqtt.MqttMessageIdVariableHeader;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttProperties;
import io.netty.handler.codec.mqtt.MqttProperties.IntegerProperty;
import io.netty.handler.codec.mqtt.MqttQoS;
import io.netty.handler.codec.mqtt.MqttReasonCodeAndPropertiesVariableHeader;
import io.netty.handler.codec.mqtt.MqttVersion;
import org.jspecify.annotations.Nullable;

/** Packets that clients send and read. */
final class Packets {
    private static final int EXPIRY_SECONDS = 3_600;
    private static final int KEEP_ALIVE_SECONDS = 30;

    private Packets() {}

    /** Returns a CONNECT, with the will if there is one. */
    static MqttConnectMessage connect(RoamingClient.Role role, @Nullable Sent will) {
        MqttProperties properties = new MqttProperties();
        properties.add(
                new IntegerProperty(MqttProperties.SESSION_EXPIRY_INTERVAL, role.persistent() ? EXPIRY_SECONDS : 0));
        MqttMessageBuilders.ConnectBuilder connect = MqttMessageBuilders.connect()
                .clientId(role.clientId())
                .protocolVersion(MqttVersion.MQTT_5)
                .cleanSession(!role.persistent())
                .keepAlive(KEEP_ALIVE_SECONDS)
                .properties(properties);
        MessageStream wills = role.wills();
        if (wills != null && will != null) {
            connect.willFlag(true)
                    .willTopic(wills.topic)
                    .willMessage(will.payload().getBytes(UTF_8))
                    .willQoS(MqttQoS.valueOf(wills.qos))
                    .willProperties(MqttProperties.NO_PROPERTIES);
        }
        return connect.build();
    }

    /** Returns a PUBACK, PUBREC, PUBREL or PUBCOMP. */
    static MqttMessage reply(MqttMessageType type, int packetId) {
        MqttQoS flags = type == MqttMessageType.PUBREL ? MqttQoS.AT_LEAST_ONCE : MqttQoS.AT_MOST_ONCE;
        return new MqttMessage(
                new MqttFixedHeader(type, false, flags, false, 0), MqttMessageIdVariableHeader.from(packetId));
    }

    /** Returns the reason code of a DISCONNECT. */
    static int disconnectReason(MqttMessage packet) {
        return packet.variableHeader() instanceof MqttReasonCodeAndPropertiesVariableHeader header
                ? Byte.toUnsignedInt(header.reasonCode())
                : 0;
    }
}
