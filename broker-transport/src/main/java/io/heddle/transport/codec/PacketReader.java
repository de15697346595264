package io.heddle.transport.codec;

import io.heddle.core.HotPath;
import io.heddle.core.Limit;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.UserProperty;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.CharsetUtil;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the bytes of one packet after its fixed header. Owned by one decoder, which reuses it for every packet. Never reads
 * beyond the packet nor, from {@link #beginProperties} until {@link #hasProperty} returns false, beyond the properties; an
 * attempt throws a {@link ProtocolException}. Caches the last topic name, because most clients publish to one topic repeatedly,
 * and uses the cache shared by the connections of the event loop.
 */
@HotPath
final class PacketReader {
    // Per connection.
    private final PacketLimits limits;
    private final TopicNames topicNames;
    private TopicNames.@Nullable CachedName lastTopic;
    // Per packet.
    private ByteBuf in = Unpooled.EMPTY_BUFFER;
    private int packetEnd;
    private int end;
    // Per set of properties.
    private long seenProperties;
    private int property;
    private @Nullable List<UserProperty> userProperties;

    PacketReader(PacketLimits limits, TopicNames topicNames) {
        this.limits = limits;
        this.topicNames = topicNames;
    }

    void begin(ByteBuf in, int remainingLength) {
        this.in = in;
        this.packetEnd = in.readerIndex() + remainingLength;
        this.end = packetEnd;
    }

    /** Ends a packet and drops the reference to its buffer. */
    void end() {
        in = Unpooled.EMPTY_BUFFER;
        userProperties = null;
    }

    int remaining() {
        return end - in.readerIndex();
    }

    void requireNothingLeft() {
        if (remaining() != 0) {
            throw malformed("bytes after the end of the packet");
        }
    }

    private void require(int bytes) {
        if (bytes > remaining()) {
            throw malformed("the packet ends too early");
        }
    }

    int readByte() {
        require(1);
        return in.readUnsignedByte();
    }

    boolean readBoolean() {
        int value = readByte();
        if (value > 1) {
            throw protocolError("a property that is neither 0 nor 1");
        }
        return value == 1;
    }

    int readUnsignedShort() {
        require(2);
        return in.readUnsignedShort();
    }

    /** Reads a two-byte integer that the standard requires to be above 0. */
    int readPositiveShort() {
        int value = readUnsignedShort();
        if (value == 0) {
            throw protocolError("a property that must not be 0");
        }
        return value;
    }

    long readUnsignedInt() {
        require(4);
        return in.readUnsignedInt();
    }

    /** Reads a four-byte integer that the standard requires to be above 0. */
    long readPositiveInt() {
        long value = readUnsignedInt();
        if (value == 0) {
            throw protocolError("a property that must not be 0");
        }
        return value;
    }

    int readVariableByteInteger() {
        int value = 0;
        for (int i = 0; i < VariableByteInteger.MAXIMUM_BYTES; i++) {
            int next = readByte();
            value |= (next & 0x7F) << (7 * i);
            if (next < 0x80) {
                if (next == 0 && i > 0) {
                    throw malformed("a variable byte integer is not encoded in the fewest bytes");
                }
                return value;
            }
        }
        throw malformed("a variable byte integer has more than four bytes");
    }

    /** Reads a packet identifier, which must not be 0 [MQTT-2.2.1-3]. */
    int readPacketId() {
        int packetId = readUnsignedShort();
        if (packetId == 0) {
            throw protocolError("packet identifier 0");
        }
        return packetId;
    }

    String readString() {
        int length = readLength();
        return readString(length);
    }

    private String readString(int length) {
        int start = in.readerIndex();
        boolean ascii = Utf8.requireWellFormed(in, start, length);
        String text = in.toString(start, length, ascii ? CharsetUtil.ISO_8859_1 : CharsetUtil.UTF_8);
        in.skipBytes(length);
        return text;
    }

    BinaryData readBinary() {
        return readBytes(readLength());
    }

    /** Reads the rest of the packet, copied once. */
    BinaryData readRemaining() {
        return readBytes(remaining());
    }

    private BinaryData readBytes(int length) {
        if (length == 0) {
            return BinaryData.EMPTY;
        }
        byte[] bytes = new byte[length];
        in.readBytes(bytes);
        return BinaryData.wrap(bytes);
    }

    private int readLength() {
        int length = readUnsignedShort();
        require(length);
        return length;
    }

    /** Reads a topic name, or null if it is empty. */
    @Nullable
    TopicName readTopicName() {
        int length = readLength();
        if (length == 0) {
            return null;
        }
        if (length > limits.maximumTopicBytes()) {
            throw new ProtocolException(ReasonCode.TOPIC_NAME_INVALID, "the topic name is too long", topicLength());
        }
        int start = in.readerIndex();
        TopicNames.CachedName known = lastTopic;
        if (known == null || !known.isAt(in, start, length)) {
            known = topicNames.find(in, start, length);
            if (known == null) {
                known = parseTopicName(start, length);
                topicNames.put(in, start, length, known);
            }
            lastTopic = known;
        }
        in.skipBytes(length);
        return known.topic();
    }

    private Limit topicLength() {
        return new Limit("heddle.mqtt.maximum-topic-length", limits.maximumTopicBytes());
    }

    private TopicNames.CachedName parseTopicName(int start, int length) {
        boolean ascii = Utf8.requireWellFormed(in, start, length);
        byte[] bytes = new byte[length];
        in.getBytes(start, bytes);
        String text = new String(bytes, ascii ? CharsetUtil.ISO_8859_1 : CharsetUtil.UTF_8);
        return new TopicNames.CachedName(TopicName.parse(text, limits.maximumTopicLevels()), bytes);
    }

    /** Reads a topic name that must not be empty. */
    TopicName requireTopicName() {
        TopicName topic = readTopicName();
        if (topic == null) {
            throw new ProtocolException(ReasonCode.TOPIC_NAME_INVALID, "a topic name must not be empty");
        }
        return topic;
    }

    /** Reads a topic filter. Only empty and too long filters are rejected here; SUBACK rejects other invalid filters. */
    String readTopicFilter() {
        int length = readLength();
        if (length == 0) {
            throw malformed("a topic filter must not be empty"); // [MQTT-4.7.3-1]
        }
        if (length > limits.maximumTopicBytes()) {
            throw new ProtocolException(ReasonCode.TOPIC_FILTER_INVALID, "the topic filter is too long", topicLength());
        }
        return readString(length);
    }

    /** Reads the property length and confines the reader to the properties. */
    void beginProperties() {
        int length = readVariableByteInteger();
        if (length > remaining()) {
            throw malformed("the properties are longer than the packet");
        }
        end = in.readerIndex() + length;
        seenProperties = 0;
        userProperties = null;
    }

    /** Returns whether another property follows; if not, the reader continues after the properties. */
    boolean hasProperty() {
        if (remaining() > 0) {
            return true;
        }
        end = packetEnd;
        return false;
    }

    /** Reads the identifier of the next property; rejects a duplicate unless it may be repeated. */
    int nextProperty() {
        property = readVariableByteInteger();
        if (property < Long.SIZE) {
            long bit = 1L << property;
            if ((seenProperties & bit & ~Property.REPEATABLE) != 0) {
                throw protocolError("a duplicate property");
            }
            seenProperties |= bit;
        }
        return property;
    }

    /** Returns whether the properties read so far include one whose bit is not in the mask. */
    boolean hasAnyOtherThan(long mask) {
        return (seenProperties & ~mask) != 0;
    }

    /** Reads a subscription identifier, 1 to 268,435,455. */
    int readSubscriptionIdentifier() {
        int identifier = readVariableByteInteger();
        if (identifier == 0) {
            throw protocolError("subscription identifier 0");
        }
        return identifier;
    }

    /** Creates the exception for a property that this packet type does not allow (section 2.2.2.2: a Malformed Packet). */
    ProtocolException misplacedProperty() {
        return malformed("a property that is unknown or not allowed in this packet");
    }

    void readUserProperty() {
        List<UserProperty> kept = userProperties;
        if (kept == null) {
            kept = new ArrayList<>(4);
            userProperties = kept;
        }
        if (kept.size() >= limits.maximumUserProperties()) {
            throw new ProtocolException(
                    ReasonCode.QUOTA_EXCEEDED,
                    "too many user properties",
                    new Limit("heddle.mqtt.maximum-user-properties", limits.maximumUserProperties()));
        }
        String name = readString();
        kept.add(new UserProperty(name, readString()));
    }

    /** Returns the user properties stored since {@link #beginProperties}. */
    List<UserProperty> userProperties() {
        return userProperties == null ? List.of() : List.copyOf(userProperties);
    }

    static ProtocolException malformed(String detail) {
        return new ProtocolException(ReasonCode.MALFORMED_PACKET, detail);
    }

    static ProtocolException protocolError(String detail) {
        return new ProtocolException(ReasonCode.PROTOCOL_ERROR, detail);
    }
}
