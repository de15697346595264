package io.heddle.persistence.record;

import io.heddle.core.message.binary.BinaryReader;
import java.util.function.Supplier;

/** Reads the bytes of a record. All methods throw {@link UnreadableRecordException} when the record is truncated. */
public final class RecordReader extends BinaryReader {
    private final Supplier<String> where;

    /** @param where returns the topic, partition and offset, or the key; called only for an error message */
    public RecordReader(byte[] bytes, Supplier<String> where) {
        super(bytes);
        this.where = where;
    }

    /**
     * @param format the name of the format
     * @param known the only version that this build reads
     */
    public void version(String format, int known) {
        int found = u8();
        if (found != known) {
            throw malformed(format + " of version " + found + ", and this build of Heddle reads only version " + known);
        }
    }

    @Override
    public UnreadableRecordException malformed(String detail) {
        return new UnreadableRecordException(where.get(), detail);
    }
}
