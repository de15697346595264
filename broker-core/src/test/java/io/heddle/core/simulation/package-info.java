/**
 * A deterministic simulation of the broker: one thread, a seeded random generator and virtual time. {@code Simulation} runs one seed: the
 * product's own {@link io.heddle.core.lifecycle.BrokerCore} over simulated stores, faults, and clients whose ledger knows what they must
 * receive. The same seed takes the same steps; a failure names it.
 *
 * <p>Everything belongs to the one thread of its {@link io.heddle.core.simulation.World}. Kafka, Redis and the clients are in packages of
 * their own.
 */
@NullMarked
package io.heddle.core.simulation;

import org.jspecify.annotations.NullMarked;
