/**
 * Hanging transactions: those whose marker Kafka has lost in a partition.
 *
 * <p>Entry class: {@link io.heddle.persistence.kafka.transaction.KafkaHangingTransactions}, used by the thread of the watch and by the virtual
 * threads of requests, which it blocks. Invariant: a marker is written only for a transaction that its coordinator has ended, and only with the
 * epoch that the partition has, so that Kafka refuses it once the producer has written again. {@code core.operator.store} decides when to look.
 */
@NullMarked
package io.heddle.persistence.kafka.transaction;

import org.jspecify.annotations.NullMarked;
