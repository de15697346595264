/**
 * Subscribes and unsubscribes clients, and sends retained messages to new subscriptions.
 *
 * <p>Enter at {@link io.heddle.core.session.subscribe.InboundSubscriptions}, the packets of one connection, and {@link
 * io.heddle.core.session.subscribe.SubscribeService}. The registrar changes the subscriptions of persistent sessions. The event loop of the
 * session owns all but the service. Invariants: a change takes effect at once and is answered when it is durable; a session's own map
 * of subscriptions changes together with the trie. {@link io.heddle.core.session.subscribe.SessionHandle} is all that this package knows
 * of a session.
 */
@NullMarked
package io.heddle.core.session.subscribe;

import org.jspecify.annotations.NullMarked;
