package io.heddle.persistence.record;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * Bytes of a record from front to back, big endian. For one thread. Everything throws {@link UnreadableRecordException} when the
 * bytes end too early.
 */
public final class RecordReader {
    private final byte[] bytes;
    private final int end;
    private final Supplier<String> where;
    private int at;

    /**
     * All of these bytes.
     *
     * @param where topic, partition and offset, or key: asked only when something is wrong
     */
    public RecordReader(byte[] bytes, Supplier<String> where) {
        this.bytes = bytes;
        this.end = bytes.length;
        this.where = where;
    }

    /**
     * The first byte: the version.
     *
     * @param what the name of the format
     * @param known the version that the caller can read
     */
    public void version(String what, int known) {
        int found = u8();
        if (found != known) {
            throw broken(what + " of version " + found + ", and this broker knows version " + known
                    + ": it was written by a later one");
        }
    }

    /**
     * The first byte of a format of which there are several versions: which this is.
     *
     * @param what the name of the format
     * @param latest the last version that the caller can read; it reads all before
     */
    public int versionUpTo(String what, int latest) {
        int found = u8();
        if (found < 1 || found > latest) {
            throw broken(what + " of version " + found + ", and this broker knows versions up to " + latest
                    + ": it was written by a later one");
        }
        return found;
    }

    /** One byte, 0 to 255. */
    public int u8() {
        return bytes[take(Byte.BYTES)] & 0xff;
    }

    /** Two bytes, 0 to 65,535. */
    public int u16() {
        int from = take(Short.BYTES);
        return (bytes[from] & 0xff) << Byte.SIZE | (bytes[from + 1] & 0xff);
    }

    /** Four bytes, 0 to 4,294,967,295. */
    public long u32() {
        int from = take(Integer.BYTES);
        long value = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            value = value << Byte.SIZE | (bytes[from + i] & 0xff);
        }
        return value;
    }

    /** Eight bytes. */
    public long i64() {
        return u32() << Integer.SIZE | u32();
    }

    /** So many bytes, copied. */
    public byte[] raw(int length) {
        int from = take(length);
        return Arrays.copyOfRange(bytes, from, from + length);
    }

    /** Bytes with their length in two bytes before them. */
    public byte[] bytes16() {
        return raw(u16());
    }

    /** A text in UTF-8 with its length in two bytes before it. */
    public String text() {
        int length = u16();
        return new String(bytes, take(length), length, StandardCharsets.UTF_8);
    }

    /** All that is left, copied. */
    public byte[] rest() {
        return raw(remaining());
    }

    /** How many bytes are left. */
    public int remaining() {
        return end - at;
    }

    /** Sees that nothing is left. */
    public void finish() {
        if (at != end) {
            throw broken((end - at) + " bytes too many");
        }
    }

    /** What to throw when the bytes are not what they should be. */
    public UnreadableRecordException broken(String detail) {
        return new UnreadableRecordException(where.get(), detail);
    }

    private int take(int length) {
        if (length > end - at) {
            throw broken("it ends after " + end + " bytes, but " + (length - (end - at)) + " more belong to it");
        }
        int from = at;
        at += length;
        return from;
    }
}
