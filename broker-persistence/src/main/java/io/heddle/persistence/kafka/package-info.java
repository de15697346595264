/**
 * The connection to Kafka and the facts about it that every sub-package needs: settings, the topics' names and configurations, and
 * the messages for faults at start.
 *
 * <p>Entry class: {@link io.heddle.persistence.kafka.KafkaCluster}, opened once at start on the main thread. It creates missing topics
 * and rejects topics whose configuration would break the broker's guarantees. Invariants: {@link
 * io.heddle.persistence.kafka.KafkaTopics} alone knows the names, partitions and configurations of topics; a node never changes a
 * topic's partitions. Records are appended in {@code append}, read in {@code read} and {@code application}; {@code nodes} has the
 * log of nodes, {@code log} opens all others.
 * Each of these packages uses only those before it. The bytes of records belong to {@code persistence.record}.
 */
@NullMarked
package io.heddle.persistence.kafka;

import org.jspecify.annotations.NullMarked;
