/**
 * The command {@code ./heddle rules}, which writes rules for topics.
 *
 * <p>Entry class: {@link io.heddle.app.rules.RulesCommand}. Runs on the main thread, without a broker or a store. Invariant: no rules are
 * written from a file that was not understood completely, because a line that is left out could be one that denies. The rules themselves are
 * in {@code io.heddle.core.authorization}.
 */
@NullMarked
package io.heddle.app.rules;

import org.jspecify.annotations.NullMarked;
