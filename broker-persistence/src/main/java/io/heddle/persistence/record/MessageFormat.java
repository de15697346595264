package io.heddle.persistence.record;

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
 * The format of a message. The payload extends to the end of the record, so a message is always the last part of its record.
 *
 * <pre>
 * u8   version, 1
 * u8   bits 0-1 QoS, bit 2 RETAIN, bit 3 has expiry time, bit 4 has properties
 * i64  expiry time, milliseconds since 1970        (bit 3)
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
 * A text is its length in bytes, u16, followed by UTF-8.
 */
public final class MessageFormat {
    private static final String NAME = "a message";
    private static final int VERSION = 1;

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

    private MessageFormat() {}

    /** Encodes a message as a whole record. */
    public static byte[] encode(PublishMessage message) {
        RecordWriter writer = new RecordWriter();
        write(message, writer);
        return writer.toBytes();
    }

    /** Writes a message, which must be the last part of the record. */
    public static void write(PublishMessage message, RecordWriter writer) {
        PublishProperties properties = message.properties();
        boolean plain = properties.equals(PublishProperties.NONE);
        writer.u8(VERSION)
                .u8(message.qos().level()
                        | (message.retain() ? RETAIN : 0)
                        | (message.canExpire() ? EXPIRES : 0)
                        | (plain ? 0 : PROPERTIES));
        if (message.canExpire()) {
            writer.i64(message.expiresAtMillis());
        }
        writer.text(message.publisher().value()).text(message.topic().value());
        if (!plain) {
            writeProperties(properties, writer);
        }
        writer.raw(message.payload().array());
    }

    /** Writes the properties in the same way as in a message. */
    static void writeProperties(PublishProperties properties, RecordWriter writer) {
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
     * Reads a message, which extends to the end of the record.
     *
     * @throws UnreadableRecordException when the record is truncated or of a later version
     */
    public static PublishMessage read(RecordReader reader) {
        reader.version(NAME, VERSION);
        int flags = reader.u8();
        QoS qos = qos(flags & QOS, reader);
        long expiresAtMillis = (flags & EXPIRES) == 0 ? PublishMessage.NEVER_EXPIRES : reader.i64();
        String publisher = reader.text();
        if (publisher.isEmpty()) {
            throw reader.broken(NAME + " without publisher");
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

    static PublishProperties readProperties(RecordReader reader) {
        int flags = reader.u8();
        long expirySeconds = (flags & EXPIRY_INTERVAL) == 0 ? PublishProperties.NO_EXPIRY : reader.u32();
        Boolean utf8 = (flags & FORMAT_INDICATOR) == 0 ? null : (flags & FORMAT_IS_UTF8) != 0;
        String contentType = (flags & CONTENT_TYPE) == 0 ? null : reader.text();
        TopicName responseTopic = (flags & RESPONSE_TOPIC) == 0 ? null : topic(reader);
        BinaryData correlationData = (flags & CORRELATION_DATA) == 0 ? null : BinaryData.wrap(reader.bytes16());
        List<UserProperty> userProperties = (flags & USER_PROPERTIES) == 0 ? List.of() : userProperties(reader);
        return new PublishProperties(expirySeconds, utf8, contentType, responseTopic, correlationData, userProperties);
    }

    private static List<UserProperty> userProperties(RecordReader reader) {
        long count = reader.u32();
        if (count > reader.remaining() / MINIMUM_USER_PROPERTY_BYTES) {
            throw reader.broken(count + " User Properties exceed the size of the record");
        }
        List<UserProperty> properties = new ArrayList<>((int) count);
        for (long i = 0; i < count; i++) {
            properties.add(new UserProperty(reader.text(), reader.text()));
        }
        return properties;
    }

    static QoS qos(int level, RecordReader reader) {
        return switch (level) {
            case 0 -> QoS.AT_MOST_ONCE;
            case 1 -> QoS.AT_LEAST_ONCE;
            case 2 -> QoS.EXACTLY_ONCE;
            default -> throw reader.broken("QoS " + level + " does not exist");
        };
    }

    /** Reads a topic of any depth, because the settings may have allowed more levels when the broker accepted it. */
    static TopicName topic(RecordReader reader) {
        String value = reader.text();
        try {
            return TopicName.parse(value, Integer.MAX_VALUE);
        } catch (ProtocolException e) {
            throw reader.broken("it has no valid topic name: " + e.detail());
        }
    }
}
