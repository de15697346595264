/**
 * Explains to administrators why a client gets the messages on a topic, or does not.
 *
 * <p>Entry class: {@link io.heddle.core.operator.explain.DeliveryExplainer}, called on threads that may block. It asks all nodes. Bounds: {@link
 * io.heddle.core.subscription.MatchingSubscriptions#MAXIMUM} subscriptions, {@link io.heddle.core.client.PastMessages#DROPS} missed messages and {@link
 * io.heddle.core.client.PastMessages#DELIVERIES} deliveries of each node.
 */
@NullMarked
package io.heddle.core.operator.explain;

import org.jspecify.annotations.NullMarked;
