/**
 * The resources of subscriptions: the filters in use, and the subscribers of a topic or of a filter, on all nodes.
 *
 * <p>Entry class: {@link io.heddle.api.subscriptions.SubscriptionController}. Runs on the virtual threads of requests. The subscriptions of
 * one client are with the client, in {@code io.heddle.api.clients}.
 */
@NullMarked
package io.heddle.api.subscriptions;

import org.jspecify.annotations.NullMarked;
