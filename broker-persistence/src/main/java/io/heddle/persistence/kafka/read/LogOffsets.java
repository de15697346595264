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

/** Lists the first and last offsets of partitions and deletes records, through Kafka's admin client. Thread-safe, never blocks. */
public final class LogOffsets {
    private final Admin admin;

    public LogOffsets(Admin admin) {
        this.admin = admin;
    }

    /** Returns the partitions of a topic in order. */
    static List<TopicPartition> partitions(String topic, int count) {
        List<TopicPartition> partitions = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            partitions.add(new TopicPartition(topic, i));
        }
        return partitions;
    }

    /** Returns the first offset of each partition. */
    public CompletionStage<List<Long>> beginnings(List<TopicPartition> partitions) {
        return list(partitions, OffsetSpec.earliest());
    }

    /** Returns the next offset of each partition; records of open transactions are below it. */
    public CompletionStage<List<Long>> ends(List<TopicPartition> partitions) {
        return list(partitions, OffsetSpec.latest());
    }

    private CompletionStage<List<Long>> list(List<TopicPartition> partitions, OffsetSpec position) {
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        partitions.forEach(partition -> wanted.put(partition, position));
        ListOffsetsResult result = admin.listOffsets(wanted, new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED));
        return answer(result.all(), "list the offsets of its logs")
                .thenApply(found -> partitions.stream()
                        .map(partition -> {
                            ListOffsetsResult.ListOffsetsResultInfo info = found.get(partition);
                            if (info == null) {
                                throw StoreUnavailableException.kafka(
                                        "Kafka did not list the offset of " + partition, null);
                            }
                            return info.offset();
                        })
                        .toList());
    }

    CompletionStage<Void> deleteBelow(TopicPartition partition, long offset) {
        return answer(
                admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(offset)))
                        .all(),
                "delete the applied records of " + partition);
    }

    private static <T> CompletionStage<T> answer(KafkaFuture<T> future, String action) {
        return future.toCompletionStage().exceptionally(fault -> {
            throw StoreUnavailableException.kafka("Kafka did not " + action, fault);
        });
    }
}
