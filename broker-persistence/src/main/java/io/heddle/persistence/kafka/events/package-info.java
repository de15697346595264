/**
 * The events of clients in Kafka, for other programs.
 *
 * <p>Entry class: {@link io.heddle.persistence.kafka.events.EventPublisher}, opened at start on the main thread. It has a producer of its own,
 * with little memory, so that events never delay messages. Invariants: no thread waits for Kafka; an event that is not sent is counted with the
 * reason. Nothing in Heddle reads the topic. What happens to clients belongs to core's {@code ClientEvents}.
 */
@NullMarked
package io.heddle.persistence.kafka.events;

import org.jspecify.annotations.NullMarked;
