/**
 * Tests of the files in {@code k8s}: dashboards, alert rules, presets. They read files only; {@code k8s/check} renders and validates the chart.
 */
@NullMarked
package io.heddle.app.kubernetes;

import org.jspecify.annotations.NullMarked;
