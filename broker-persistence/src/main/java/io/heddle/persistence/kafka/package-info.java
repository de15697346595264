/**
 * What lies in Kafka, and the connection to it.
 *
 * <p>Entry classes: {@link io.heddle.persistence.kafka.KafkaCluster}, opened once at start on the main thread, which creates the topics
 * that are missing and refuses those that would break the broker's promises; then {@link io.heddle.persistence.kafka.KafkaLogs}, through
 * which everything is written and read. Invariants: {@link io.heddle.persistence.kafka.KafkaTopics} is the one place that knows a topic's
 * name, partitions and settings, and {@link io.heddle.persistence.kafka.PollLoop} the only one who polls. Writing never blocks, so that
 * event loops may; opening, replaying and closing do. Partitions are never changed by a node, and no topic is
 * deleted but those of APPLICATION clients whose sessions are over. The bytes of records are {@code persistence.record}'s matter.
 */
@NullMarked
package io.heddle.persistence.kafka;

import org.jspecify.annotations.NullMarked;
