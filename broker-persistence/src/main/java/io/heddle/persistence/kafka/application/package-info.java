/**
 * The logs of APPLICATION clients: one Kafka topic for each client with a persistent session.
 *
 * <p>Entry class: {@link io.heddle.persistence.kafka.application.KafkaApplicationLogs}. The thread {@code heddle-application-topics}
 * creates, truncates and deletes topics; each thread {@code heddle-applications-N} reads for its share of the connected clients and
 * pauses the logs of clients that lag. Records are appended by {@code kafka.append}.
 *
 * <p>Invariants: a topic is never deleted while a record for it is in flight. A topic is deleted by its id, and only after the log of nodes
 * has confirmed that this node is a member. A topic that a start finds without a session is never reused.
 */
@NullMarked
package io.heddle.persistence.kafka.application;

import org.jspecify.annotations.NullMarked;
