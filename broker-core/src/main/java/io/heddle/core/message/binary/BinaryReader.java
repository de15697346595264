package io.heddle.core.message.binary;

import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads bytes from the beginning, big endian. Confined to one thread. All methods throw the exception of {@link #malformed} when the bytes
 * are truncated. Subclasses read the version byte and name the source of the bytes in the exception.
 */
public abstract class BinaryReader {
    private final byte[] bytes;
    private int at;

    protected BinaryReader(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Reads one byte, 0 to 255. */
    public final int u8() {
        return bytes[take(Byte.BYTES)] & 0xff;
    }

    /** Reads two bytes, 0 to 65,535. */
    public final int u16() {
        int from = take(Short.BYTES);
        return (bytes[from] & 0xff) << Byte.SIZE | (bytes[from + 1] & 0xff);
    }

    /** Reads four bytes, 0 to 4,294,967,295. */
    public final long u32() {
        int from = take(Integer.BYTES);
        long value = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            value = value << Byte.SIZE | (bytes[from + i] & 0xff);
        }
        return value;
    }

    /** Reads eight bytes. */
    public final long i64() {
        return u32() << Integer.SIZE | u32();
    }

    /** Reads and copies bytes. */
    public final byte[] raw(int length) {
        int from = take(length);
        return Arrays.copyOfRange(bytes, from, from + length);
    }

    /** Reads bytes with a length prefix of two bytes. */
    public final byte[] bytes16() {
        return raw(u16());
    }

    /** Reads a text in UTF-8 with a length prefix of two bytes. */
    public final String text() {
        int length = u16();
        return new String(bytes, take(length), length, StandardCharsets.UTF_8);
    }

    /** Reads and copies the remaining bytes. */
    public final byte[] rest() {
        return raw(remaining());
    }

    public final QoS qos(int level) {
        return switch (level) {
            case 0 -> QoS.AT_MOST_ONCE;
            case 1 -> QoS.AT_LEAST_ONCE;
            case 2 -> QoS.EXACTLY_ONCE;
            default -> throw malformed("QoS " + level + " does not exist");
        };
    }

    /** Reads a topic of any depth: the node that wrote it may have allowed more levels than this node allows now. */
    public final TopicName topic() {
        String value = text();
        try {
            return TopicName.parse(value, Integer.MAX_VALUE);
        } catch (ProtocolException e) {
            throw malformed("it has no valid topic name: " + e.detail());
        }
    }

    /** Reads a topic filter of any depth, like {@link #topic}. */
    public final TopicFilter filter() {
        String value = text();
        try {
            return TopicFilter.parse(value, Integer.MAX_VALUE);
        } catch (ProtocolException e) {
            throw malformed("it has no valid topic filter: " + e.detail());
        }
    }

    public final int remaining() {
        return bytes.length - at;
    }

    /** Requires that no bytes remain. */
    public final void finish() {
        if (at != bytes.length) {
            throw malformed(remaining() + " bytes too many");
        }
    }

    /** @param detail the reason, for a person */
    public abstract RuntimeException malformed(String detail);

    private int take(int length) {
        if (length > remaining()) {
            throw malformed(
                    "it ends after " + bytes.length + " bytes, but " + (length - remaining()) + " more are missing");
        }
        int from = at;
        at += length;
        return from;
    }
}
