/**
 * Processor time and resident memory of this process and others, from {@code /proc}.
 *
 * <p>Enter at {@link io.heddle.perf.load.process.MeasuredProcess} and {@link io.heddle.perf.load.process.OwnProcessor}. Any thread.
 * Invariant: an exited process cannot be mistaken for an idle one, since reading its figures fails. Deliberately not here: finding
 * processes by their names.
 */
@NullMarked
package io.heddle.perf.load.process;

import org.jspecify.annotations.NullMarked;
