package io.heddle.api.message;

import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * @param publisher the client that published it
 * @param payload as text if it is UTF-8, otherwise null
 * @param payloadIsUtf8 whether the publisher has declared the payload as UTF-8; null if it has declared nothing
 * @param expiresAt null if it does not expire
 */
public record MessageResponse(
        String topic,
        int qos,
        boolean retain,
        String publisher,
        @Nullable String payload,
        String payloadBase64,
        int payloadBytes,
        @Nullable Instant expiresAt,
        @Nullable Boolean payloadIsUtf8,
        @Nullable String contentType,
        @Nullable String responseTopic,
        @Nullable String correlationDataBase64,
        List<UserPropertyBody> userProperties) {
    public MessageResponse {
        userProperties = List.copyOf(userProperties);
    }

    public static MessageResponse of(PublishMessage message) {
        return of(message, message.qos(), message.retain());
    }

    /**
     * The message as a client receives it.
     *
     * @param qos of the delivery
     * @param retain RETAIN of the delivery
     */
    public static MessageResponse of(PublishMessage message, QoS qos, boolean retain) {
        PublishProperties properties = message.properties();
        return new MessageResponse(
                message.topic().value(),
                qos.level(),
                retain,
                message.publisher().value(),
                text(message.payload()),
                base64(message.payload()),
                message.payload().length(),
                expiry(message),
                properties.payloadIsUtf8(),
                properties.contentType(),
                properties.responseTopic() == null
                        ? null
                        : properties.responseTopic().value(),
                properties.correlationData() == null ? null : base64(properties.correlationData()),
                properties.userProperties().stream()
                        .map(each -> new UserPropertyBody(each.name(), each.value()))
                        .toList());
    }

    /** Returns when a message expires, or null. */
    public static @Nullable Instant expiry(PublishMessage message) {
        return message.canExpire() ? Instant.ofEpochMilli(message.expiresAtMillis()) : null;
    }

    private static String base64(BinaryData data) {
        return Base64.getEncoder().encodeToString(data.array());
    }

    private static @Nullable String text(BinaryData payload) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(payload.array()))
                    .toString();
        } catch (CharacterCodingException noText) {
            return null;
        }
    }
}
