/**
 * Rules for topics in the cluster: administrators store them, the log of nodes announces them, and all nodes apply them.
 *
 * <p>Entry classes: {@link io.heddle.core.operator.rule.RuleReplica}, which keeps the rules of this node up to date, and {@link
 * io.heddle.core.operator.rule.RuleAdministration}, which changes them. Invariant: a higher version replaces a lower one, at every node and in
 * whatever order it learns of them. The decisions of rules are in {@code authorization}.
 */
@NullMarked
package io.heddle.core.operator.rule;

import org.jspecify.annotations.NullMarked;
