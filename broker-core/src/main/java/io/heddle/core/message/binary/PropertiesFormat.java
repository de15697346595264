package io.heddle.core.message.binary;

import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.UserProperty;
import java.util.ArrayList;
import java.util.List;

/**
 * The format of the properties of a message, in records and in frames. Stateless, any thread. The version is that of the record or frame.
 *
 * <pre>
 * u8   bit 0 Message Expiry Interval, bit 1 Payload Format Indicator, bit 2 its value, bit 3 Content Type,
 *      bit 4 Response Topic, bit 5 Correlation Data, bit 6 User Properties
 * u32  Message Expiry Interval, seconds           (bit 0)
 * text Content Type                               (bit 3)
 * text Response Topic                             (bit 4)
 * u16  length, and Correlation Data               (bit 5)
 * u32  count, and User Properties, two texts each (bit 6)
 * </pre>
 *
 * A text is its length in bytes, u16, followed by UTF-8.
 */
public final class PropertiesFormat {
    private static final int EXPIRY_INTERVAL = 1;
    private static final int FORMAT_INDICATOR = 1 << 1;
    private static final int FORMAT_IS_UTF8 = 1 << 2;
    private static final int CONTENT_TYPE = 1 << 3;
    private static final int RESPONSE_TOPIC = 1 << 4;
    private static final int CORRELATION_DATA = 1 << 5;
    private static final int USER_PROPERTIES = 1 << 6;

    /** The size of two empty texts. */
    private static final int MINIMUM_USER_PROPERTY_BYTES = 2 * Short.BYTES;

    private PropertiesFormat() {}

    public static void write(PublishProperties properties, BinaryWriter writer) {
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

    /** Reads properties. Malformed bytes are a {@link BinaryReader#malformed} exception. */
    public static PublishProperties read(BinaryReader reader) {
        int flags = reader.u8();
        long expirySeconds = (flags & EXPIRY_INTERVAL) == 0 ? PublishProperties.NO_EXPIRY : reader.u32();
        Boolean utf8 = (flags & FORMAT_INDICATOR) == 0 ? null : (flags & FORMAT_IS_UTF8) != 0;
        String contentType = (flags & CONTENT_TYPE) == 0 ? null : reader.text();
        TopicName responseTopic = (flags & RESPONSE_TOPIC) == 0 ? null : reader.topic();
        BinaryData correlationData = (flags & CORRELATION_DATA) == 0 ? null : BinaryData.wrap(reader.bytes16());
        List<UserProperty> userProperties = (flags & USER_PROPERTIES) == 0 ? List.of() : userProperties(reader);
        return new PublishProperties(expirySeconds, utf8, contentType, responseTopic, correlationData, userProperties);
    }

    private static List<UserProperty> userProperties(BinaryReader reader) {
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
}
