/**
 * Attacks on a broker, bounded in time and sockets, while the well-behaved clients of {@code load.probe} measure their effect on other
 * clients.
 *
 * <p>Enter at {@link io.heddle.perf.load.flood.FloodLoad}. Each kind is a {@link io.heddle.perf.load.flood.Flood}; its clients are
 * {@link io.heddle.perf.load.flood.AttackerPool}s. Owner: the thread {@code flood}, with a {@code NetworkLoop} of its own; the measurement
 * runs on the thread that calls {@code FloodLoad}. Invariant: a flood connects to the given address only, ends by itself, and reopens
 * closed connections at a bounded rate. Deliberately not here: figures of the attackers themselves, apart from counts.
 */
@NullMarked
package io.heddle.perf.load.flood;

import org.jspecify.annotations.NullMarked;
