package io.heddle.core.message;

import io.heddle.core.client.ClientId;
import io.heddle.core.message.tracing.MessageTrace;
import io.heddle.core.message.tracing.Tracing;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A message on its way from a publisher to its subscribers. Immutable except for the number of sessions that hold it, which any
 * thread may change; they share the message's memory, so that it is charged once. If messages are traced, it also remembers its trace.
 */
public final class PublishMessage {
    /** The message never expires. */
    public static final long NEVER_EXPIRES = Long.MAX_VALUE;

    /** The time until the delivery of the message is not measured. */
    public static final long NOT_MEASURED = 0;

    private static final long MILLIS_PER_SECOND = 1_000;
    private static final int HELD_BYTES = 96;
    /** From this size on, a garbage collector may allocate whole regions for an array, which wastes up to as much again. */
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
    private final long arrivedMicros;

    // Found in the properties when it is first asked for. Threads that find it at the same time find the same.
    private @Nullable MessageTrace trace;

    @SuppressWarnings("UnusedVariable") // Read by HOLDERS.
    private volatile int holders;

    /**
     * Creates a message that no session holds yet.
     *
     * @param publisher the client that sent the PUBLISH or the will, for No Local
     * @param qos as published, the upper bound for every subscriber
     * @param retain RETAIN as published
     * @param properties as published; {@link #propertiesAt} returns those to send
     * @param expiresAtMillis when the message expires [MQTT-3.3.2-5], in milliseconds of the {@link SteadyClock}, or
     *     {@link #NEVER_EXPIRES}
     */
    public PublishMessage(
            ClientId publisher,
            TopicName topic,
            QoS qos,
            boolean retain,
            PublishProperties properties,
            BinaryData payload,
            long expiresAtMillis) {
        this(publisher, topic, qos, retain, properties, payload, expiresAtMillis, NOT_MEASURED);
    }

    private PublishMessage(
            ClientId publisher,
            TopicName topic,
            QoS qos,
            boolean retain,
            PublishProperties properties,
            BinaryData payload,
            long expiresAtMillis,
            long arrivedMicros) {
        this.publisher = publisher;
        this.topic = topic;
        this.qos = qos;
        this.retain = retain;
        this.properties = properties;
        this.payload = payload;
        this.expiresAtMillis = expiresAtMillis;
        this.arrivedMicros = arrivedMicros;
    }

    /** Creates a message received now; its Message Expiry Interval, if any, starts now. */
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

    /**
     * Returns a message that no session holds yet and whose time until its delivery is measured.
     *
     * @param micros when its PUBLISH arrived at a node, in microseconds of the {@link SteadyClock} of that node
     */
    public PublishMessage arrivedAt(long micros) {
        PublishMessage measured =
                new PublishMessage(publisher, topic, qos, retain, properties, payload, expiresAtMillis, micros);
        measured.trace = trace;
        return measured;
    }

    /** Sets the trace of a message that has just arrived, before other threads see the message. */
    public void traced(MessageTrace arrived) {
        trace = arrived;
    }

    public MessageTrace trace(Tracing tracing) {
        MessageTrace known = trace;
        if (known == null) {
            known = tracing.found(properties.userProperties());
            trace = known;
        }
        return known;
    }

    /** Returns the trace of a message that has arrived at this node, if messages are traced, or null. */
    public @Nullable MessageTrace arrivedTrace() {
        return trace;
    }

    /** The PUBLISH has been answered, see {@link MessageTrace#publishEnded}. */
    public void publishEnded(@Nullable String failure) {
        MessageTrace known = trace;
        if (known != null) {
            known.publishEnded(failure);
        }
    }

    /** Returns about how many bytes it has: payload, topic, properties and object overhead. */
    public int bytes() {
        return HELD_BYTES + payload.length() + topic.value().length() + properties.heldBytes();
    }

    /** Returns about how many bytes of the heap it may occupy. */
    public int heldBytes() {
        return bytes() + (payload.length() < LARGE_BYTES ? 0 : payload.length());
    }

    public boolean canExpire() {
        return expiresAtMillis != NEVER_EXPIRES;
    }

    public boolean isExpiredAt(long nowMillis) {
        return nowMillis >= expiresAtMillis;
    }

    /**
     * Returns the properties to send at a given time. The Message Expiry Interval is the remaining time rounded up to seconds
     * [MQTT-3.3.2-6]; it is 0 for a message that has expired since it was first sent.
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

    /** Adds a holding session and returns whether it is the first. */
    public boolean hold() {
        return HOLDERS.getAndIncrement(this) == 0;
    }

    /** Removes a holding session and returns whether it was the last. */
    public boolean release() {
        return HOLDERS.decrementAndGet(this) == 0;
    }

    /** Returns the client that sent the PUBLISH or the will. */
    public ClientId publisher() {
        return publisher;
    }

    public TopicName topic() {
        return topic;
    }

    /** Returns the QoS as published, the upper bound for every subscriber. */
    public QoS qos() {
        return qos;
    }

    public boolean retain() {
        return retain;
    }

    /** Returns the properties as published; {@link #propertiesAt} returns those to send. */
    public PublishProperties properties() {
        return properties;
    }

    public BinaryData payload() {
        return payload;
    }

    /** Returns when it expires, in milliseconds of the {@link SteadyClock}, or {@link #NEVER_EXPIRES}. */
    public long expiresAtMillis() {
        return expiresAtMillis;
    }

    /**
     * Returns when its PUBLISH arrived at a node, in microseconds of the clock of that node, or {@link #NOT_MEASURED}. Not part of equality.
     */
    public long arrivedMicros() {
        return arrivedMicros;
    }

    /** Returns whether the time until its delivery is measured. */
    public boolean isMeasured() {
        return arrivedMicros != NOT_MEASURED;
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
