package io.heddle.persistence.kafka.read;

import io.heddle.core.StoreUnavailableException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;

/** Where topics begin and end, and the deleting of what is not needed any more. Thread-safe, does not block. */
public final class LogOffsets {
    private final Admin admin;

    public LogOffsets(Admin admin) {
        this.admin = admin;
    }

    /** The partitions of a topic, in order. */
    static List<TopicPartition> partitions(String topic, int count) {
        List<TopicPartition> partitions = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            partitions.add(new TopicPartition(topic, i));
        }
        return partitions;
    }

    /** The first offset that is there, of each of these. */
    public CompletionStage<List<Long>> beginnings(List<TopicPartition> partitions) {
        return ask(partitions, OffsetSpec.earliest());
    }

    /** The offset that comes next, of each of these; what belongs to open transactions is before it. */
    public CompletionStage<List<Long>> ends(List<TopicPartition> partitions) {
        return ask(partitions, OffsetSpec.latest());
    }

    private CompletionStage<List<Long>> ask(List<TopicPartition> partitions, OffsetSpec which) {
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        partitions.forEach(partition -> wanted.put(partition, which));
        ListOffsetsResult result = admin.listOffsets(wanted, new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED));
        return answer(result.all(), "where its logs begin and end")
                .thenApply(found -> partitions.stream()
                        .map(partition -> {
                            ListOffsetsResult.ListOffsetsResultInfo info = found.get(partition);
                            if (info == null) {
                                throw new StoreUnavailableException(
                                        "Kafka did not say where " + partition + " is", null);
                            }
                            return info.offset();
                        })
                        .toList());
    }

    /** Deletes what is below an offset. */
    CompletionStage<Void> deleteBelow(TopicPartition partition, long offset) {
        return answer(
                admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(offset)))
                        .all(),
                "to delete what is applied of " + partition);
    }

    private static <T> CompletionStage<T> answer(KafkaFuture<T> future, String asked) {
        return future.toCompletionStage().exceptionally(fault -> {
            throw new StoreUnavailableException("Kafka was asked " + asked + " and did not answer", fault);
        });
    }
}
