/**
 * The loads: messages between publishers and subscribers, in a closed loop or at a fixed rate, and idle connections.
 *
 * <p>Enter at {@link io.heddle.perf.load.traffic.MessageLoad} and {@link io.heddle.perf.load.traffic.IdleLoad}; the shared state of a
 * message load is {@link io.heddle.perf.load.traffic.Traffic}. Owner: the thread that runs the load. Invariant: each published message is
 * delivered or counted as lost; faults of the warm-up count, too. Deliberately not here: the command line, and the processes of a broker.
 */
@NullMarked
package io.heddle.perf.load.traffic;

import org.jspecify.annotations.NullMarked;
