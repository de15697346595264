package io.heddle.transport.codec;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the copies of one message once for each way in which they differ, and copies the bytes for all others. The bytes
 * remembered are those in the buffer that the first copy was written to, which is kept until they are forgotten. Copies of one
 * message are known by their parts: topic and payload are the same objects, and so are the properties, but for those of a message
 * that expires: there each copy has its own, made of the same parts and alike while as many whole seconds are left.
 *
 * <p>Owned by one event loop. Bound: {@value #MAXIMUM_VARIANTS} variants of one message, packets of at most {@value
 * #MAXIMUM_PACKET_BYTES} bytes, and nothing beyond {@link #forget}.
 */
@HotPath
public final class PublishVariants {
    /** How many encodings of one message are remembered; a further one is encoded for each of its copies. */
    static final int MAXIMUM_VARIANTS = 12;

    /** Larger packets are encoded for each copy: their cost is the bytes, which are copied either way. */
    static final int MAXIMUM_PACKET_BYTES = 64 * 1024;

    private static final int WITH_PROPERTIES = 0x100;

    // The message.
    private @Nullable TopicName topic;
    private @Nullable PublishProperties properties;
    private @Nullable BinaryData payload;
    // Its encodings.
    private final Variant[] variants = new Variant[MAXIMUM_VARIANTS];
    private int count;

    /** One encoding of the message. */
    private static final class Variant {
        private @Nullable PublishPacket packet;
        private List<Integer> subscriptionIdentifiers = List.of();
        private @Nullable ByteBuf source;
        private int form;
        private int offset;
        private int length;
    }

    public PublishVariants() {
        for (int i = 0; i < MAXIMUM_VARIANTS; i++) {
            variants[i] = new Variant();
        }
    }

    /**
     * Appends a packet to a buffer, like {@link MqttEncoder#encode}.
     *
     * @return the bytes written, or {@link MqttEncoder#TOO_LARGE} and the buffer is as before
     */
    public int encode(PublishPacket packet, MqttEncoder encoder, ByteBuf out) {
        int form = form(packet, encoder.version());
        Variant known = find(packet, form);
        if (known != null) {
            return copy(known, packet, encoder, out);
        }
        int offset = out.writerIndex();
        int length = encoder.encode(packet, out);
        if (length <= MAXIMUM_PACKET_BYTES
                && length != MqttEncoder.TOO_LARGE
                && packet.topicAlias() == PublishPacket.NO_TOPIC_ALIAS) {
            remember(packet, form, out, offset, length);
        }
        return length;
    }

    /** What the bytes depend on besides the message: the flags of the first byte, and whether there are properties. */
    private static int form(PublishPacket packet, MqttVersion version) {
        return PublishCodec.firstByte(packet) | (version.hasProperties() ? WITH_PROPERTIES : 0);
    }

    private @Nullable Variant find(PublishPacket packet, int form) {
        for (int i = 0; i < count; i++) {
            Variant variant = variants[i];
            if (variant.form == form && isOfOneKind(variant, packet)) {
                return variant;
            }
        }
        return null;
    }

    // Copies share these objects. Comparing what is in them would cost more than it could save.
    @SuppressWarnings("ReferenceEquality")
    private boolean isOfOneKind(Variant variant, PublishPacket packet) {
        if (variant.packet == packet) {
            return true;
        }
        return packet.payload() == payload
                && packet.topic() == topic
                && isSame(packet.properties(), properties)
                && packet.topicAlias() == PublishPacket.NO_TOPIC_ALIAS
                && packet.subscriptionIdentifiers().equals(variant.subscriptionIdentifiers);
    }

    @SuppressWarnings("ReferenceEquality") // As in isOfOneKind.
    private static boolean isSame(PublishProperties some, @Nullable PublishProperties others) {
        if (some == others) {
            return true;
        }
        return others != null
                && some.messageExpirySeconds() == others.messageExpirySeconds()
                && some.userProperties() == others.userProperties()
                && some.contentType() == others.contentType()
                && some.responseTopic() == others.responseTopic()
                && some.correlationData() == others.correlationData()
                && Objects.equals(some.payloadIsUtf8(), others.payloadIsUtf8());
    }

    private static int copy(Variant variant, PublishPacket packet, MqttEncoder encoder, ByteBuf out) {
        int length = variant.length;
        ByteBuf source = variant.source;
        if (source == null || length > encoder.maximumPacketBytes()) {
            return MqttEncoder.TOO_LARGE;
        }
        int start = out.writerIndex();
        out.writeBytes(source, variant.offset, length);
        if (packet.qos() != QoS.AT_MOST_ONCE) {
            out.setShort(start + PublishCodec.packetIdOffset(source, variant.offset), packet.packetId());
        }
        return length;
    }

    @SuppressWarnings("ReferenceEquality") // As in isOfOneKind.
    private void remember(PublishPacket packet, int form, ByteBuf source, int offset, int length) {
        if (packet.payload() != payload || packet.topic() != topic || !isSame(packet.properties(), properties)) {
            forget();
            topic = packet.topic();
            properties = packet.properties();
            payload = packet.payload();
        }
        if (count == MAXIMUM_VARIANTS) {
            return;
        }
        Variant variant = variants[count++];
        variant.packet = packet;
        variant.subscriptionIdentifiers = packet.subscriptionIdentifiers();
        variant.source = source.retain();
        variant.form = form;
        variant.offset = offset;
        variant.length = length;
    }

    /** Lets the message and the buffers go. */
    public void forget() {
        for (int i = 0; i < count; i++) {
            Variant variant = variants[i];
            ByteBuf source = variant.source;
            if (source != null) {
                source.release();
            }
            variant.source = null;
            variant.packet = null;
            variant.subscriptionIdentifiers = List.of();
        }
        count = 0;
        topic = null;
        properties = null;
        payload = null;
    }
}
