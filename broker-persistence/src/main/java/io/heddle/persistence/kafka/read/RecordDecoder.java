package io.heddle.persistence.kafka.read;

import io.heddle.persistence.record.RecordReader;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the records of a compacted topic. Stateless.
 *
 * @param <R> a decoded record
 */
@FunctionalInterface
public interface RecordDecoder<R> {
    /**
     * Decodes a record.
     *
     * @param value null when the record removes its key
     * @param condition under which the record takes effect, or null
     * @throws io.heddle.persistence.record.UnreadableRecordException when it cannot
     */
    R decode(RecordReader key, @Nullable RecordReader value, @Nullable RecordReader condition);
}
