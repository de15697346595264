/**
 * Which way: finds a message's subscribers and groups them by the way they are reached.
 *
 * <p>Entry class: {@link io.heddle.core.routing.Router}; one walk of the subscription trie fills a
 * {@link io.heddle.core.routing.RoutingPlan}, which its thread reuses for the next message. Several matching subscriptions of
 * one client are merged first, so that nobody gets a message twice; a shared subscription chooses one of its members
 * ({@code SharedSubscriptionSelector}) and is merged with nothing. Nothing is sent from here.
 */
@NullMarked
package io.heddle.core.routing;

import org.jspecify.annotations.NullMarked;
