package io.heddle.core.message.frame;

import io.heddle.core.client.ClientId;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.UserProperty;
import java.util.ArrayList;
import java.util.List;

/**
 * The format of a message between nodes. The payload extends to the end, so that a message is always the last part of its frame.
 *
 * <pre>
 * u8   bits 0-1 QoS, bit 2 RETAIN, bit 3 expires, bit 4 has properties
 * i64  milliseconds until it expires              (bit 3)
 * text publisher
 * text topic
 *      properties                                 (bit 4)
 * u8     bit 0 Message Expiry Interval, bit 1 Payload Format Indicator, bit 2 its value, bit 3 Content Type,
 *        bit 4 Response Topic, bit 5 Correlation Data, bit 6 User Properties
 * u32    Message Expiry Interval, seconds         (bit 0)
 * text   Content Type                             (bit 3)
 * text   Response Topic                           (bit 4)
 * u16    length, and Correlation Data             (bit 5)
 * u32    count, and User Properties, two texts each (bit 6)
 *      payload, to the end
 * </pre>
 *
 * A text is its length in bytes, u16, followed by UTF-8. The rest of the lifetime is sent instead of its end, because the clocks of two nodes
 * differ. The version is that of the frame.
 */
public final class MessageFrame {
    private static final int QOS = 0b11;
    private static final int RETAIN = 1 << 2;
    private static final int EXPIRES = 1 << 3;
    private static final int PROPERTIES = 1 << 4;

    private static final int EXPIRY_INTERVAL = 1;
    private static final int FORMAT_INDICATOR = 1 << 1;
    private static final int FORMAT_IS_UTF8 = 1 << 2;
    private static final int CONTENT_TYPE = 1 << 3;
    private static final int RESPONSE_TOPIC = 1 << 4;
    private static final int CORRELATION_DATA = 1 << 5;
    private static final int USER_PROPERTIES = 1 << 6;

    /** The size of two empty texts. */
    private static final int MINIMUM_USER_PROPERTY_BYTES = 2 * Short.BYTES;

    private MessageFrame() {}

    /**
     * Writes a message, which must be the last part of the frame.
     *
     * @param nowMillis of the {@link io.heddle.core.message.SteadyClock} of this node
     */
    public static void write(PublishMessage message, long nowMillis, FrameWriter writer) {
        PublishProperties properties = message.properties();
        boolean plain = properties.equals(PublishProperties.NONE);
        writer.u8(message.qos().level()
                | (message.retain() ? RETAIN : 0)
                | (message.canExpire() ? EXPIRES : 0)
                | (plain ? 0 : PROPERTIES));
        if (message.canExpire()) {
            writer.i64(message.expiresAtMillis() - nowMillis);
        }
        writer.text(message.publisher().value()).text(message.topic().value());
        if (!plain) {
            writeProperties(properties, writer);
        }
        writer.raw(message.payload().array());
    }

    private static void writeProperties(PublishProperties properties, FrameWriter writer) {
        boolean expires = properties.messageExpirySeconds() != PublishProperties.NO_EXPIRY;
        Boolean utf8 = properties.payloadIsUtf8();
        String contentType = properties.contentType();
        TopicName responseTopic = properties.responseTopic();
        BinaryData correlationData = properties.correlationData();
        List<UserProperty> userProperties = properties.userProperties();
        writer.u8((expires ? EXPIRY_INTERVAL : 0)
                | (utf8 != null ? FORMAT_INDICATOR : 0)
                | (utf8 != null && utf8 ? FORMAT_IS_UTF8 : 0)
                | (contentType != null ? CONTENT_TYPE : 0)
                | (responseTopic != null ? RESPONSE_TOPIC : 0)
                | (correlationData != null ? CORRELATION_DATA : 0)
                | (userProperties.isEmpty() ? 0 : USER_PROPERTIES));
        if (expires) {
            writer.u32(properties.messageExpirySeconds());
        }
        if (contentType != null) {
            writer.text(contentType);
        }
        if (responseTopic != null) {
            writer.text(responseTopic.value());
        }
        if (correlationData != null) {
            writer.bytes16(correlationData.array());
        }
        if (!userProperties.isEmpty()) {
            writer.u32(userProperties.size());
            for (UserProperty property : userProperties) {
                writer.text(property.name()).text(property.value());
            }
        }
    }

    /**
     * Reads a message, which extends to the end of the frame.
     *
     * @param nowMillis of the {@link io.heddle.core.message.SteadyClock} of this node
     * @throws MalformedFrameException when the frame is truncated or has no valid message
     */
    public static PublishMessage read(FrameReader reader, long nowMillis) {
        int flags = reader.u8();
        QoS qos = reader.qos(flags & QOS);
        long expiresAtMillis = (flags & EXPIRES) == 0 ? PublishMessage.NEVER_EXPIRES : nowMillis + reader.i64();
        String publisher = reader.text();
        if (publisher.isEmpty()) {
            throw reader.malformed("the message has no publisher");
        }
        TopicName topic = topic(reader);
        PublishProperties properties = (flags & PROPERTIES) == 0 ? PublishProperties.NONE : readProperties(reader);
        return new PublishMessage(
                new ClientId(publisher),
                topic,
                qos,
                (flags & RETAIN) != 0,
                properties,
                BinaryData.wrap(reader.rest()),
                expiresAtMillis);
    }

    private static PublishProperties readProperties(FrameReader reader) {
        int flags = reader.u8();
        long expirySeconds = (flags & EXPIRY_INTERVAL) == 0 ? PublishProperties.NO_EXPIRY : reader.u32();
        Boolean utf8 = (flags & FORMAT_INDICATOR) == 0 ? null : (flags & FORMAT_IS_UTF8) != 0;
        String contentType = (flags & CONTENT_TYPE) == 0 ? null : reader.text();
        TopicName responseTopic = (flags & RESPONSE_TOPIC) == 0 ? null : topic(reader);
        BinaryData correlationData = (flags & CORRELATION_DATA) == 0 ? null : BinaryData.wrap(reader.bytes16());
        List<UserProperty> userProperties = (flags & USER_PROPERTIES) == 0 ? List.of() : userProperties(reader);
        return new PublishProperties(expirySeconds, utf8, contentType, responseTopic, correlationData, userProperties);
    }

    private static List<UserProperty> userProperties(FrameReader reader) {
        long count = reader.u32();
        if (count > reader.remaining() / MINIMUM_USER_PROPERTY_BYTES) {
            throw reader.malformed(count + " User Properties exceed its size");
        }
        List<UserProperty> properties = new ArrayList<>((int) count);
        for (long i = 0; i < count; i++) {
            properties.add(new UserProperty(reader.text(), reader.text()));
        }
        return properties;
    }

    /** Reads a topic of any depth, because the nodes may have different limits. */
    private static TopicName topic(FrameReader reader) {
        String value = reader.text();
        try {
            return TopicName.parse(value, Integer.MAX_VALUE);
        } catch (ProtocolException e) {
            throw reader.malformed("it has no valid topic name: " + e.detail());
        }
    }
}
