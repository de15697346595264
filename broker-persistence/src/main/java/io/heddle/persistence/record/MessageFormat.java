package io.heddle.persistence.record;

import io.heddle.core.client.ClientId;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.binary.PropertiesFormat;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;

/**
 * The format of a message. The payload extends to the end of the record, so a message is always the last part of its record.
 *
 * <pre>
 * u8   version, 1
 * u8   bits 0-1 QoS, bit 2 RETAIN, bit 3 has expiry time, bit 4 has properties
 * i64  expiry time, milliseconds since 1970        (bit 3)
 * text publisher
 * text topic
 *      properties, see {@link PropertiesFormat}   (bit 4)
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

    private MessageFormat() {}

    public static byte[] encode(PublishMessage message) {
        BinaryWriter writer = new BinaryWriter();
        write(message, writer);
        return writer.toBytes();
    }

    /** Writes a message, which must be the last part of the record. */
    public static void write(PublishMessage message, BinaryWriter writer) {
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
            PropertiesFormat.write(properties, writer);
        }
        writer.raw(message.payload().array());
    }

    /**
     * Reads a message, which extends to the end of the record.
     *
     * @throws UnreadableRecordException when the record is truncated or of another version
     */
    public static PublishMessage read(RecordReader reader) {
        reader.version(NAME, VERSION);
        int flags = reader.u8();
        QoS qos = reader.qos(flags & QOS);
        long expiresAtMillis = (flags & EXPIRES) == 0 ? PublishMessage.NEVER_EXPIRES : reader.i64();
        String publisher = reader.text();
        if (publisher.isEmpty()) {
            throw reader.malformed(NAME + " without publisher");
        }
        TopicName topic = reader.topic();
        PublishProperties properties =
                (flags & PROPERTIES) == 0 ? PublishProperties.NONE : PropertiesFormat.read(reader);
        return new PublishMessage(
                new ClientId(publisher),
                topic,
                qos,
                (flags & RETAIN) != 0,
                properties,
                BinaryData.wrap(reader.rest()),
                expiresAtMillis);
    }
}
