/**
 * A load generator for MQTT brokers. It publishes and receives messages, and reports their cost, latency, losses, duplicates and order.
 *
 * <p>Enter at {@link io.heddle.perf.load.command}, the command line; {@code perf-tests/README.md} shows how to use it and the meaning of
 * each figure. The packages, each using only those before it: {@code wire} (bytes), {@code accounting} (sent and delivered messages),
 * {@code client} (sockets), {@code report}, {@code process} (processor time and memory), {@code probe} (well-behaved clients),
 * {@code flood} (attacks), {@code traffic} (the loads), {@code command}. Everything runs on the calling thread; only a flood has a second
 * thread for its attackers. Invariant: once a load of {@code traffic} runs, a message costs no allocation, and shares system calls with
 * other messages. Deliberately not here: code of the broker, whose faults the generator would share.
 */
@NullMarked
package io.heddle.perf.load;

import org.jspecify.annotations.NullMarked;
