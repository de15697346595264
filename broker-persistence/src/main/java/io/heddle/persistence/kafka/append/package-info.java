/**
 * Appends records to Kafka, one by one or in transactions, in the order of their callers.
 *
 * <p>Entry class: {@link io.heddle.persistence.kafka.append.KafkaProducers}. Any thread may append, event loops too, because appending
 * never blocks; opening and closing do. Each append is answered once. While Kafka is unavailable, appends are queued up to the limits of
 * {@code PendingAppends}, then rejected. The thread {@code heddle-transactions} owns the transactional producers. The topics of
 * APPLICATION clients are created and deleted in {@code kafka.application}.
 */
@NullMarked
package io.heddle.persistence.kafka.append;

import org.jspecify.annotations.NullMarked;
