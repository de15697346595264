/**
 * Sends the QoS 1 and 2 messages of one session to its client.
 *
 * <p>Enter at {@link io.heddle.core.session.outbound.Outbox}. It connects an {@link io.heddle.core.delivery.log.OutboundQueue}, in memory
 * or in a store, with {@link io.heddle.core.session.outbound.OutboundMessages}, the exchanges over one connection. The event loop of the
 * connection owns all of it, except for the settings and counters of the node. Invariant: messages leave in the order of their queue,
 * and never more than the client's send quota. QoS 0 messages are sent by {@code session.ClientConnection}; the queues in stores are
 * in {@code delivery}.
 */
@NullMarked
package io.heddle.core.session.outbound;

import org.jspecify.annotations.NullMarked;
