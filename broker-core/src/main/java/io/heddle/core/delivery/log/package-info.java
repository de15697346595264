/**
 * What is written where it must survive, and read back for one client.
 *
 * <p>Enter at {@link io.heddle.core.delivery.log.MessageLog}, which takes appends of every kind; {@link
 * io.heddle.core.delivery.log.OutboundQueue} is the other end, from which a connected client's session takes its messages.
 * The kinds of logs and who reads them are the neighbours' matter.
 */
@NullMarked
package io.heddle.core.delivery.log;

import org.jspecify.annotations.NullMarked;
