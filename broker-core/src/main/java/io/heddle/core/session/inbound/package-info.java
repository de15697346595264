/**
 * Takes the messages that a client publishes, and acknowledges them.
 *
 * <p>Enter at {@link io.heddle.core.session.inbound.InboundPublishes}, the publishes of one connection; {@link
 * io.heddle.core.session.inbound.PendingAcks} sends the acknowledgements in the order of the publishes. The event loop of the connection
 * owns all of it; outcomes arrive from other threads. Invariant: a message is acknowledged only when every log that stores it has made it
 * durable. Authorization, routing and the logs are in the packages below.
 */
@NullMarked
package io.heddle.core.session.inbound;

import org.jspecify.annotations.NullMarked;
