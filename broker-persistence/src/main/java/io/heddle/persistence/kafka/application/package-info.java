/**
 * The logs of APPLICATION clients: one Kafka topic for each client with a persistent session.
 *
 * <p>Entry class: {@link io.heddle.persistence.kafka.application.KafkaApplicationLogs}. The thread {@code heddle-application-topics}
 * creates, truncates and deletes topics; each thread {@code heddle-applications-N} reads for its share of the connected clients and
 * pauses the logs of clients that lag. Invariant: a topic is never deleted while a record for it is in flight. Records are appended by
 * {@code kafka.append}.
 */
@NullMarked
package io.heddle.persistence.kafka.application;

import org.jspecify.annotations.NullMarked;
