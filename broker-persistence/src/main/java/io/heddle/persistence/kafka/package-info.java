/**
 * What lies in Kafka, and the connection to it.
 *
 * <p>Entry class: {@link io.heddle.persistence.kafka.KafkaCluster}, opened once at start on the main thread, which creates the topics
 * that are missing and refuses those that would break the broker's promises. Invariant: {@link
 * io.heddle.persistence.kafka.KafkaTopics} is the one place that knows a topic's name, partitions and settings. Everything here
 * blocks. Topics are never deleted, and their partitions never changed, by a node that starts.
 */
@NullMarked
package io.heddle.persistence.kafka;

import org.jspecify.annotations.NullMarked;
