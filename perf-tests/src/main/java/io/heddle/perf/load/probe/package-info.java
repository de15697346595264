/**
 * Well-behaved clients that measure a broker under attack: messages between connected pairs, messages to a persistent session, and new
 * connections.
 *
 * <p>Enter at {@link io.heddle.perf.load.probe.Probes}. Owner: the thread that turns the probes' {@code NetworkLoop}; the attack runs on
 * another thread. Invariant: a message that the broker has acknowledged is delivered or counted as lost, also when connections break;
 * latency counts from the time at which a message or a CONNECT was due. Deliberately not here: the attacks ({@code load.flood}), and
 * judging the figures.
 */
@NullMarked
package io.heddle.perf.load.probe;

import org.jspecify.annotations.NullMarked;
