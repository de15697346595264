package io.heddle.persistence.kafka;

import io.heddle.persistence.SettingRule;
import java.time.Duration;

/**
 * How a node writes to Kafka.
 *
 * @param nodeId the node's name: of all that write at the same time no two may have the same, and a node that starts again has the
 *     one that it had
 * @param bufferMemoryBytes {@code heddle.kafka.buffer-memory}: what each producer may hold of records on their way
 * @param pendingLimitBytes {@code heddle.kafka.pending-limit}: appends without an answer, above which publishes wait; above twice
 *     as many appends fail
 */
public record ProducerSettings(String nodeId, long bufferMemoryBytes, long pendingLimitBytes) {
    public static final long DEFAULT_BUFFER_MEMORY_BYTES = 64L << 20;
    public static final long DEFAULT_PENDING_LIMIT_BYTES = 64L << 20;

    // Each open partition takes a whole batch, and the largest record must have room at once.
    private static final int LEAST_BUFFER_BYTES = 2 * KafkaTopics.LARGEST_RECORD_BYTES;
    /** After it Kafka aborts a transaction that is open: nobody who reads is held up for longer. */
    public static final Duration LONGEST_TRANSACTION = Duration.ofSeconds(10);

    private static final int LEAST_PENDING_BYTES = 1 << 20;

    public ProducerSettings {
        SettingRule.notBlank("heddle.node.id", nodeId, "node-1");
        SettingRule.bytesBetween(
                "heddle.kafka.buffer-memory", bufferMemoryBytes, LEAST_BUFFER_BYTES, Integer.MAX_VALUE);
        SettingRule.bytesBetween(
                "heddle.kafka.pending-limit", pendingLimitBytes, LEAST_PENDING_BYTES, Integer.MAX_VALUE);
    }

    /** Settings with the defaults for all that has one. */
    public static ProducerSettings of(String nodeId) {
        return new ProducerSettings(nodeId, DEFAULT_BUFFER_MEMORY_BYTES, DEFAULT_PENDING_LIMIT_BYTES);
    }
}
