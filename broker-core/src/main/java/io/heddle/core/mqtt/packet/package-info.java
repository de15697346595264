/**
 * One record per MQTT control packet, for all three protocol versions.
 *
 * <p>Entry type: {@link io.heddle.core.mqtt.packet.MqttPacket}, sealed, so that a switch over packets is complete without a
 * default. Properties that only MQTT 5.0 knows are absent (null, empty or zero) in packets of earlier versions.
 */
@NullMarked
package io.heddle.core.mqtt.packet;

import org.jspecify.annotations.NullMarked;
