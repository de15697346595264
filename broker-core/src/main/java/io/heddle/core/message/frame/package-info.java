/**
 * The bytes that nodes send to each other.
 *
 * <p>Entry class: {@link io.heddle.core.message.frame.FrameReader}; frames are written with {@link
 * io.heddle.core.message.binary.BinaryWriter}. Each package that sends frames has its own formats; {@link
 * io.heddle.core.message.frame.MessageFrame} is the part that they share. Questions of administrators and their answers are records, which
 * {@link io.heddle.core.message.frame.RecordFormat} writes and reads. All formats begin with a version byte. Stateless, or confined to
 * one thread.
 *
 * <p>The formats are in core because the links are in the transport module, which does not know the formats of the stores. Their
 * versions differ, too: a stored version stays readable for ever, but running nodes read a frame within seconds.
 */
@NullMarked
package io.heddle.core.message.frame;

import org.jspecify.annotations.NullMarked;
