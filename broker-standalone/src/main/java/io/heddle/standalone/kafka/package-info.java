/**
 * The main class of the Kafka child's own JVM.
 *
 * <p>Enter at {@link io.heddle.standalone.kafka.KafkaChild}. The build packages it as {@code heddle-kafka-child.jar} next to Kafka's jars;
 * the broker's JVM never loads it.
 *
 * <p>Not here: Kafka's settings, which {@code io.heddle.standalone.KafkaProcess} writes.
 */
@NullMarked
package io.heddle.standalone.kafka;

import org.jspecify.annotations.NullMarked;
