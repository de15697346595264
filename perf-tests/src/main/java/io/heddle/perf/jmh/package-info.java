/**
 * JMH benchmarks of the work for each message: decode, match, route and hand over, encode.
 *
 * <p>Entry classes: those that end in {@code Benchmark}; each runs on one thread that never waits, so that time is CPU time. Every
 * benchmark checks in its set-up that it does the work it claims to measure, and the build runs each once. The topics, such as
 * {@code plant/7/3/5/temperature}, come from {@link io.heddle.perf.jmh.SampleData}. Deliberately not here: sockets, Kafka, Redis and
 * anything with more than one thread, which are measured on a running broker.
 */
@NullMarked
package io.heddle.perf.jmh;

import org.jspecify.annotations.NullMarked;
