package io.heddle.transport.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.UserProperty;
import io.heddle.core.mqtt.packet.AuthPacket;
import io.heddle.core.mqtt.packet.ConnAckPacket;
import io.heddle.core.mqtt.packet.ConnAckProperties;
import io.heddle.core.mqtt.packet.DisconnectPacket;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.mqtt.packet.PingRespPacket;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.mqtt.packet.PubCompPacket;
import io.heddle.core.mqtt.packet.PubRecPacket;
import io.heddle.core.mqtt.packet.PubRelPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.mqtt.packet.SubAckPacket;
import io.heddle.core.mqtt.packet.UnsubAckPacket;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.mqtt.MqttConnAckMessage;
import io.netty.handler.codec.mqtt.MqttDecoder;
import io.netty.handler.codec.mqtt.MqttMessage;
import io.netty.handler.codec.mqtt.MqttMessageIdVariableHeader;
import io.netty.handler.codec.mqtt.MqttProperties;
import io.netty.handler.codec.mqtt.MqttPubReplyMessageVariableHeader;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import io.netty.handler.codec.mqtt.MqttReasonCodeAndPropertiesVariableHeader;
import io.netty.handler.codec.mqtt.MqttSubAckMessage;
import io.netty.handler.codec.mqtt.MqttUnsubAckMessage;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Decodes the packets of a server with Netty's decoder, which does not share mistakes with the encoder under test. */
final class ServerPackets {
    private ServerPackets() {}

    /** Returns the only packet in these bytes. */
    static MqttPacket decode(byte[] bytes, MqttVersion version) {
        EmbeddedChannel channel = channel(version);
        try {
            channel.writeInbound(Unpooled.wrappedBuffer(bytes));
            MqttMessage message = Objects.requireNonNull(channel.readInbound(), "incomplete");
            try {
                assertThat(message.decoderResult().isSuccess())
                        .as("%s in %s", message.decoderResult(), ByteBufUtil.hexDump(bytes))
                        .isTrue();
                assertThat(channel.<Object>readInbound()).isNull();
                return packet(message, version);
            } finally {
                ReferenceCountUtil.release(message);
            }
        } finally {
            channel.finishAndReleaseAll();
        }
    }

    /** Returns a channel that decodes packets of a server, and knows the version as that of a client's CONNECT. */
    static EmbeddedChannel channel(MqttVersion version) {
        EmbeddedChannel channel = new EmbeddedChannel(new MqttDecoder(1 << 24, 65_535));
        channel.writeInbound(Unpooled.wrappedBuffer(GoldenPackets.connect(version)));
        ReferenceCountUtil.release(channel.readInbound());
        return channel;
    }

    private static MqttPacket packet(MqttMessage message, MqttVersion version) {
        return switch (message) {
            case MqttConnAckMessage connAck -> connAck(connAck, version);
            case MqttPublishMessage publish -> publish(publish);
            case MqttSubAckMessage subAck -> {
                Properties properties =
                        new Properties(subAck.idAndPropertiesVariableHeader().properties());
                yield new SubAckPacket(
                        subAck.variableHeader().messageId(),
                        properties.text(Property.REASON_STRING),
                        properties.userProperties(),
                        reasons(subAck.payload().reasonCodes()));
            }
            case MqttUnsubAckMessage unsubAck -> {
                Properties properties =
                        new Properties(unsubAck.idAndPropertiesVariableHeader().properties());
                yield new UnsubAckPacket(
                        unsubAck.variableHeader().messageId(),
                        properties.text(Property.REASON_STRING),
                        properties.userProperties(),
                        reasons(unsubAck.payload().unsubscribeReasonCodes()));
            }
            default -> other(message);
        };
    }

