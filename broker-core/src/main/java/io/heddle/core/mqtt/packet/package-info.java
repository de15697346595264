/**
 * One record per MQTT control packet, for all three protocol versions.
 *
 * <p>Entry type: {@link io.heddle.core.mqtt.packet.MqttPacket}, sealed, so that a switch over packets is exhaustive without a
 * default. Properties that exist only in MQTT 5.0 are absent (null, empty or zero) in packets of earlier versions.
 */
@NullMarked
package io.heddle.core.mqtt.packet;

import org.jspecify.annotations.NullMarked;
