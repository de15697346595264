/**
 * A load generator for any MQTT broker: it publishes, receives, and says what a delivery cost, how long it took and whether
 * one was lost, duplicated or reordered.
 *
 * <p>Enter at {@link io.heddle.perf.load.command}, the command line; {@code perf-tests/README.md} shows how to use it and
 * what each figure means. The packages, each using only those before it: {@code wire} (bytes), {@code accounting} (who has
 * what), {@code client} (sockets), {@code report}, {@code process} (processor time and memory), {@code probe} (well-behaved
 * clients), {@code flood} (attacks), {@code traffic} (the loads), {@code command}. Everything runs on one thread, the one that
 * enters; only a flood has a second one for its attackers. Invariant: once a load of {@code traffic} runs, a message costs no
 * allocation and a system call only together with its neighbours. Deliberately not here: anything of the broker; a generator that
 * shares its codec would share its faults.
 */
@NullMarked
package io.heddle.perf.load;

import org.jspecify.annotations.NullMarked;
