/**
 * Alerts that fire now, evaluated by each node on its own meters, for clusters without Prometheus and for administrators at the console.
 *
 * <p>Entry class: {@link io.heddle.core.operator.alert.AlertWatch}, whose owner evaluates the fixed list of {@link
 * io.heddle.core.operator.alert.AlertRules} every ten seconds; {@link io.heddle.core.operator.alert.AlertSearch} asks all nodes. Names, severities,
 * thresholds and durations are those of the rules for Prometheus, which a test of the application compares. Bounds: the subjects of a rule, and
 * the samples of its window.
 */
@NullMarked
package io.heddle.core.operator.alert;

import org.jspecify.annotations.NullMarked;
