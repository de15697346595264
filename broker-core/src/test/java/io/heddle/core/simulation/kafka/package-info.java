/**
 * A Kafka cluster in virtual time, and adapters that implement core's ports on it. {@link io.heddle.core.simulation.kafka.SimKafka} is the
 * cluster; {@link io.heddle.core.simulation.kafka.SimKafkaClient} is the client of one broker process, with buffers that survive a freeze.
 */
@NullMarked
package io.heddle.core.simulation.kafka;

import org.jspecify.annotations.NullMarked;
