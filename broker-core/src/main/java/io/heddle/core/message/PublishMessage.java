package io.heddle.core.message;

import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;

/**
 * A message on its way from a publisher to its subscribers.
 *
 * @param publisher for No Local; the client whose PUBLISH or will this is
 * @param qos as published; each subscriber gets at most this
 * @param retain RETAIN as published
 * @param properties as published; {@link #propertiesAt} says what goes out
 * @param expiresAtMillis the moment, in milliseconds of the {@link SteadyClock}, from which the message is not delivered any
 *     more [MQTT-3.3.2-5], or {@link #NEVER_EXPIRES}
 */
public record PublishMessage(
        ClientId publisher,
        TopicName topic,
        QoS qos,
        boolean retain,
        PublishProperties properties,
        BinaryData payload,
        long expiresAtMillis) {
    /** The message has no lifetime of its own. */
    public static final long NEVER_EXPIRES = Long.MAX_VALUE;

    private static final long MILLIS_PER_SECOND = 1_000;
    private static final int HELD_BYTES = 96;
    /** Garbage collectors give an array from this size on whole regions of its own: nearly as much again may be lost. */
    private static final int LARGE_BYTES = 512 << 10;

    /** A message received now, whose lifetime, if its properties say one, begins now. */
    public static PublishMessage receivedAt(
            SteadyClock clock,
            ClientId publisher,
            TopicName topic,
            QoS qos,
            boolean retain,
            PublishProperties properties,
            BinaryData payload) {
        long lifetimeSeconds = properties.messageExpirySeconds();
        long expiresAtMillis = lifetimeSeconds == PublishProperties.NO_EXPIRY
                ? NEVER_EXPIRES
                : clock.millis() + lifetimeSeconds * MILLIS_PER_SECOND;
        return new PublishMessage(publisher, topic, qos, retain, properties, payload, expiresAtMillis);
    }

    /** About how many bytes holding it costs: payload, topic, properties and the objects around them. */
    public int heldBytes() {
        int payloadBytes = payload.length() < LARGE_BYTES
                ? payload.length()
                : (int) Math.min(Integer.MAX_VALUE / 2, 2L * payload.length());
        return HELD_BYTES + payloadBytes + topic.value().length() + properties.heldBytes();
    }

    /** Whether the message has a lifetime: only then does it matter what time it is. */
    public boolean canExpire() {
        return expiresAtMillis != NEVER_EXPIRES;
    }

    /** Whether its lifetime is over. */
    public boolean isExpiredAt(long nowMillis) {
        return nowMillis >= expiresAtMillis;
    }

    /**
     * What goes out with it at a moment: the Message Expiry Interval is what is left, in whole seconds begun [MQTT-3.3.2-6], and
     * zero of a message that has expired since it was sent first.
     */
    public PublishProperties propertiesAt(long nowMillis) {
        if (!canExpire()) {
            return properties;
        }
        long leftMillis = Math.max(0, expiresAtMillis - nowMillis);
        long leftSeconds = (leftMillis + MILLIS_PER_SECOND - 1) / MILLIS_PER_SECOND;
        return leftSeconds == properties.messageExpirySeconds()
                ? properties
                : properties.withMessageExpirySeconds(leftSeconds);
    }
}
