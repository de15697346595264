package io.heddle.core.message.frame;

import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads the bytes of a frame from the beginning, big endian. Confined to one thread. All methods throw {@link MalformedFrameException}
 * when the frame is truncated.
 */
public final class FrameReader {
    private final String name;
    private final byte[] bytes;
    private final int end;
    private int at;

    /** @param name of the format, for error messages */
    public FrameReader(String name, byte[] bytes) {
        this.name = name;
        this.bytes = bytes;
        this.end = bytes.length;
    }

    /**
     * Reads the version byte.
     *
     * @param known the version that the caller can read
     */
    public void version(int known) {
        int found = u8();
        if (found != known) {
            throw malformed("its version is " + found + ", but this node only reads version " + known);
        }
    }

    /** Reads one byte, 0 to 255. */
    public int u8() {
        return bytes[take(Byte.BYTES)] & 0xff;
    }

    /** Reads two bytes, 0 to 65,535. */
    public int u16() {
        int from = take(Short.BYTES);
        return (bytes[from] & 0xff) << Byte.SIZE | (bytes[from + 1] & 0xff);
    }

    /** Reads four bytes, 0 to 4,294,967,295. */
    public long u32() {
        int from = take(Integer.BYTES);
        long value = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            value = value << Byte.SIZE | (bytes[from + i] & 0xff);
        }
        return value;
    }

    /** Reads eight bytes. */
    public long i64() {
        return u32() << Integer.SIZE | u32();
    }

    /** Reads and copies bytes. */
    public byte[] raw(int length) {
        int from = take(length);
        return Arrays.copyOfRange(bytes, from, from + length);
    }

    /** Reads bytes with a length prefix of two bytes. */
    public byte[] bytes16() {
        return raw(u16());
    }

    /** Reads a text in UTF-8 with a length prefix of two bytes. */
    public String text() {
        int length = u16();
        return new String(bytes, take(length), length, StandardCharsets.UTF_8);
    }

    /** Reads and copies the remaining bytes. */
    public byte[] rest() {
        return raw(remaining());
    }

    /** Returns the QoS of a level. */
    public QoS qos(int level) {
        return switch (level) {
            case 0 -> QoS.AT_MOST_ONCE;
            case 1 -> QoS.AT_LEAST_ONCE;
            case 2 -> QoS.EXACTLY_ONCE;
            default -> throw malformed("QoS " + level + " does not exist");
        };
    }

    /** Reads a topic filter of any depth, because the nodes may have different limits. */
    public TopicFilter filter() {
        String value = text();
        try {
            return TopicFilter.parse(value, Integer.MAX_VALUE);
        } catch (ProtocolException e) {
            throw malformed("it has no valid topic filter: " + e.detail());
        }
    }

    public int remaining() {
        return end - at;
    }

    /** Requires that no bytes remain. */
    public void finish() {
        if (at != end) {
            throw malformed((end - at) + " bytes too many");
        }
    }

    /** Returns the exception for malformed bytes. */
    public MalformedFrameException malformed(String detail) {
        return new MalformedFrameException(name + " is malformed: " + detail);
    }

    private int take(int length) {
        if (length > end - at) {
            throw malformed("it ends after " + end + " bytes, but " + (length - (end - at)) + " more are missing");
        }
        int from = at;
        at += length;
        return from;
    }
}
