package io.heddle.core.message.binary;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes the bytes of a record or a frame, big endian. Confined to one thread; reusable after {@link #clear}. */
public final class BinaryWriter {
    /** The length limit of texts and bytes with a length prefix of two bytes. */
    public static final int MAXIMUM_U16 = 0xffff;

    private static final int INITIAL_BYTES = 256;

    private byte[] bytes = new byte[INITIAL_BYTES];
    private int length;

    /** Discards the written bytes. */
    public void clear() {
        length = 0;
    }

    public int length() {
        return length;
    }

    /** Writes the lowest eight bits. */
    public BinaryWriter u8(int value) {
        reserve(Byte.BYTES);
        bytes[length++] = (byte) value;
        return this;
    }

    /** Writes the lowest sixteen bits. */
    public BinaryWriter u16(int value) {
        reserve(Short.BYTES);
        bytes[length++] = (byte) (value >>> Byte.SIZE);
        bytes[length++] = (byte) value;
        return this;
    }

    /** Writes the lowest thirty-two bits. */
    public BinaryWriter u32(long value) {
        reserve(Integer.BYTES);
        for (int shift = Integer.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
            bytes[length++] = (byte) (value >>> shift);
        }
        return this;
    }

    /** Writes eight bytes. */
    public BinaryWriter i64(long value) {
        return u32(value >>> Integer.SIZE).u32(value);
    }

    /** Writes bytes without a length prefix. */
    public BinaryWriter raw(byte[] value) {
        reserve(value.length);
        System.arraycopy(value, 0, bytes, length, value.length);
        length += value.length;
        return this;
    }

    /**
     * Writes bytes with a length prefix of two bytes.
     *
     * @throws IllegalArgumentException when there are more than 65,535
     */
    public BinaryWriter bytes16(byte[] value) {
        if (value.length > MAXIMUM_U16) {
            throw new IllegalArgumentException(value.length + " bytes, but the limit is " + MAXIMUM_U16);
        }
        return u16(value.length).raw(value);
    }

    /** Writes a text in UTF-8 with a length prefix of two bytes; at most 65,535 bytes, like every text of MQTT. */
    public BinaryWriter text(String value) {
        return bytes16(value.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns a copy of the written bytes. */
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
