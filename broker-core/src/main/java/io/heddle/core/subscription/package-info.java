/**
 * Who wants what: subscriptions and the trie that finds those of a topic.
 *
 * <p>Entry class: {@link io.heddle.core.subscription.SubscriptionTrie}. Readers are lock-free and allocate nothing; writers take
 * turns. What clients subscribe to together is limited ({@link io.heddle.core.subscription.SubscriptionLimits}), so that no
 * arrangement of filters makes a match slow. {@link io.heddle.core.subscription.Subscriber} is sealed: whoever routes a message
 * must have an answer for each kind, a session in memory, one that outlives its connections, a group. Which member of a {@link
 * io.heddle.core.subscription.SharedGroup} gets a message, and how it then reaches a subscriber, is not decided here.
 */
@NullMarked
package io.heddle.core.subscription;

import org.jspecify.annotations.NullMarked;
