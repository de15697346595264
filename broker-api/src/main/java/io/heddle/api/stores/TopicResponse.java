package io.heddle.api.stores;

import io.heddle.core.operator.store.TopicState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A topic of Kafka.
 *
 * @param logBytes of the largest replicas of its partitions; null if Kafka does not report sizes
 * @param followedLag the number of committed records that the answering node has not read yet; null if it does not follow the topic
 */
record TopicResponse(
        String name, @Nullable Long logBytes, @Nullable Long followedLag, List<PartitionResponse> partitions) {
    TopicResponse {
        partitions = List.copyOf(partitions);
    }

    /** @param logBytes of its largest replica; null if Kafka does not report sizes */
    record PartitionResponse(
            int partition,
            long firstOffset,
            long endOffset,
            @Nullable Long logBytes,
            int replicas,
            int inSyncReplicas) {}

    static TopicResponse of(TopicState topic) {
        boolean isKnown = topic.partitions().stream().allMatch(each -> each.bytes() != TopicState.UNKNOWN);
        return new TopicResponse(
                topic.name(),
                isKnown
                        ? topic.partitions().stream()
                                .mapToLong(TopicState.Partition::bytes)
                                .sum()
                        : null,
                topic.followedLag() == TopicState.NOT_FOLLOWED ? null : topic.followedLag(),
                topic.partitions().stream()
                        .map(each -> new PartitionResponse(
                                each.partition(),
                                each.firstOffset(),
                                each.endOffset(),
                                each.bytes() == TopicState.UNKNOWN ? null : each.bytes(),
                                each.replicas(),
                                each.inSyncReplicas()))
                        .toList());
    }
}
