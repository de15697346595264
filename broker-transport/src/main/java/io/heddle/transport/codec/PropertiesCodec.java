package io.heddle.transport.codec;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.UserProperty;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Computes the size of properties and writes them; both omit absent ones. {@link PacketReader} reads them. The properties of a
 * PUBLISH are here because a Will Message has the same.
 */
@HotPath
final class PropertiesCodec {
    private static final int BYTE_PROPERTY = 2;
    private static final int SHORT_PROPERTY = 3;
    private static final int INT_PROPERTY = 5;

    private PropertiesCodec() {}

    /** Returns the size of a set of properties with its length prefix. */
    static int withLength(int propertyBytes) {
        return VariableByteInteger.size(propertyBytes) + propertyBytes;
    }

    static int sizeOfByte(boolean present) {
        return present ? BYTE_PROPERTY : 0;
    }

    static int sizeOfShort(boolean present) {
        return present ? SHORT_PROPERTY : 0;
    }

    static int sizeOfInt(boolean present) {
        return present ? INT_PROPERTY : 0;
    }

    static int sizeOf(@Nullable String text) {
        return text == null ? 0 : 1 + PacketWriter.sizeOf(text);
    }

    static int sizeOf(@Nullable BinaryData data) {
        return data == null ? 0 : 1 + PacketWriter.sizeOf(data);
    }

    static int sizeOf(List<UserProperty> properties) {
        int size = 0;
        for (int i = 0; i < properties.size(); i++) {
            UserProperty property = properties.get(i);
            size += 1 + PacketWriter.sizeOf(property.name()) + PacketWriter.sizeOf(property.value());
        }
        return size;
    }

    static void writeByte(int identifier, boolean present, int value, ByteBuf out) {
        if (present) {
            out.writeByte(identifier);
            out.writeByte(value);
        }
    }

    static void writeShort(int identifier, boolean present, int value, ByteBuf out) {
        if (present) {
            out.writeByte(identifier);
            out.writeShort(value);
        }
    }

    static void writeInt(int identifier, boolean present, long value, ByteBuf out) {
        if (present) {
            out.writeByte(identifier);
            out.writeInt((int) value);
        }
    }

    static void write(int identifier, @Nullable String text, ByteBuf out) {
        if (text != null) {
            out.writeByte(identifier);
            PacketWriter.write(text, out);
        }
    }

    static void write(int identifier, @Nullable BinaryData data, ByteBuf out) {
        if (data != null) {
            out.writeByte(identifier);
            PacketWriter.write(data, out);
        }
    }

    static void write(List<UserProperty> properties, ByteBuf out) {
        for (int i = 0; i < properties.size(); i++) {
            UserProperty property = properties.get(i);
            out.writeByte(Property.USER_PROPERTY);
            PacketWriter.write(property.name(), out);
            PacketWriter.write(property.value(), out);
        }
    }

    /** Returns the size of a message's properties without the length prefix. */
    static int sizeOf(PublishProperties properties) {
        TopicName responseTopic = properties.responseTopic();
        return sizeOfByte(properties.payloadIsUtf8() != null)
                + sizeOfInt(properties.messageExpirySeconds() != PublishProperties.NO_EXPIRY)
                + sizeOf(properties.contentType())
                + sizeOf(responseTopic == null ? null : responseTopic.value())
                + sizeOf(properties.correlationData())
                + sizeOf(properties.userProperties());
    }

    static void write(PublishProperties properties, ByteBuf out) {
        Boolean payloadIsUtf8 = properties.payloadIsUtf8();
        if (payloadIsUtf8 != null) {
            writeByte(Property.PAYLOAD_FORMAT_INDICATOR, true, payloadIsUtf8 ? 1 : 0, out);
        }
        long expiry = properties.messageExpirySeconds();
        writeInt(Property.MESSAGE_EXPIRY_INTERVAL, expiry != PublishProperties.NO_EXPIRY, expiry, out);
        write(Property.CONTENT_TYPE, properties.contentType(), out);
        TopicName responseTopic = properties.responseTopic();
        write(Property.RESPONSE_TOPIC, responseTopic == null ? null : responseTopic.value(), out);
        write(Property.CORRELATION_DATA, properties.correlationData(), out);
        write(properties.userProperties(), out);
    }
}