    private static MqttPacket other(MqttMessage message) {
        return switch (message.variableHeader()) {
            case null -> PingRespPacket.INSTANCE;
            case MqttPubReplyMessageVariableHeader header -> {
                Properties properties = new Properties(header.properties());
                yield acknowledgement(
                        message,
                        header.messageId(),
                        reason(header.reasonCode()),
                        properties.text(Property.REASON_STRING),
                        properties.userProperties());
            }
            case MqttMessageIdVariableHeader header ->
                acknowledgement(message, header.messageId(), ReasonCode.SUCCESS, null, List.of());
            case MqttReasonCodeAndPropertiesVariableHeader header -> end(message, header);
            default -> throw new IllegalArgumentException("unexpected packet: " + message);
        };
    }

    private static MqttPacket acknowledgement(
            MqttMessage message,
            int packetId,
            ReasonCode reason,
            @Nullable String reasonString,
            List<UserProperty> userProperties) {
        return switch (message.fixedHeader().messageType()) {
            case PUBACK -> new PubAckPacket(packetId, reason, reasonString, userProperties);
            case PUBREC -> new PubRecPacket(packetId, reason, reasonString, userProperties);
            case PUBREL -> new PubRelPacket(packetId, reason, reasonString, userProperties);
            case PUBCOMP -> new PubCompPacket(packetId, reason, reasonString, userProperties);
            default -> throw new IllegalArgumentException("unexpected packet: " + message);
        };
    }

    private static MqttPacket end(MqttMessage message, MqttReasonCodeAndPropertiesVariableHeader header) {
        Properties properties = new Properties(header.properties());
        return switch (message.fixedHeader().messageType()) {
            case DISCONNECT ->
                new DisconnectPacket(
                        reason(header.reasonCode()),
                        properties.unsignedInt(Property.SESSION_EXPIRY_INTERVAL),
                        properties.text(Property.REASON_STRING),
                        properties.userProperties(),
                        properties.text(Property.SERVER_REFERENCE));
            case AUTH ->
                new AuthPacket(
                        reason(header.reasonCode()),
                        properties.text(Property.AUTHENTICATION_METHOD),
                        properties.binary(Property.AUTHENTICATION_DATA),
                        properties.text(Property.REASON_STRING),
                        properties.userProperties());
            default -> throw new IllegalArgumentException("unexpected packet: " + message);
        };
    }

    private static ConnAckPacket connAck(MqttConnAckMessage message, MqttVersion version) {
        byte code = message.variableHeader().connectReturnCode().byteValue();
        ReasonCode reason = version.hasProperties()
                ? reason(code)
                : switch (code) {
                    case 0 -> ReasonCode.SUCCESS;
                    case 3 -> ReasonCode.SERVER_UNAVAILABLE;
                    case 5 -> ReasonCode.NOT_AUTHORIZED;
                    default -> throw new IllegalArgumentException("unexpected return code: " + code);
                };
        Properties properties = new Properties(message.variableHeader().properties());
        ConnAckProperties none = ConnAckProperties.NONE;
        return new ConnAckPacket(
                message.variableHeader().isSessionPresent(),
                reason,
                new ConnAckProperties(
                        properties.unsignedInt(Property.SESSION_EXPIRY_INTERVAL),
                        properties.number(Property.RECEIVE_MAXIMUM, none.receiveMaximum()),
                        QoS.ofLevel(properties.number(
                                Property.MAXIMUM_QOS, none.maximumQos().level())),
                        properties.flag(Property.RETAIN_AVAILABLE),
                        Objects.requireNonNullElse(
                                properties.unsignedInt(Property.MAXIMUM_PACKET_SIZE), none.maximumPacketSize()),
                        properties.text(Property.ASSIGNED_CLIENT_IDENTIFIER),
                        properties.number(Property.TOPIC_ALIAS_MAXIMUM, none.topicAliasMaximum()),
                        properties.text(Property.REASON_STRING),
                        properties.userProperties(),
                        properties.flag(Property.WILDCARD_SUBSCRIPTION_AVAILABLE),
                        properties.flag(Property.SUBSCRIPTION_IDENTIFIERS_AVAILABLE),
                        properties.flag(Property.SHARED_SUBSCRIPTION_AVAILABLE),
                        properties.get(Property.SERVER_KEEP_ALIVE, Integer.class),
                        properties.text(Property.RESPONSE_INFORMATION),
                        properties.text(Property.SERVER_REFERENCE),
                        properties.text(Property.AUTHENTICATION_METHOD),
                        properties.binary(Property.AUTHENTICATION_DATA)));
    }

