package io.heddle.transport.codec;

import io.heddle.core.HotPath;
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
 * A cursor over the bytes of one packet behind its fixed header. Belongs to one decoder and is used for packet after packet.
 * Never reads beyond the packet, nor, between {@link #beginProperties} and {@link #hasProperty} saying no, beyond the
 * properties; whoever tries gets a {@link ProtocolException}. Remembers the last topic name, since most clients publish to
 * one topic again and again, and asks for the names that other connections brought.
 */
@HotPath
final class PacketReader {
    // For the connection.
    private final PacketLimits limits;
    private final TopicNames topicNames;
    private TopicNames.@Nullable Known lastTopic;
    // For one packet.
    private ByteBuf in = Unpooled.EMPTY_BUFFER;
    private int packetEnd;
    private int end;
    // For one set of properties.
    private long seenProperties;
    private int property;
    private @Nullable List<UserProperty> userProperties;

    PacketReader(PacketLimits limits, TopicNames topicNames) {
        this.limits = limits;
        this.topicNames = topicNames;
    }

    /** Begins a packet whose remaining bytes are the buffer's next ones; all of them are there. */
    void begin(ByteBuf in, int remainingLength) {
        this.in = in;
        this.packetEnd = in.readerIndex() + remainingLength;
        this.end = packetEnd;
    }

    /** Ends a packet: lets go of its buffer. */
    void end() {
        in = Unpooled.EMPTY_BUFFER;
        userProperties = null;
    }

    int remaining() {
        return end - in.readerIndex();
    }

    void requireNothingLeft() {
        if (remaining() != 0) {
            throw malformed("bytes behind the end of the packet");
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

    /** A two-byte integer that the standard wants above 0. */
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

    /** A four-byte integer that the standard wants above 0. */
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
                    throw malformed("a variable byte integer is longer than it must be");
                }
                return value;
            }
        }
        throw malformed("a variable byte integer has more than four bytes");
    }

    /** [MQTT-2.2.1-3]. */
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

    /** What is left of the packet, copied once. */
    BinaryData readRest() {
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

    /** A topic name, or null when it is empty. */
    @Nullable
    TopicName readTopicName() {
        int length = readLength();
        if (length == 0) {
            return null;
        }
        if (length > limits.maximumTopicBytes()) {
            throw new ProtocolException(ReasonCode.TOPIC_NAME_INVALID, "the topic name is too long");
        }
        int start = in.readerIndex();
        TopicNames.Known known = lastTopic;
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

    private TopicNames.Known parseTopicName(int start, int length) {
        boolean ascii = Utf8.requireWellFormed(in, start, length);
        byte[] bytes = new byte[length];
        in.getBytes(start, bytes);
        String text = new String(bytes, ascii ? CharsetUtil.ISO_8859_1 : CharsetUtil.UTF_8);
        return new TopicNames.Known(TopicName.parse(text, limits.maximumTopicLevels()), bytes);
    }

    /** Like {@link #readTopicName}, where it must not be empty. */
    TopicName requireTopicName() {
        TopicName topic = readTopicName();
        if (topic == null) {
            throw new ProtocolException(ReasonCode.TOPIC_NAME_INVALID, "a topic name must not be empty");
        }
        return topic;
    }

    /** A topic filter; whether it is a valid one is answered in its place in SUBACK, unless it is empty or too long. */
    String readTopicFilter() {
        int length = readLength();
        if (length == 0) {
            throw malformed("a topic filter must not be empty"); // [MQTT-4.7.3-1]
        }
        if (length > limits.maximumTopicBytes()) {
            throw new ProtocolException(ReasonCode.TOPIC_FILTER_INVALID, "the topic filter is too long");
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

    /** Whether another property follows; if not, the reader goes on behind the properties. */
    boolean hasProperty() {
        if (remaining() > 0) {
            return true;
        }
        end = packetEnd;
        return false;
    }

    /** The identifier of the next property, which has not been there before or may be repeated. */
    int nextProperty() {
        property = readVariableByteInteger();
        if (property < Long.SIZE) {
            long bit = 1L << property;
            if ((seenProperties & bit & ~Property.REPEATABLE) != 0) {
                throw protocolError("a property stands twice");
            }
            seenProperties |= bit;
        }
        return property;
    }

    /** Whether the properties read so far contain this one. */
    boolean hasSeen(int identifier) {
        return (seenProperties & (1L << identifier)) != 0;
    }

    /** Whether the properties read so far contain one whose bit is not in the mask. */
    boolean hasAnyOtherThan(long mask) {
        return (seenProperties & ~mask) != 0;
    }

    /** A subscription identifier, 1 to 268,435,455. */
    int readSubscriptionIdentifier() {
        int identifier = readVariableByteInteger();
        if (identifier == 0) {
            throw protocolError("subscription identifier 0");
        }
        return identifier;
    }

    /** For the identifier that the packet at hand does not know (section 2.2.2.2: a Malformed Packet). */
    ProtocolException misplacedProperty() {
        return malformed("a property that is unknown or does not belong into this packet");
    }

    /** Keeps one user property. */
    void readUserProperty() {
        List<UserProperty> kept = userProperties;
        if (kept == null) {
            kept = new ArrayList<>(4);
            userProperties = kept;
        }
        if (kept.size() >= limits.maximumUserProperties()) {
            throw new ProtocolException(ReasonCode.QUOTA_EXCEEDED, "too many user properties");
        }
        String name = readString();
        kept.add(new UserProperty(name, readString()));
    }

    /** The user properties kept since {@link #beginProperties}. */
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
