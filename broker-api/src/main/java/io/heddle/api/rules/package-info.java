/**
 * The rules for topics over REST: they are read, replaced as a whole, and tried out.
 *
 * <p>Entry class: {@link io.heddle.api.rules.RulesController}, called on the thread of a request, which waits for the nodes that apply a change.
 * Invariant: wrong rules change nothing. How rules are stored and announced to the nodes is in core's {@code operator.rule}, and what they mean
 * in {@code authorization}.
 */
@NullMarked
package io.heddle.api.rules;

import org.jspecify.annotations.NullMarked;
