/**
 * Slows publishers of QoS 0 messages down to the speed of their subscribers. {@link io.heddle.core.backpressure.SlowReader} belongs to the
 * event loop of the slow subscriber, {@link io.heddle.core.backpressure.Inflow} to that of the publisher. The connection bounds its unsent
 * output; QoS 1 and 2 messages are queued in their sessions and slow no publisher.
 */
@NullMarked
package io.heddle.core.backpressure;

import org.jspecify.annotations.NullMarked;
