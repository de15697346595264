/**
 * The way to DEVICE clients with persistent sessions: through the log of their bucket into their queue.
 *
 * <p>Enter at {@link io.heddle.core.delivery.device.BucketWriter}, which applies the log to the queues on the thread that reads the log,
 * and at {@link io.heddle.core.delivery.device.DeviceFeed}, which feeds one client from its queue on its event loop. The log is the
 * truth, the queues are its view; a message's number in its queue is a function of the log, so that a replay gives the same
 * numbers again. What a session is told of its queue is only a hint: it reads the queue itself. Packets are not known here.
 */
@NullMarked
package io.heddle.core.delivery.device;

import org.jspecify.annotations.NullMarked;
