/**
 * The decisions about connected clients: takes them by the rules in force, and remembers the latest ones.
 *
 * <p>Entry classes: {@link io.heddle.core.authorization.decision.ClientRules}, the rules of one connection, and
 * {@link io.heddle.core.authorization.decision.RecentDecisions}, the sampled decisions of a node, with their design. Each object is
 * owned by one event loop, except for {@code RecentDecisions}, which is immutable. Invariant: a decision that is not sampled allocates
 * nothing. The rules themselves are in {@code authorization}; who asks for the sampled decisions is in {@code operator.rule}.
 */
@NullMarked
package io.heddle.core.authorization.decision;

import org.jspecify.annotations.NullMarked;
