package io.heddle.persistence.record;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * Reads the bytes of a record from the beginning, big endian. Confined to one thread. All methods throw {@link UnreadableRecordException}
 * when the record is truncated.
 */
public final class RecordReader {
    private final byte[] bytes;
    private final int end;
    private final Supplier<String> where;
    private int at;

    /**
     * Creates a reader of these bytes.
     *
     * @param where returns the topic, partition and offset, or the key; called only for an error message
     */
    public RecordReader(byte[] bytes, Supplier<String> where) {
        this.bytes = bytes;
        this.end = bytes.length;
        this.where = where;
    }

    /**
     * Reads the version byte.
     *
     * @param format the name of the format
     * @param known the version that the caller can read
     */
    public void version(String format, int known) {
        int found = u8();
        if (found != known) {
            throw broken(format + " of version " + found + ", but this broker only reads version " + known
                    + ": a later version of Heddle wrote it");
        }
    }

    /**
     * Reads the version byte of a format with several versions.
     *
     * @param format the name of the format
     * @param latest the last version that the caller can read; it reads all earlier ones
     */
    public int versionUpTo(String format, int latest) {
        int found = u8();
        if (found < 1 || found > latest) {
            throw broken(format + " of version " + found + ", but this broker only reads versions up to " + latest
                    + ": a later version of Heddle wrote it");
        }
        return found;
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

    public int remaining() {
        return end - at;
    }

    /** Requires that no bytes remain. */
    public void finish() {
        if (at != end) {
            throw broken((end - at) + " bytes too many");
        }
    }

    /** Returns the exception for malformed bytes. */
    public UnreadableRecordException broken(String detail) {
        return new UnreadableRecordException(where.get(), detail);
    }

    private int take(int length) {
        if (length > end - at) {
            throw broken("it ends after " + end + " bytes, but " + (length - (end - at)) + " more are missing");
        }
        int from = at;
        at += length;
        return from;
    }
}
