/**
 * Rules that the build checks: module boundaries, the order of core's packages, names, threads, ports, sources, documents, conformance.
 *
 * <p>Begin at {@link io.heddle.app.architecture.HouseRulesTest}: one line per rule on the production classes. Every rule states
 * its reason when it fails. {@code BrokenHouseTest} and {@code BrokenLayersTest} break each rule in a few lines of source text, compiled
 * in memory, and check that the message names the culprit: a rule that cannot fail is not a rule. The poms enforce the same boundaries
 * against whole libraries (maven-enforcer, execution "module-boundaries"). {@link io.heddle.app.architecture.ConformancePageTest} generates
 * docs/conformance-statements.md. Error Prone and NullAway check everything that a compiler can check.
 */
@NullMarked
package io.heddle.app.architecture;

import org.jspecify.annotations.NullMarked;
