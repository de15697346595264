/**
 * Encoding and decoding of MQTT 3.1, 3.1.1 and 5.0 packets.
 *
 * <p>Entry classes: {@link io.heddle.transport.codec.MqttDecoder}, a Netty handler, one per connection, and
 * {@link io.heddle.transport.codec.MqttEncoder}, a plain object. Both belong to the connection's event loop. The decoder reports
 * every violation of the standard as a {@link io.heddle.core.mqtt.ProtocolException} with its reason code; it rejects a packet
 * above the size limit before allocating memory for it. Core decides what a well-formed packet may do (permissions, quotas,
 * sessions); the pipeline answers violations.
 */
@NullMarked
package io.heddle.transport.codec;

import org.jspecify.annotations.NullMarked;
