package io.heddle.core.operator.trace;

import io.heddle.core.client.event.EventValues;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.UserProperty;
import io.heddle.core.mqtt.packet.AuthPacket;
import io.heddle.core.mqtt.packet.ConnAckPacket;
import io.heddle.core.mqtt.packet.ConnAckProperties;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.mqtt.packet.ConnectProperties;
import io.heddle.core.mqtt.packet.DisconnectPacket;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.mqtt.packet.PingReqPacket;
import io.heddle.core.mqtt.packet.PingRespPacket;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.mqtt.packet.PubCompPacket;
import io.heddle.core.mqtt.packet.PubRecPacket;
import io.heddle.core.mqtt.packet.PubRelPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.mqtt.packet.SubAckPacket;
import io.heddle.core.mqtt.packet.SubscribePacket;
import io.heddle.core.mqtt.packet.SubscriptionRequest;
import io.heddle.core.mqtt.packet.UnsubAckPacket;
import io.heddle.core.mqtt.packet.UnsubscribePacket;
import io.heddle.core.mqtt.packet.WillMessage;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Describes packets as values of a {@link TraceEvent}. Passwords and the data of authentication methods are never part of it; payloads, and the
 * values of User Properties, only if the administrator has asked for them.
 */
final class PacketValues {
    static final int MAXIMUM_PAYLOAD_BYTES = 4_096;

    private static final int UTF8_CHARACTER_BYTES = 4;
    private static final int CONTINUATION_MASK = 0xc0;
    private static final int CONTINUATION = 0x80;
    private static final String PACKET_ID = "packetId";
    private static final String PAYLOAD_BYTES = "payloadBytes";
    private static final String PROPERTIES = "properties";
    private static final String TOPIC_FILTER = "topicFilter";

    private final boolean hasPayloads;

    PacketValues(boolean hasPayloads) {
        this.hasPayloads = hasPayloads;
    }

    /** @param topic of a PUBLISH */
    EventValues of(MqttPacket packet, @Nullable TopicName topic) {
        return switch (packet) {
            case ConnectPacket connect -> connect(connect);
            case ConnAckPacket answer ->
                packet("CONNACK")
                        .with("sessionPresent", answer.sessionPresent())
                        .with(TraceEvent.REASON, answer.reason().tag())
                        .with(PROPERTIES, properties(answer.properties()));
            case PublishPacket publish -> publish(publish, topic);
            case PubAckPacket ack ->
                acknowledgement("PUBACK", ack.packetId(), ack.reason(), ack.reasonString(), ack.userProperties());
            case PubRecPacket ack ->
                acknowledgement("PUBREC", ack.packetId(), ack.reason(), ack.reasonString(), ack.userProperties());
            case PubRelPacket ack ->
                acknowledgement("PUBREL", ack.packetId(), ack.reason(), ack.reasonString(), ack.userProperties());
            case PubCompPacket ack ->
                acknowledgement("PUBCOMP", ack.packetId(), ack.reason(), ack.reasonString(), ack.userProperties());
            case SubscribePacket subscribe ->
                packet("SUBSCRIBE")
                        .with(PACKET_ID, subscribe.packetId())
                        .with(
                                "filters",
                                subscribe.requests().stream()
                                        .limit(EventValues.MAXIMUM_ITEMS)
                                        .map(PacketValues::request)
                                        .toList())
                        .with("filterCount", subscribe.requests().size())
                        .with(
                                PROPERTIES,
                                new EventValues()
                                        .with("subscriptionIdentifier", positive(subscribe.subscriptionIdentifier()))
                                        .with("userProperties", userProperties(subscribe.userProperties())));
            case SubAckPacket answer ->
                answer("SUBACK", answer.packetId(), answer.reasons(), answer.reasonString(), answer.userProperties());
            case UnsubscribePacket unsubscribe ->
                packet("UNSUBSCRIBE")
                        .with(PACKET_ID, unsubscribe.packetId())
                        .with(
                                "filters",
                                unsubscribe.topicFilters().stream()
                                        .limit(EventValues.MAXIMUM_ITEMS)
                                        .map(each -> new EventValues()
                                                .with(TOPIC_FILTER, each)
                                                .toMap())
                                        .toList())
                        .with("filterCount", unsubscribe.topicFilters().size())
                        .with(
                                PROPERTIES,
                                new EventValues().with("userProperties", userProperties(unsubscribe.userProperties())));
            case UnsubAckPacket answer ->
                answer("UNSUBACK", answer.packetId(), answer.reasons(), answer.reasonString(), answer.userProperties());
            case PingReqPacket _ -> packet("PINGREQ");
            case PingRespPacket _ -> packet("PINGRESP");
            case DisconnectPacket disconnect ->
                packet("DISCONNECT")
                        .with(TraceEvent.REASON, disconnect.reason().tag())
                        .with(
                                PROPERTIES,
                                explained(disconnect.reasonString(), disconnect.userProperties())
                                        .with("sessionExpirySeconds", disconnect.sessionExpirySeconds())
                                        .with("serverReference", disconnect.serverReference()));
            case AuthPacket authentication ->
                packet("AUTH")
                        .with(TraceEvent.REASON, authentication.reason().tag())
                        .with(
                                PROPERTIES,
                                explained(authentication.reasonString(), authentication.userProperties())
                                        .with("authenticationMethod", authentication.authenticationMethod()));
        };
    }

