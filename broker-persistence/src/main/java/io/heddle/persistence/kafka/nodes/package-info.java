/**
 * The log of nodes in Kafka, and the fencing of nodes that have ended.
 *
 * <p>Entry classes: {@link io.heddle.persistence.kafka.nodes.KafkaNodeLog}, whose thread {@code heddle-nodes} reads the log, and {@link
 * io.heddle.persistence.kafka.nodes.KafkaProducerFencing}. Both never block for long and may be used by any thread. Invariant: heartbeats have
 * a producer of their own, so that no other record delays them, and a heartbeat that Kafka does not accept in a few seconds is dropped. The
 * decisions belong to {@code core.cluster}, the bytes to {@code persistence.record}.
 */
@NullMarked
package io.heddle.persistence.kafka.nodes;

import org.jspecify.annotations.NullMarked;
