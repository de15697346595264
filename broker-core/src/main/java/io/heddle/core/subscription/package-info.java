/**
 * Subscriptions, and the trie that finds those matching a topic.
 *
 * <p>Entry class: {@link io.heddle.core.subscription.SubscriptionTrie}. Readers are lock-free and allocate nothing; one lock
 * serializes writers. {@link io.heddle.core.subscription.SubscriptionLimits} bounds the subscriptions of all clients together, so
 * that no set of filters makes a match slow. {@link io.heddle.core.subscription.Subscriber} is sealed, so that routing handles
 * each kind: a session in memory, a session that outlives its connections, a group, another node. The {@code routing} package selects the
 * member of a {@link io.heddle.core.subscription.SharedGroup} for a message.
 */
@NullMarked
package io.heddle.core.subscription;

import org.jspecify.annotations.NullMarked;
