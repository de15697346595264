package io.heddle.persistence.kafka.read;

import io.heddle.core.StoreUnavailableException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.clients.admin.ReplicaInfo;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;

/** Measures the disk space of partitions on Kafka's brokers. Thread-safe, never blocks. */
public final class LogSizes {
    private final Admin admin;

    public LogSizes(Admin admin) {
        this.admin = admin;
    }

    /** Returns the bytes of each partition's largest replica, in order. */
    public CompletionStage<List<Long>> of(List<TopicPartition> partitions) {
        return admin.describeCluster()
                .nodes()
                .toCompletionStage()
                .thenCompose(nodes -> admin.describeLogDirs(
                                nodes.stream().map(Node::id).toList())
                        .allDescriptions()
                        .toCompletionStage())
                .thenApply(brokers -> partitions.stream()
                        .map(partition -> largest(partition, brokers))
                        .toList())
                .exceptionally(fault -> {
                    throw StoreUnavailableException.kafka("Kafka did not report the sizes of its logs", fault);
                });
    }

    private static long largest(TopicPartition partition, Map<Integer, Map<String, LogDirDescription>> brokers) {
        long largest = 0;
        for (Map<String, LogDirDescription> directories : brokers.values()) {
            for (LogDirDescription directory : directories.values()) {
                ReplicaInfo replica = directory.replicaInfos().get(partition);
                if (replica != null) {
                    largest = Math.max(largest, replica.size());
                }
            }
        }
        return largest;
    }
}
