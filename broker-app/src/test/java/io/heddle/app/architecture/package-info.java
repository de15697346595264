/**
 * The house's rules, as the build checks them: module walls, core's staircase, names, threads, ports, sources, documents.
 *
 * <p>Begin at {@link io.heddle.app.architecture.HouseRulesTest}: one line per rule on the production classes. Every rule says
 * its reason when it fails. {@code BrokenHouseTest} and its neighbours break each rule in a few lines of source text, compiled
 * in memory, and see that the message names the culprit: a rule that cannot fail is not a rule. The poms hold the same walls
 * against whole libraries (maven-enforcer, execution "walls"). Not here: what a compiler can check, which Error Prone and
 * NullAway do.
 */
@NullMarked
package io.heddle.app.architecture;

import org.jspecify.annotations.NullMarked;
