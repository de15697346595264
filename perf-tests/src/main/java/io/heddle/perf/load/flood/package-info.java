/**
 * Attacks on a broker, each of one kind and bounded in time and sockets, while the well-behaved clients of {@code load.probe}
 * measure what others notice of it.
 *
 * <p>Enter at {@link io.heddle.perf.load.flood.FloodLoad}. Each kind is a {@link io.heddle.perf.load.flood.Flood}; its clients are
 * the {@link io.heddle.perf.load.flood.Crowd}s that it makes. Owner: the thread {@code flood}, with a {@code NetworkLoop} of its
 * own; the measurement runs on the thread that calls {@code FloodLoad}. Invariant: a flood connects to the given address only,
 * ends by itself, and opens connections that the broker closed at a bounded pace. Deliberately not here: figures of what the
 * attackers themselves get, apart from counts.
 */
@NullMarked
package io.heddle.perf.load.flood;

import org.jspecify.annotations.NullMarked;
