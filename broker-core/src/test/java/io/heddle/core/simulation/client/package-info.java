/**
 * MQTT clients of the simulation. A client behaves as the standard requires, also after it reconnects, and writes what it does and gets into
 * the {@link io.heddle.core.simulation.client.Ledger}, which checks the broker's promises.
 */
@NullMarked
package io.heddle.core.simulation.client;

import org.jspecify.annotations.NullMarked;
