package io.heddle.core.message.frame;

import io.heddle.core.client.ClientId;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.binary.PropertiesFormat;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;

/**
 * The format of a message between nodes. The payload extends to the end, so that a message is always the last part of its frame.
 *
 * <pre>
 * u8   bits 0-1 QoS, bit 2 RETAIN, bit 3 expires, bit 4 has properties, bit 5 is measured
 * i64  milliseconds until it expires              (bit 3)
 * i64  when its PUBLISH arrived, microseconds since 1970 by the clock of the node that it arrived at (bit 5)
 * text publisher
 * text topic
 *      properties, see {@link PropertiesFormat}   (bit 4)
 *      payload, to the end
 * </pre>
 *
 * A text is its length in bytes, u16, followed by UTF-8. The remaining lifetime is sent instead of the expiry time, because the clocks of
 * two nodes differ. The version is that of the frame.
 */
public final class MessageFrame {
    private static final int QOS = 0b11;
    private static final int RETAIN = 1 << 2;
    private static final int EXPIRES = 1 << 3;
    private static final int PROPERTIES = 1 << 4;
    private static final int MEASURED = 1 << 5;

    private MessageFrame() {}

    /**
     * Writes a message, which must be the last part of the frame.
     *
     * @param nowMillis of the {@link io.heddle.core.message.SteadyClock} of this node
     */
    public static void write(PublishMessage message, long nowMillis, BinaryWriter writer) {
        PublishProperties properties = message.properties();
        boolean plain = properties.equals(PublishProperties.NONE);
        writer.u8(message.qos().level()
                | (message.retain() ? RETAIN : 0)
                | (message.canExpire() ? EXPIRES : 0)
                | (plain ? 0 : PROPERTIES)
                | (message.isMeasured() ? MEASURED : 0));
        if (message.canExpire()) {
            writer.i64(message.expiresAtMillis() - nowMillis);
        }
        if (message.isMeasured()) {
            writer.i64(message.arrivedMicros());
        }
        writer.text(message.publisher().value()).text(message.topic().value());
        if (!plain) {
            PropertiesFormat.write(properties, writer);
        }
        writer.raw(message.payload().array());
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
        long arrivedMicros = (flags & MEASURED) == 0 ? PublishMessage.NOT_MEASURED : reader.i64();
        String publisher = reader.text();
        if (publisher.isEmpty()) {
            throw reader.malformed("the message has no publisher");
        }
        TopicName topic = reader.topic();
        PublishProperties properties =
                (flags & PROPERTIES) == 0 ? PublishProperties.NONE : PropertiesFormat.read(reader);
        PublishMessage message = new PublishMessage(
                new ClientId(publisher),
                topic,
                qos,
                (flags & RETAIN) != 0,
                properties,
                BinaryData.wrap(reader.rest()),
                expiresAtMillis);
        return arrivedMicros == PublishMessage.NOT_MEASURED ? message : message.arrivedAt(arrivedMicros);
    }
}
