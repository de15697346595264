/**
 * MQTT over the network: bytes become packets for core, and core's packets become bytes.
 *
 * <p>Four rooms, each using those before it: {@code codec}, {@code connection}, {@code pipeline}, {@code listener}. Start
 * reading at {@link io.heddle.transport.pipeline.MqttChannelInitializer}. Nothing here knows sessions, topics or stores.
 */
@NullMarked
package io.heddle.transport;

import org.jspecify.annotations.NullMarked;
