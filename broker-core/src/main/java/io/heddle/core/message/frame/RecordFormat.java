package io.heddle.core.message.frame;

import static java.util.Objects.requireNonNull;

import io.heddle.core.message.binary.BinaryWriter;
import java.util.List;
import java.util.function.Function;

/**
 * The format of a question or an answer between nodes that is a record: a version byte, and the components in their order, as {@link
 * ValueFormat} describes them. For administration, not for messages: it uses reflection. Thread-safe.
 */
public final class RecordFormat<T extends Record> {
    private static final int VERSION = 3;

    private final Class<T> type;
    private final ValueFormat format;

    private RecordFormat(Class<T> type) {
        this.type = type;
        this.format = ValueFormat.of(type);
    }

    /**
     * Creates the format of a record. Components that may be null are annotated with {@link org.jspecify.annotations.Nullable}.
     *
     * @throws IllegalArgumentException if a component has a type without a format
     */
    public static <T extends Record> RecordFormat<T> of(Class<T> type) {
        return new RecordFormat<>(type);
    }

    public byte[] encode(T record) {
        BinaryWriter out = new BinaryWriter().u8(VERSION);
        format.write(record, out);
        return out.toBytes();
    }

    /**
     * Encodes a record with as many of the first entries as fit.
     *
     * @param record returns the record with some of the entries
     */
    public <E extends Record> byte[] encode(List<E> entries, int maximumBytes, Function<List<E>, T> record) {
        int others = encode(record.apply(List.of())).length;
        return encode(record.apply(fitting(entries, maximumBytes - others)));
    }

    /** Returns as many of the first entries as have at most this number of bytes. */
    public static <E extends Record> List<E> fitting(List<E> entries, int maximumBytes) {
        BinaryWriter out = new BinaryWriter();
        int count = 0;
        int bytes = 0;
        for (E each : entries) {
            out.clear();
            ValueFormat.of(each.getClass()).write(each, out);
            bytes += out.length();
            if (bytes > maximumBytes) {
                break;
            }
            count++;
        }
        return entries.subList(0, count);
    }

    /** @throws MalformedFrameException if the bytes are of another version or another record, or the record rejects a component */
    public T decode(byte[] bytes) {
        FrameReader in = new FrameReader("a " + type.getSimpleName() + " of another node", bytes);
        in.version(VERSION);
        T record = requireNonNull(type.cast(format.read(in)));
        in.finish();
        return record;
    }
}