    private static PublishPacket publish(MqttPublishMessage message) {
        Properties properties = new Properties(message.variableHeader().properties());
        QoS qos = QoS.ofLevel(message.fixedHeader().qosLevel().value());
        String topic = message.variableHeader().topicName();
        String responseTopic = properties.text(Property.RESPONSE_TOPIC);
        Long expiry = properties.unsignedInt(Property.MESSAGE_EXPIRY_INTERVAL);
        Integer format = properties.get(Property.PAYLOAD_FORMAT_INDICATOR, Integer.class);
        return new PublishPacket(
                topic.isEmpty() ? null : topicName(topic),
                properties.number(Property.TOPIC_ALIAS, PublishPacket.NO_TOPIC_ALIAS),
                qos,
                message.fixedHeader().isRetain(),
                message.fixedHeader().isDup(),
                qos == QoS.AT_MOST_ONCE
                        ? PublishPacket.NO_PACKET_ID
                        : message.variableHeader().packetId(),
                new PublishProperties(
                        expiry == null ? PublishProperties.NO_EXPIRY : expiry,
                        format == null ? null : format == 1,
                        properties.text(Property.CONTENT_TYPE),
                        responseTopic == null ? null : topicName(responseTopic),
                        properties.binary(Property.CORRELATION_DATA),
                        properties.userProperties()),
                properties.subscriptionIdentifiers(),
                BinaryData.wrap(ByteBufUtil.getBytes(message.payload())));
    }

    private static TopicName topicName(String text) {
        return TopicName.parse(text, 65_535);
    }

    private static ReasonCode reason(int code) {
        return Objects.requireNonNull(ReasonCode.ofCode(code & 0xFF), "unknown reason code");
    }

    private static List<ReasonCode> reasons(List<? extends Number> codes) {
        return codes.stream().map(code -> reason(code.intValue())).toList();
    }

    /** Properties by their identifiers. */
    private record Properties(MqttProperties all) {
        <T> @Nullable T get(int identifier, Class<T> type) {
            MqttProperties.MqttProperty<?> property = all.getProperty(identifier);
            return property == null ? null : type.cast(property.value());
        }

        private <T, R> @Nullable R get(int identifier, Class<T> type, Function<T, R> as) {
            T value = get(identifier, type);
            return value == null ? null : as.apply(value);
        }

        @Nullable
        String text(int identifier) {
            return get(identifier, String.class);
        }

        @Nullable
        BinaryData binary(int identifier) {
            return get(identifier, byte[].class, BinaryData::wrap);
        }

        @Nullable
        Long unsignedInt(int identifier) {
            return get(identifier, Integer.class, Integer::toUnsignedLong);
        }

        int number(int identifier, int absent) {
            Integer value = get(identifier, Integer.class);
            return value == null ? absent : value;
        }

        /** True unless the property says no. */
        boolean flag(int identifier) {
            return number(identifier, 1) == 1;
        }

        List<Integer> subscriptionIdentifiers() {
            List<Integer> identifiers = new ArrayList<>();
            all.getProperties(Property.SUBSCRIPTION_IDENTIFIER)
                    .forEach(each -> identifiers.add((Integer) each.value()));
            return identifiers;
        }

        List<UserProperty> userProperties() {
            return all.getProperty(Property.USER_PROPERTY) instanceof MqttProperties.UserProperties pairs
                    ? pairs.value().stream()
                            .map(pair -> new UserProperty(pair.key, pair.value))
                            .toList()
                    : List.of();
        }
    }
}
