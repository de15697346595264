package io.heddle.persistence.record;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes of a record as they come about, big endian. For one thread; may be used again after {@link #clear}. */
public final class RecordWriter {
    /** Longest text and longest run of bytes with a length of two bytes before it. */
    static final int LONGEST_SHORT = 0xffff;

    private static final int FIRST_BYTES = 256;

    private byte[] bytes = new byte[FIRST_BYTES];
    private int length;

    /** Forgets what was written. */
    public void clear() {
        length = 0;
    }

    /** How many bytes were written. */
    public int length() {
        return length;
    }

    /** One byte: the lowest eight bits. */
    public RecordWriter u8(int value) {
        reserve(Byte.BYTES);
        bytes[length++] = (byte) value;
        return this;
    }

    /** Two bytes: the lowest sixteen bits. */
    public RecordWriter u16(int value) {
        reserve(Short.BYTES);
        bytes[length++] = (byte) (value >>> Byte.SIZE);
        bytes[length++] = (byte) value;
        return this;
    }

    /** Four bytes: the lowest thirty-two bits. */
    public RecordWriter u32(long value) {
        reserve(Integer.BYTES);
        for (int shift = Integer.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
            bytes[length++] = (byte) (value >>> shift);
        }
        return this;
    }

    /** Eight bytes. */
    public RecordWriter i64(long value) {
        return u32(value >>> Integer.SIZE).u32(value);
    }

    /** Bytes without their length. */
    public RecordWriter raw(byte[] value) {
        reserve(value.length);
        System.arraycopy(value, 0, bytes, length, value.length);
        length += value.length;
        return this;
    }

    /**
     * Bytes with their length in two bytes before them.
     *
     * @throws IllegalArgumentException when there are more than 65,535
     */
    public RecordWriter bytes16(byte[] value) {
        if (value.length > LONGEST_SHORT) {
            throw new IllegalArgumentException(value.length + " bytes, but the record has room for " + LONGEST_SHORT);
        }
        return u16(value.length).raw(value);
    }

    /** A text in UTF-8 with its length in two bytes before it; not more than 65,535 bytes, like every text of MQTT. */
    public RecordWriter text(String value) {
        return bytes16(value.getBytes(StandardCharsets.UTF_8));
    }

    /** A copy of what was written. */
    public byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }

    private void reserve(int more) {
        int wanted = Math.addExact(length, more);
        if (wanted > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(wanted, (int) Math.min(Integer.MAX_VALUE - 8L, 2L * bytes.length)));
        }
    }
}
