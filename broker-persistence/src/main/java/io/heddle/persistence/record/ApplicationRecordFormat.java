package io.heddle.persistence.record;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.application.ApplicationMessage;
import io.heddle.core.delivery.log.LogAppend.ToApplication;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.binary.PropertiesFormat;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The format of a message in the log of an APPLICATION client, readable by any Kafka consumer: the record's key is the MQTT topic name in
 * UTF-8, its value is the payload, and a header contains everything else.
 *
 * <pre>
 * header "heddle":
 * u8   version, 1
 * u8   bits 0-1 QoS of the delivery, bit 2 RETAIN of the delivery, bit 3 has expiry time, bit 4 has properties,
 *      bit 5 has Subscription Identifiers
 * i64  generation of the session
 * i64  expiry time, milliseconds since 1970              (bit 3)
 * text publisher
 * u16  count, and Subscription Identifiers, u32 each     (bit 5)
 *      properties, see {@link PropertiesFormat}         (bit 4)
 * </pre>
 */
public final class ApplicationRecordFormat {
    public static final String HEADER = "heddle";

    private static final String NAME = "a message of an application";
    private static final int VERSION = 1;

    private static final int QOS = 0b11;
    private static final int RETAIN = 1 << 2;
    private static final int EXPIRES = 1 << 3;
    private static final int PROPERTIES = 1 << 4;
    private static final int IDENTIFIERS = 1 << 5;

    private ApplicationRecordFormat() {}

    public static byte[] key(ToApplication append) {
        return append.message().topic().value().getBytes(StandardCharsets.UTF_8);
    }

    public static byte[] header(ToApplication append) {
        PublishMessage message = append.message();
        List<Integer> identifiers = append.subscriptionIdentifiers();
        boolean plain = message.properties().equals(PublishProperties.NONE);
        BinaryWriter writer = new BinaryWriter()
                .u8(VERSION)
                .u8(append.qos().level()
                        | (append.retain() ? RETAIN : 0)
                        | (message.canExpire() ? EXPIRES : 0)
                        | (plain ? 0 : PROPERTIES)
                        | (identifiers.isEmpty() ? 0 : IDENTIFIERS))
                .i64(append.generation());
        if (message.canExpire()) {
            writer.i64(message.expiresAtMillis());
        }
        writer.text(message.publisher().value());
        if (!identifiers.isEmpty()) {
            writer.u16(identifiers.size());
            for (int i = 0; i < identifiers.size(); i++) {
                writer.u32(identifiers.get(i));
            }
        }
        if (!plain) {
            PropertiesFormat.write(message.properties(), writer);
        }
        return writer.toBytes();
    }

    /**
     * Reads only the generation of the recipient's session, by which readers skip messages for earlier sessions.
     *
     * @throws UnreadableRecordException when the header is truncated or of another version
     */
    public static long generation(RecordReader header) {
        header.version(NAME, VERSION);
        header.u8();
        return header.i64();
    }

    /**
     * @param sequence the offset in the log
     * @throws UnreadableRecordException when the record is truncated or of another version
     */
    public static ApplicationMessage read(long sequence, byte[] key, RecordReader header, byte[] value) {
        header.version(NAME, VERSION);
        int flags = header.u8();
        QoS qos = header.qos(flags & QOS);
        boolean retain = (flags & RETAIN) != 0;
        header.i64();
        long expiresAtMillis = (flags & EXPIRES) == 0 ? PublishMessage.NEVER_EXPIRES : header.i64();
        String publisher = header.text();
        if (publisher.isEmpty()) {
            throw header.malformed(NAME + " without publisher");
        }
        List<Integer> identifiers = (flags & IDENTIFIERS) == 0 ? List.of() : identifiers(header);
        PublishProperties properties =
                (flags & PROPERTIES) == 0 ? PublishProperties.NONE : PropertiesFormat.read(header);
        header.finish();
        PublishMessage message = new PublishMessage(
                new ClientId(publisher),
                topic(key, header),
                qos,
                retain,
                properties,
                BinaryData.wrap(value),
                expiresAtMillis);
        return new ApplicationMessage(sequence, message, qos, retain, identifiers);
    }

    private static List<Integer> identifiers(RecordReader header) {
        int count = header.u16();
        List<Integer> identifiers = new ArrayList<>(Math.min(count, header.remaining() / Integer.BYTES));
        for (int i = 0; i < count; i++) {
            identifiers.add((int) header.u32());
        }
        return identifiers;
    }

    private static TopicName topic(byte[] key, RecordReader header) {
        try {
            return TopicName.parse(new String(key, StandardCharsets.UTF_8), Integer.MAX_VALUE);
        } catch (ProtocolException e) {
            throw header.malformed("its key is not a topic name: " + e.detail());
        }
    }
}
