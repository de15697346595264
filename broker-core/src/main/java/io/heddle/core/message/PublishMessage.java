package io.heddle.core.message;

import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A message on its way from a publisher to its subscribers. Immutable, but for the number of sessions that hold it, which any thread may
 * change: they share the memory of the message, so that it is charged once.
 */
public final class PublishMessage {
    /** The message has no lifetime of its own. */
    public static final long NEVER_EXPIRES = Long.MAX_VALUE;

    private static final long MILLIS_PER_SECOND = 1_000;
    private static final int HELD_BYTES = 96;
    /** Garbage collectors give an array from this size on whole regions of its own: nearly as much again may be lost. */
    private static final int LARGE_BYTES = 512 << 10;

    private static final AtomicIntegerFieldUpdater<PublishMessage> HOLDERS =
            AtomicIntegerFieldUpdater.newUpdater(PublishMessage.class, "holders");

    private final ClientId publisher;
    private final TopicName topic;
    private final QoS qos;
    private final boolean retain;
    private final PublishProperties properties;
    private final BinaryData payload;
    private final long expiresAtMillis;
    private volatile int holders;

    /**
     * A message that no session holds.
     *
     * @param publisher for No Local; the client whose PUBLISH or will this is
     * @param qos as published; each subscriber gets at most this
     * @param retain RETAIN as published
     * @param properties as published; {@link #propertiesAt} says what goes out
     * @param expiresAtMillis the moment, in milliseconds of the {@link SteadyClock}, from which the message is not delivered any
     *     more [MQTT-3.3.2-5], or {@link #NEVER_EXPIRES}
     */
    public PublishMessage(
            ClientId publisher,
            TopicName topic,
            QoS qos,
            boolean retain,
            PublishProperties properties,
            BinaryData payload,
            long expiresAtMillis) {
        this.publisher = publisher;
        this.topic = topic;
        this.qos = qos;
        this.retain = retain;
        this.properties = properties;
        this.payload = payload;
        this.expiresAtMillis = expiresAtMillis;
    }

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

    /** A session begins to hold it. Returns whether no other does. */
    public boolean hold() {
        return HOLDERS.getAndIncrement(this) == 0;
    }

    /** A session does not hold it any more. Returns whether no other does. */
    public boolean release() {
        return HOLDERS.decrementAndGet(this) == 0;
    }

    /** How many sessions hold it at this moment. */
    public int holders() {
        return holders;
    }

    /** The client whose PUBLISH or will this is. */
    public ClientId publisher() {
        return publisher;
    }

    /** The topic that it is published to. */
    public TopicName topic() {
        return topic;
    }

    /** As published; each subscriber gets at most this. */
    public QoS qos() {
        return qos;
    }

    /** RETAIN as published. */
    public boolean retain() {
        return retain;
    }

    /** As published; {@link #propertiesAt} says what goes out. */
    public PublishProperties properties() {
        return properties;
    }

    /** The bytes that are published. */
    public BinaryData payload() {
        return payload;
    }

    /** The moment from which it is not delivered any more, or {@link #NEVER_EXPIRES}. */
    public long expiresAtMillis() {
        return expiresAtMillis;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PublishMessage that
                && publisher.equals(that.publisher)
                && topic.equals(that.topic)
                && qos == that.qos
                && retain == that.retain
                && properties.equals(that.properties)
                && payload.equals(that.payload)
                && expiresAtMillis == that.expiresAtMillis;
    }

    @Override
    public int hashCode() {
        return Objects.hash(publisher, topic, qos, retain, properties, payload, expiresAtMillis);
    }

    @Override
    public String toString() {
        return "PublishMessage[" + publisher + ", " + topic + ", " + qos + ", retain=" + retain + ", " + properties
                + ", " + payload + ", expiresAtMillis=" + expiresAtMillis + "]";
    }
}
