/**
 * Bytes to packets and back, for MQTT 3.1, 3.1.1 and 5.0.
 *
 * <p>Entry classes: {@link io.heddle.transport.codec.MqttDecoder}, a Netty handler, one per connection, and {@link
 * io.heddle.transport.codec.MqttEncoder}, a plain object. Both belong to the connection's event loop. Whatever the standard
 * forbids ends in the decoder as a {@link io.heddle.core.mqtt.ProtocolException} with its reason code; a packet above the
 * limit is refused before memory is taken for it. What a well-formed packet may do (permissions, quotas, sessions) is decided
 * in core, and how a violation is answered is the pipeline's matter.
 */
@NullMarked
package io.heddle.transport.codec;

import org.jspecify.annotations.NullMarked;
