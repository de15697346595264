/**
 * Slows publishers of QoS 0 messages down to the speed of the clients that read them. {@link
 * io.heddle.core.backpressure.SlowReader} belongs to the event loop of the client that does not keep up, {@link
 * io.heddle.core.backpressure.Inflow} to that of the publisher. Bounds of unsent output are the connection's; QoS 1 and 2 messages
 * wait in their sessions and slow nobody.
 */
@NullMarked
package io.heddle.core.backpressure;

import org.jspecify.annotations.NullMarked;
