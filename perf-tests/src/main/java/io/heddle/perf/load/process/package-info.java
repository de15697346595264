/**
 * Processor time and resident memory of processes, this one's and others', from {@code /proc}.
 *
 * <p>Enter at {@link io.heddle.perf.load.process.MeasuredProcess} and {@link io.heddle.perf.load.process.OwnProcessor}. Any
 * thread. Invariant: a process that ended cannot be mistaken for an idle one; asking for it fails. Deliberately not here:
 * finding processes by their names.
 */
@NullMarked
package io.heddle.perf.load.process;

import org.jspecify.annotations.NullMarked;
