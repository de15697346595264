package io.heddle.api.retained;

import io.heddle.api.message.MessageResponse;
import io.heddle.core.message.PublishMessage;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A retained message in a list, without its payload.
 *
 * @param expiresAt null if it does not expire
 */
public record RetainedItemResponse(
        String topic,
        int qos,
        String publisher,
        int payloadBytes,
        @Nullable Instant expiresAt,
        @Nullable String contentType) {
    static RetainedItemResponse of(PublishMessage message) {
        return new RetainedItemResponse(
                message.topic().value(),
                message.qos().level(),
                message.publisher().value(),
                message.payload().length(),
                MessageResponse.expiry(message),
                message.properties().contentType());
    }
}
