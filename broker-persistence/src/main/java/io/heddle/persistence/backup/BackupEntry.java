package io.heddle.persistence.backup;

import io.heddle.core.mqtt.BinaryData;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An entry of a backup. The first one is the {@link Origin}, and the records of a partition are in order. */
public sealed interface BackupEntry {
    /**
     * @param clusterId as in PostgreSQL
     * @param madeAtMillis milliseconds since 1970
     * @param buckets the number of buckets
     * @param schema the version of the schema of PostgreSQL
     */
    record Origin(UUID clusterId, long madeAtMillis, int buckets, String schema) implements BackupEntry {}

    /**
     * A row of a table of PostgreSQL.
     *
     * @param json an object with the columns of the row, in UTF-8
     */
    record Row(String table, BinaryData json) implements BackupEntry {}

    /**
     * A record of a compacted topic.
     *
     * @param value null if the record removes its key
     * @param condition the value of the header with the condition, or null
     */
    record Change(
            String topic,
            int partition,
            long offset,
            BinaryData key,
            @Nullable BinaryData value,
            @Nullable BinaryData condition)
            implements BackupEntry {}

    /** The topic of an APPLICATION client, whose messages are not in the backup. Another topic of this name has another id. */
    record ApplicationTopic(String name, UUID id) implements BackupEntry {}

    /** Receives entries. */
    @FunctionalInterface
    interface Sink {
        void accept(BackupEntry entry);
    }
}
