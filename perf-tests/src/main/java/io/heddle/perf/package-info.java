/**
 * Measurements of the broker. This module is not shipped, and no other module depends on it.
 *
 * <p>Enter at {@link io.heddle.perf.jmh}, benchmarks of single steps of a message's way, at {@link io.heddle.perf.load}, the load generator
 * for a running broker, or at {@link io.heddle.perf.jcstress}, concurrency tests. {@code perf-tests/README.md} has the commands and the
 * results.
 */
@NullMarked
package io.heddle.perf;

import org.jspecify.annotations.NullMarked;
