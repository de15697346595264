package io.heddle.persistence.kafka.backup;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.persistence.backup.BackupEntry;
import io.heddle.persistence.backup.BackupEntry.Change;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.record.ChangeFormat;
import io.heddle.persistence.record.ClientFormat;
import io.heddle.persistence.record.ConditionFormat;
import io.heddle.persistence.record.ProgressFormat;
import io.heddle.persistence.record.RecordReader;
import io.heddle.persistence.record.RetainedFormat;
import io.heddle.persistence.record.UnreadableRecordException;
import org.jspecify.annotations.Nullable;

/** The records of a backup in the formats of this build, which are the only ones that nodes read. Stateless. */
final class BackedUpRecords {
    private BackedUpRecords() {}

    /** Returns the value of a record in the format of this build; null if the record removes its key. */
    static byte @Nullable [] value(Change change) {
        BinaryData value = change.value();
        if (value == null) {
            return null;
        }
        return change.topic().equals(KafkaTopics.CLIENTS)
                ? ClientFormat.ofBackup(reader(change, change.key().array()), value.array())
                : value.array();
    }

    /** Throws StartupException if nodes of this build could not read a record after its restore. */
    static void requireReadable(BackupEntry entry) {
        if (entry instanceof Change change) {
            try {
                read(change);
            } catch (UnreadableRecordException e) {
                throw new StartupException(
                        e.getMessage() + ": restore the backup with the build that made it, or with a later one", e);
            }
        }
    }

    private static void read(Change change) {
        RecordReader key = reader(change, change.key().array());
        byte[] bytes = value(change);
        RecordReader value = bytes == null ? null : reader(change, bytes);
        switch (change.topic()) {
            case KafkaTopics.CLIENTS -> ClientFormat.read(key, value);
            case KafkaTopics.RETAINED -> read(new RetainedFormat(), key, value);
            case KafkaTopics.PROGRESS -> read(new ProgressFormat(), key, value);
            default -> throw key.malformed("this build of Heddle has no such topic");
        }
        BinaryData condition = change.condition();
        if (condition != null) {
            ConditionFormat.read(reader(change, condition.array()));
        }
    }

    private static <K, V> void read(ChangeFormat<K, V> format, RecordReader key, @Nullable RecordReader value) {
        K read = format.readKey(key);
        if (value != null) {
            format.readValue(read, value);
        }
    }

    private static RecordReader reader(Change change, byte[] bytes) {
        return new RecordReader(
                bytes,
                () -> "the record of " + change.topic() + ", partition " + change.partition() + ", offset "
                        + change.offset() + ", in the backup");
    }
}