    private static EventValues packet(String type) {
        return new EventValues().with("packet", type);
    }

    private EventValues connect(ConnectPacket packet) {
        ConnectProperties properties = packet.properties();
        ConnectProperties none = ConnectProperties.NONE;
        WillMessage will = packet.will();
        return packet("CONNECT")
                .with("protocolVersion", packet.version().text())
                .with("cleanStart", packet.cleanStart())
                .with("keepAliveSeconds", packet.keepAliveSeconds())
                .with("hasPassword", packet.password() != null)
                .with(
                        "will",
                        will == null
                                ? new EventValues()
                                : message(will.topic().value(), will.qos(), will.retain())
                                        .with(PAYLOAD_BYTES, will.payload().length())
                                        .with("delaySeconds", will.delaySeconds()))
                .with(
                        PROPERTIES,
                        new EventValues()
                                .with(
                                        "sessionExpirySeconds",
                                        unless(none.sessionExpirySeconds(), properties.sessionExpirySeconds()))
                                .with("receiveMaximum", unless(none.receiveMaximum(), properties.receiveMaximum()))
                                .with(
                                        "maximumPacketSize",
                                        unless(none.maximumPacketSize(), properties.maximumPacketSize()))
                                .with("topicAliasMaximum", positive(properties.topicAliasMaximum()))
                                .with("authenticationMethod", properties.authenticationMethod())
                                .with("userProperties", userProperties(properties.userProperties())));
    }

    private EventValues properties(ConnAckProperties properties) {
        ConnAckProperties none = ConnAckProperties.NONE;
        return explained(properties.reasonString(), properties.userProperties())
                .with("assignedClientId", properties.assignedClientId())
                .with("sessionExpirySeconds", properties.sessionExpirySeconds())
                .with("serverKeepAliveSeconds", properties.serverKeepAliveSeconds())
                .with("receiveMaximum", unless(none.receiveMaximum(), properties.receiveMaximum()))
                .with(
                        "maximumQos",
                        unless(
                                none.maximumQos().level(),
                                properties.maximumQos().level()))
                .with("maximumPacketSize", unless(none.maximumPacketSize(), properties.maximumPacketSize()))
                .with("topicAliasMaximum", positive(properties.topicAliasMaximum()))
                .with("authenticationMethod", properties.authenticationMethod())
                .with("serverReference", properties.serverReference());
    }

