/**
 * The way to DEVICE clients with persistent sessions: through the log of their bucket into their queue.
 *
 * <p>Enter at {@link io.heddle.core.delivery.device.BucketLog}, what is read, and {@link io.heddle.core.delivery.device.DeviceQueues},
 * what it is applied to. The log is the truth, the queues are its view; a message's number in its queue is a function of the log, so
 * that a replay gives the same numbers again.
 */
@NullMarked
package io.heddle.core.delivery.device;

import org.jspecify.annotations.NullMarked;
