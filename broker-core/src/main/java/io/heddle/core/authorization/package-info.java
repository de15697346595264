/**
 * Authorization: decides what an authenticated client may do.
 *
 * <p>Entry classes: {@link io.heddle.core.authorization.RuleSet}, the rules of an administrator, and
 * {@link io.heddle.core.authorization.CompiledRules}, those of one client, called on its event loop;
 * {@link io.heddle.core.authorization.TopicRules} reserves topics for the broker. All are immutable and thread-safe. Invariant: no topic
 * is decided differently for a message and for a subscription that matches it. Where rules are stored, and the enforcement of their
 * decisions, is elsewhere.
 */
@NullMarked
package io.heddle.core.authorization;

import org.jspecify.annotations.NullMarked;
