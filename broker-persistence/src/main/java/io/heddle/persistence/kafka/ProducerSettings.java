package io.heddle.persistence.kafka;

import io.heddle.persistence.SettingRule;
import java.time.Duration;

/**
 * The identity and the memory limits of a node's producers.
 *
 * @param nodeId {@code heddle.node.id}: unique among the running nodes, and the same after a restart
 * @param bufferMemoryBytes {@code heddle.kafka.buffer-memory}: the memory of each producer for records in flight
 * @param pendingLimitBytes {@code heddle.kafka.pending-limit}: bytes of unanswered appends above which publishes are refused; above twice
 *     the limit, appends fail. A publisher with a quarter of the free bytes is not read
 */
public record ProducerSettings(String nodeId, long bufferMemoryBytes, long pendingLimitBytes) {
    /**
     * The age at which Kafka aborts an open transaction. Longer than Kafka is away for a minute and starts again, because an aborted transaction
     * fails its commits, and their publishers are disconnected. The transactions of a dead node end earlier: the node that takes over fences
     * them.
     */
    public static final Duration TRANSACTION_TIMEOUT = Duration.ofMinutes(2);

    /** The same for the restore of a topic: the longest time that Kafka allows by default. */
    public static final Duration RESTORE_TIMEOUT = Duration.ofMinutes(15);

    // Each open partition takes a whole batch, and the buffer must hold the largest record besides.
    private static final int MINIMUM_BUFFER_BYTES = 2 * KafkaTopics.LARGEST_RECORD_BYTES;
    private static final int MINIMUM_PENDING_BYTES = 1 << 20;

    public ProducerSettings {
        SettingRule.notBlank("heddle.node.id", nodeId, "node-1");
        SettingRule.bytesBetween(
                "heddle.kafka.buffer-memory", bufferMemoryBytes, MINIMUM_BUFFER_BYTES, Integer.MAX_VALUE);
        SettingRule.bytesBetween(
                "heddle.kafka.pending-limit", pendingLimitBytes, MINIMUM_PENDING_BYTES, Integer.MAX_VALUE);
    }
}
