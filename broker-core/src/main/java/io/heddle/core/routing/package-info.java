/**
 * Finds the subscribers of a message and groups them by their delivery path.
 *
 * <p>Entry class: {@link io.heddle.core.routing.Router}. One walk of the subscription trie fills a {@link
 * io.heddle.core.routing.RoutingPlan}, which its thread reuses for the next message. Matching subscriptions of one client are merged, so
 * that the client gets one copy. A shared subscription selects one of its members ({@code SharedSubscriptionSelector}) and is not merged.
 * {@code core.delivery} executes the plan.
 */
@NullMarked
package io.heddle.core.routing;

import org.jspecify.annotations.NullMarked;
