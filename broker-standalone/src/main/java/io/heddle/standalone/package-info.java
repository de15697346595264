/**
 * The real Kafka, Redis and PostgreSQL as child processes, for the one-command start and for tests.
 *
 * <p>Enter at {@link io.heddle.standalone.Servers}; a tool that connects to servers of a running broker calls
 * {@link io.heddle.standalone.Servers#runningEndpoints}. Packages: {@code directory} (the data directory and its files) {@literal <}
 * {@code process} (child processes) {@literal <} this package (the servers themselves). {@code kafka} runs in the JVM of Kafka only.
 *
 * <p>Invariants: no child outlives the broker, not even after {@code kill -9}; one data directory has one owner; passwords are in files of
 * mode 0600 and never on a command line or in a log.
 *
 * <p>Not here: client libraries (readiness probes use raw sockets) and anything of the broker; this module depends on no other module.
 */
@NullMarked
package io.heddle.standalone;

import org.jspecify.annotations.NullMarked;