    private EventValues publish(PublishPacket packet, @Nullable TopicName topic) {
        PublishProperties properties = packet.properties();
        BinaryData correlation = properties.correlationData();
        return packet("PUBLISH")
                .with(PACKET_ID, positive(packet.packetId()))
                .withAll(message(topic == null ? null : topic.value(), packet.qos(), packet.retain()))
                .with("dup", packet.duplicate())
                .with(PAYLOAD_BYTES, packet.payload().length())
                .withAll(hasPayloads ? payload(packet.payload()) : new EventValues())
                .with(
                        PROPERTIES,
                        new EventValues()
                                .with("topicAlias", positive(packet.topicAlias()))
                                .with(
                                        "messageExpirySeconds",
                                        unless(PublishProperties.NO_EXPIRY, properties.messageExpirySeconds()))
                                .with("payloadIsUtf8", properties.payloadIsUtf8())
                                .with("contentType", properties.contentType())
                                .with(
                                        "responseTopic",
                                        properties.responseTopic() == null
                                                ? null
                                                : properties.responseTopic().value())
                                .with("correlationDataBytes", correlation == null ? null : correlation.length())
                                .with(
                                        "subscriptionIdentifiers",
                                        packet.subscriptionIdentifiers().isEmpty()
                                                ? null
                                                : packet.subscriptionIdentifiers().stream()
                                                        .limit(EventValues.MAXIMUM_ITEMS)
                                                        .map(Integer::longValue)
                                                        .toList())
                                .with("userProperties", userProperties(properties.userProperties())));
    }

    /** @param topic null if it is unknown */
    static EventValues message(@Nullable String topic, QoS qos, boolean retain) {
        return new EventValues().with("topic", topic).with("qos", qos.level()).with("retain", retain);
    }

    private static EventValues payload(BinaryData payload) {
        int length = textLength(payload.array());
        ByteBuffer shown = ByteBuffer.wrap(payload.array(), 0, length);
        EventValues values = new EventValues();
        try {
            values.withWhole(
                    "payload",
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(shown.duplicate())
                            .toString());
        } catch (CharacterCodingException noText) {
            byte[] bytes = new byte[length];
            shown.get(bytes);
            values.withWhole("payloadBase64", Base64.getEncoder().encodeToString(bytes));
        }
        return values.with("payloadCut", length < payload.length() ? true : null);
    }

    /** Returns the length of the bytes that are shown; a character of UTF-8 is not cut. */
    private static int textLength(byte[] bytes) {
        if (bytes.length <= MAXIMUM_PAYLOAD_BYTES) {
            return bytes.length;
        }
        int end = MAXIMUM_PAYLOAD_BYTES;
        while (end > MAXIMUM_PAYLOAD_BYTES - UTF8_CHARACTER_BYTES && (bytes[end] & CONTINUATION_MASK) == CONTINUATION) {
            end--;
        }
        return end;
    }

    private EventValues acknowledgement(
            String type,
            int packetId,
            ReasonCode reason,
            @Nullable String reasonString,
            List<UserProperty> userProperties) {
        return packet(type)
                .with(PACKET_ID, packetId)
                .with(TraceEvent.REASON, reason.tag())
                .with(PROPERTIES, explained(reasonString, userProperties));
    }

    private EventValues answer(
            String type,
            int packetId,
            List<ReasonCode> reasons,
            @Nullable String reasonString,
            List<UserProperty> userProperties) {
        return packet(type)
                .with(PACKET_ID, packetId)
                .with(
                        "reasons",
                        reasons.stream()
                                .limit(EventValues.MAXIMUM_ITEMS)
                                .map(ReasonCode::tag)
                                .toList())
                .with(PROPERTIES, explained(reasonString, userProperties));
    }

    private EventValues explained(@Nullable String reasonString, List<UserProperty> userProperties) {
        return new EventValues()
                .with("reasonString", reasonString)
                .with("userProperties", userProperties(userProperties));
    }

    private static Map<String, Object> request(SubscriptionRequest request) {
        return new EventValues()
                .with(TOPIC_FILTER, request.topicFilter())
                .with("qos", request.maximumQos().level())
                .with("noLocal", request.noLocal() ? true : null)
                .with("retainAsPublished", request.retainAsPublished() ? true : null)
                .toMap();
    }

    private @Nullable List<Map<String, Object>> userProperties(List<UserProperty> properties) {
        return properties.isEmpty()
                ? null
                : properties.stream()
                        .limit(EventValues.MAXIMUM_ITEMS)
                        .map(each -> new EventValues()
                                .with("name", each.name())
                                .with("value", hasPayloads ? each.value() : null)
                                .toMap())
                        .toList();
    }

    /** Returns null for an absent number. */
    private static @Nullable Integer positive(int number) {
        return number == 0 ? null : Integer.valueOf(number);
    }

    /** Returns null for the number that means absence. */
    private static @Nullable Long unless(long absent, long number) {
        return number == absent ? null : Long.valueOf(number);
    }
}
