/**
 * JMH benchmarks of what happens once or more per message: decode, match, route and hand over, encode.
 *
 * <p>Entry classes: those that end in {@code Benchmark}; each runs on one thread that never waits, so that time is CPU time.
 * Every benchmark checks in its set-up that it does the work it claims to measure, and the build runs each once. The names in
 * them, {@code plant/7/3/5/temperature}, come from {@link io.heddle.perf.jmh.Plant}. Deliberately not here: sockets, Kafka,
 * Redis and whatever needs more than one thread; those are measured on a running broker.
 */
@NullMarked
package io.heddle.perf.jmh;

import org.jspecify.annotations.NullMarked;
