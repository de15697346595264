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
 * Caches the encodings of one message: each variant is encoded once, and its bytes are copied for all other recipients. The
 * cached bytes are those in the buffer to which the first copy was written; the buffer is retained until {@link #clear}. Copies
 * of one message are recognised by identity of topic, payload and properties. Copies of a message with an expiry have properties
 * of their own, which consist of the same parts and are equal while the same number of whole seconds remains.
 *
 * <p>Owned by one event loop. Bound: {@value #MAXIMUM_VARIANTS} variants of one message, packets of at most
 * {@value #MAXIMUM_PACKET_BYTES} bytes, nothing after {@link #clear}.
 */
@HotPath
public final class PublishVariants {
    /** The number of cached encodings of one message; further variants are encoded for each copy. */
    static final int MAXIMUM_VARIANTS = 12;

    /** Larger packets are encoded for each copy: most of their cost is copying the bytes, which a cache does not avoid. */
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
     * @return the bytes written, or {@link MqttEncoder#TOO_LARGE}, which leaves the buffer unchanged
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

    /**
     * Returns the properties of an encoding besides the message: the flags of the first byte, and whether there are properties.
     */
    private static int form(PublishPacket packet, MqttVersion version) {
        return PublishCodec.firstByte(packet) | (version.hasProperties() ? WITH_PROPERTIES : 0);
    }

    private @Nullable Variant find(PublishPacket packet, int form) {
        for (int i = 0; i < count; i++) {
            Variant variant = variants[i];
            if (variant.form == form && isSameMessage(variant, packet)) {
                return variant;
            }
        }
        return null;
    }

    // Copies share these objects. Comparing their content would cost more than it could save.
    @SuppressWarnings("ReferenceEquality")
    private boolean isSameMessage(Variant variant, PublishPacket packet) {
        if (variant.packet == packet) {
            return true;
        }
        return packet.payload() == payload
                && packet.topic() == topic
                && hasSameParts(packet.properties(), properties)
                && packet.topicAlias() == PublishPacket.NO_TOPIC_ALIAS
                && packet.subscriptionIdentifiers().equals(variant.subscriptionIdentifiers);
    }

    @SuppressWarnings("ReferenceEquality") // As in isSameMessage.
    private static boolean hasSameParts(PublishProperties some, @Nullable PublishProperties others) {
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

    @SuppressWarnings("ReferenceEquality") // As in isSameMessage.
    private void remember(PublishPacket packet, int form, ByteBuf source, int offset, int length) {
        if (packet.payload() != payload || packet.topic() != topic || !hasSameParts(packet.properties(), properties)) {
            clear();
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

    /** Releases the message and the buffers. */
    public void clear() {
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
