/**
 * Measurements of the broker; nothing of it is shipped, and no broker module depends on it.
 *
 * <p>Enter at {@link io.heddle.perf.jmh}, the benchmarks of single stations of a message's way, at
 * {@link io.heddle.perf.load}, the load generator for a running broker, or at {@link io.heddle.perf.jcstress}, threads against each
 * other; {@code perf-tests/README.md} says how to run them and
 * what they said.
 */
@NullMarked
package io.heddle.perf;

import org.jspecify.annotations.NullMarked;
