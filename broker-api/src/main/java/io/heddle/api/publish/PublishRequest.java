package io.heddle.api.publish;

import io.heddle.api.message.MessageLimits;
import io.heddle.api.message.MqttText;
import io.heddle.api.message.UserPropertyBody;
import io.heddle.api.problem.FieldProblems;
import io.heddle.core.client.ClientId;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.UserProperty;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message to publish.
 *
 * @param topic without wildcards; not one that is reserved for the broker
 * @param payload as text; not together with {@code payloadBase64}. Without both, the payload is empty
 * @param qos 0, 1 or 2; 0 if absent
 * @param retain false if absent
 * @param expirySeconds 0 to 4,294,967,295; absent for a message that does not expire
 */
record PublishRequest(
        @Nullable String topic,
        @Nullable String payload,
        @Nullable String payloadBase64,
        @Nullable Integer qos,
        @Nullable Boolean retain,
        @Nullable Long expirySeconds,
        @Nullable Boolean payloadIsUtf8,
        @Nullable String contentType,
        @Nullable String responseTopic,
        @Nullable String correlationDataBase64,
        @Nullable List<UserPropertyBody> userProperties) {
    private static final long MAXIMUM_EXPIRY_SECONDS = 0xFFFF_FFFFL;
    private static final int MAXIMUM_BINARY_BYTES = 65_535;
    /** The bytes of a PUBLISH packet besides texts and payload, at most: header, lengths, Packet Identifier, and identifiers of properties. */
    private static final int HEADER_BYTES = 48;

    private static final int PROPERTY_BYTES = 5;

    /** @throws io.heddle.api.problem.RequestProblem that names all wrong fields */
    PublishMessage toMessage(SteadyClock clock, ClientId publisher, MessageLimits limits) {
        FieldProblems problems = new FieldProblems();
        TopicName name = MqttText.topic(topic, limits.maximumTopicLevels(), "topic", problems);
        problems.require(
                name == null || limits.topics().isOpenToPublishers(name),
                "topic",
                "Topics that begin with $ belong to the broker, unless heddle.mqtt.allowed-dollar-prefixes names them.");
        requireLength(topic, "topic", limits, problems);
        requireLength(responseTopic, "responseTopic", limits, problems);
        problems.require(qos == null || (qos >= 0 && qos <= 2), "qos", "Use 0, 1 or 2.");
        problems.require(
                expirySeconds == null || (expirySeconds >= 0 && expirySeconds <= MAXIMUM_EXPIRY_SECONDS),
                "expirySeconds",
                "Use a number from 0 to 4294967295.");
        problems.require(
                contentType == null || MqttText.isWellFormed(contentType),
                "contentType",
                "Use at most 65,535 bytes of UTF-8 without U+0000.");
        TopicName answers = responseTopic == null
                ? null
                : MqttText.topic(responseTopic, limits.maximumTopicLevels(), "responseTopic", problems);
        BinaryData correlation = binary(correlationDataBase64, "correlationDataBase64", problems);
        problems.require(
                correlation == null || correlation.length() <= MAXIMUM_BINARY_BYTES,
                "correlationDataBase64",
                "Use at most 65,535 bytes.");
        List<UserProperty> properties = userProperties(limits, problems);
        BinaryData data = payload(problems);
        problems.require(
                packetBytes(data, correlation, properties) <= limits.maximumPacketSize(),
                payloadBase64 == null ? "payload" : "payloadBase64",
                "The message is larger than heddle.mqtt.maximum-packet-size allows.");
        problems.throwIfAny();
        return PublishMessage.receivedAt(
                clock,
                publisher,
                Objects.requireNonNull(name, "a topic without problems"),
                qos == null ? QoS.AT_MOST_ONCE : QoS.ofLevel(qos),
                retain != null && retain,
                new PublishProperties(
                        expirySeconds == null ? PublishProperties.NO_EXPIRY : expirySeconds,
                        payloadIsUtf8,
                        contentType,
                        answers,
                        correlation,
                        properties),
                data);
    }

    private BinaryData payload(FieldProblems problems) {
        problems.require(
                payload == null || payloadBase64 == null,
                "payload",
                "Give the payload as text or as base64, not both.");
        if (payload != null) {
            problems.require(
                    StandardCharsets.UTF_8.newEncoder().canEncode(payload),
                    "payload",
                    "The text is not valid Unicode.");
            return BinaryData.wrap(payload.getBytes(StandardCharsets.UTF_8));
        }
        BinaryData binary = binary(payloadBase64, "payloadBase64", problems);
        problems.require(
                binary == null || !Boolean.TRUE.equals(payloadIsUtf8) || isUtf8(binary),
                "payloadIsUtf8",
                "The payload is not valid UTF-8.");
        return binary == null ? BinaryData.EMPTY : binary;
    }

    private static boolean isUtf8(BinaryData data) {
        String text = new String(data.array(), StandardCharsets.UTF_8);
        return BinaryData.wrap(text.getBytes(StandardCharsets.UTF_8)).equals(data);
    }

    private static @Nullable BinaryData binary(@Nullable String base64, String field, FieldProblems problems) {
        // Java accepts a text without its padding, which may be a text that was cut.
        if (base64 != null && base64.length() % 4 != 0) {
            problems.add(field, "Use base64 with padding.");
            return null;
        }
        try {
            return base64 == null ? null : BinaryData.wrap(Base64.getDecoder().decode(base64));
        } catch (IllegalArgumentException notBase64) {
            problems.add(field, "Use base64 with padding.");
            return null;
        }
    }

    private static void requireLength(
            @Nullable String topic, String field, MessageLimits limits, FieldProblems problems) {
        problems.require(
                topic == null || bytes(topic) <= limits.maximumTopicLength(),
                field,
                "Use at most " + limits.maximumTopicLength() + " bytes, as heddle.mqtt.maximum-topic-length says.");
    }

    private List<UserProperty> userProperties(MessageLimits limits, FieldProblems problems) {
        List<UserProperty> properties = new ArrayList<>();
        List<UserPropertyBody> given = userProperties == null ? List.of() : userProperties;
        if (given.size() > limits.maximumUserProperties()) {
            problems.add(
                    "userProperties",
                    "Give at most " + limits.maximumUserProperties()
                            + ", as heddle.mqtt.maximum-user-properties says.");
            return properties;
        }
        for (int i = 0; i < given.size(); i++) {
            @Nullable UserPropertyBody each = given.get(i);
            boolean isWellFormed = each != null && isWellFormed(each.name()) && isWellFormed(each.value());
            problems.require(
                    isWellFormed,
                    "userProperties[" + i + "]",
                    "Give a name and a value of at most 65,535 bytes of UTF-8 each.");
            if (each != null && isWellFormed) {
                properties.add(new UserProperty(each.name(), each.value()));
            }
        }
        return properties;
    }

    private static boolean isWellFormed(@Nullable String text) {
        return text != null && MqttText.isWellFormed(text);
    }

    private long packetBytes(BinaryData data, @Nullable BinaryData correlation, List<UserProperty> properties) {
        long bytes = HEADER_BYTES
                + (long) data.length()
                + bytes(topic)
                + bytes(contentType)
                + bytes(responseTopic)
                + (correlation == null ? 0 : correlation.length());
        for (UserProperty each : properties) {
            bytes += PROPERTY_BYTES + bytes(each.name()) + bytes(each.value());
        }
        return bytes;
    }

    private static int bytes(@Nullable String text) {
        return text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
    }
}
