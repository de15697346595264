/**
 * The way to DEVICE clients with persistent sessions: through the log of their bucket into their queue.
 *
 * <p>Enter at {@link io.heddle.core.delivery.device.BucketWriter}, which applies the log to the queues. The log is the truth,
 * the queues are its view; a number of a message in its queue is a function of the log, so that a replay gives the same
 * numbers again. What a queue holds and a session has been told is only a hint: a session reads its queue itself.
 */
@NullMarked
package io.heddle.core.delivery.device;

import org.jspecify.annotations.NullMarked;
