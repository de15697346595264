/**
 * Reads records from Kafka: the bucket log as long as the node runs, compacted topics once at start.
 *
 * <p>Entry classes: {@link io.heddle.persistence.kafka.read.KafkaBucketLog} and {@link io.heddle.persistence.kafka.read.TopicReplay}.
 * Invariant: only {@link io.heddle.persistence.kafka.read.PollLoop} polls, and its thread owns its consumer and handler. Consumers
 * belong to no group; Heddle keeps their offsets itself, with the data that they lead to. Offsets and sizes of logs are asked for
 * through Kafka's admin client, which does not block.
 */
@NullMarked
package io.heddle.persistence.kafka.read;

import org.jspecify.annotations.NullMarked;
