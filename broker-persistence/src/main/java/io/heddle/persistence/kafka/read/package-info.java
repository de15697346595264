/**
 * Reads records from Kafka: the bucket log as long as the node runs, compacted topics once at start.
 *
 * <p>Entry classes: {@link io.heddle.persistence.kafka.read.KafkaBucketLog} and {@link io.heddle.persistence.kafka.read.TopicReplay}.
 * Invariant: only {@link io.heddle.persistence.kafka.read.PollLoop} polls, and its thread owns its consumer and handler. Consumers belong
 * to no group: Heddle stores the offset of the last applied record together with the data that results from it. Offsets and sizes of logs
 * are queried through Kafka's admin client, which does not block.
 */
@NullMarked
package io.heddle.persistence.kafka.read;

import org.jspecify.annotations.NullMarked;
