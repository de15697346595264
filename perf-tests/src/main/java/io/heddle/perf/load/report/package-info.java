/**
 * The result of a load: figures of each run, their median and spread, and faults.
 *
 * <p>Enter at {@link io.heddle.perf.load.report.Report}; {@link io.heddle.perf.load.report.Figures} holds those of one run. Two forms: a
 * table and JSON. No state beyond one report, any thread. Invariant: a figure has a name and a unit, and the same ones in every run; the
 * runs repeat each other, or are the named phases of one measurement. Deliberately not here: judging the figures; only faults end a load
 * with an error.
 */
@NullMarked
package io.heddle.perf.load.report;

import org.jspecify.annotations.NullMarked;
