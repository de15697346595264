/**
 * The command line of the load generator: {@code java -jar perf-tests/target/load.jar fan-out --help}.
 *
 * <p>Enter at {@link io.heddle.perf.load.command.LoadGenerator}; {@link io.heddle.perf.load.command.Preset} names the loads that are
 * compared between brokers. Runs on the main thread. Invariant: exit status 0 means no faults, 1 faults or a failing load, 2 a wrong
 * command line. Deliberately not here: starting a broker, which {@code perf-tests/scenario} does.
 */
@NullMarked
package io.heddle.perf.load.command;

import org.jspecify.annotations.NullMarked;
