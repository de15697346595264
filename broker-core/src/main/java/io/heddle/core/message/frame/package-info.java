/**
 * The bytes that nodes send to each other.
 *
 * <p>Entry classes: {@link io.heddle.core.message.frame.FrameReader} and {@link io.heddle.core.message.frame.FrameWriter}. Each package that
 * sends frames has its own formats; {@link io.heddle.core.message.frame.MessageFrame} is the part that they share. All formats are big
 * endian and begin with a version byte. Stateless, or confined to one thread.
 *
 * <p>The formats are in core because the links are in the transport module, which does not know the formats of the stores. They also live
 * differently: a stored version stays readable for ever, a frame is read by a running node within seconds.
 */
@NullMarked
package io.heddle.core.message.frame;

import org.jspecify.annotations.NullMarked;
