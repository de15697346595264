/**
 * All logs of a node behind core's ports.
 *
 * <p>Entry class: {@link io.heddle.persistence.kafka.log.KafkaLogs}, opened and closed on a thread that may block, thread-safe in
 * between. It owns the producers and readers of the other packages below {@code persistence.kafka} and none of them uses it.
 */
@NullMarked
package io.heddle.persistence.kafka.log;

import org.jspecify.annotations.NullMarked;
