/**
 * Measurements of the broker; nothing of it is shipped, and no broker module depends on it.
 *
 * <p>Enter at {@link io.heddle.perf.jmh}, the benchmarks of single stations of a message's way; {@code perf-tests/README.md}
 * says how to run them and what they said. Not here yet: a load generator and scenarios against a running broker, so nothing
 * in this module says how many messages per second a broker carries.
 */
@NullMarked
package io.heddle.perf;

import org.jspecify.annotations.NullMarked;
