/**
 * MQTT over the network: decodes bytes to packets for core and encodes core's packets.
 *
 * <p>Four packages, each using those before it: {@code codec}, {@code connection}, {@code pipeline}, {@code listener}. Start
 * reading at {@link io.heddle.transport.pipeline.MqttChannelInitializer}. Sessions, topics and stores are not known here.
 */
@NullMarked
package io.heddle.transport;

import org.jspecify.annotations.NullMarked;
