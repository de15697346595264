/**
 * The real Kafka, Redis and PostgreSQL as child processes, for the one-command start and for tests.
 *
 * <p>Enter at {@link io.heddle.standalone.Servers}; a tool that only wants to reach servers which already run asks
 * {@link io.heddle.standalone.DataDirectory#runningEndpoints}. Each child has one supervising daemon thread.
 *
 * <p>Invariants: no child outlives the broker, not even after {@code kill -9}; one data directory has one owner;
 * passwords are in files of mode 0600 and never on a command line or in a log.
 *
 * <p>Not here: client libraries (readiness is asked over raw sockets) and anything of the broker; this package knows no
 * other module.
 */
@NullMarked
package io.heddle.standalone;

import org.jspecify.annotations.NullMarked;
