package io.heddle.persistence.kafka.backup;

import io.heddle.core.changelog.ChangeCondition;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.backup.BackupEntry;
import io.heddle.persistence.backup.BackupEntry.ApplicationTopic;
import io.heddle.persistence.backup.BackupEntry.Change;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.record.ConditionFormat;
import io.heddle.persistence.record.ProgressFormat;
import io.heddle.persistence.record.RecordReader;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * Writes the records of one topic, which its producer then commits. The progress of an APPLICATION client is offsets of its topic: it is
 * written only if this topic still exists. A condition that names the offset of another record gets the new offset of this record, or none
 * if the backup does not have it. One thread.
 */
final class TopicRestoration implements BackupEntry.Sink {
    private final String topic;
    private final Producer<byte[], byte[]> producer;
    private final Map<String, UUID> existing;
    private final Map<String, UUID> backedUp = new HashMap<>();
    /** The records with conditions, to which later conditions may refer. */
    private final Map<Place, Future<RecordMetadata>> conditional = new HashMap<>();

    private long records;

    private record Place(int partition, long offset) {}

    TopicRestoration(String topic, Producer<byte[], byte[]> producer, Map<String, UUID> existing) {
        this.topic = topic;
        this.producer = producer;
        this.existing = existing;
    }

    /** Returns the number of records that were written. */
    long records() {
        return records;
    }

    @Override
    public void accept(BackupEntry entry) {
        if (entry instanceof ApplicationTopic application) {
            backedUp.put(application.name(), application.id());
        } else if (entry instanceof Change change && change.topic().equals(topic) && isOfExistingLog(change)) {
            write(change);
        }
    }

    private boolean isOfExistingLog(Change change) {
        if (!topic.equals(KafkaTopics.PROGRESS)) {
            return true;
        }
        String log = KafkaTopics.application(new ProgressFormat()
                .readKey(new RecordReader(change.key().array(), () -> "a record of the backup"))
                .clientId());
        return existing.containsKey(log) && existing.get(log).equals(backedUp.get(log));
    }

    private void write(Change change) {
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(topic, change.partition(), change.key().array(), BackedUpRecords.value(change));
        byte @Nullable [] condition = condition(change);
        if (condition != null) {
            record.headers().add(ConditionFormat.HEADER, condition);
        }
        Future<RecordMetadata> written = producer.send(record);
        if (change.condition() != null) {
            conditional.put(new Place(change.partition(), change.offset()), written);
        }
        records++;
    }

    private byte @Nullable [] condition(Change change) {
        if (change.condition() == null) {
            return null;
        }
        byte[] stored = change.condition().array();
        ChangeCondition read = ConditionFormat.read(new RecordReader(stored, () -> "a record of the backup"));
        if (!(read instanceof ChangeCondition.Repeated(long overtaken))) {
            return stored;
        }
        Future<RecordMetadata> other = conditional.get(new Place(change.partition(), overtaken));
        return other == null ? null : ConditionFormat.encode(new ChangeCondition.Repeated(offset(other)));
    }

    private long offset(Future<RecordMetadata> written) {
        producer.flush();
        try {
            return written.get().offset();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartupException("the command was interrupted while it waited for Kafka", e);
        } catch (ExecutionException e) {
            throw new KafkaException("Kafka has rejected a record", e.getCause());
        }
    }
}
