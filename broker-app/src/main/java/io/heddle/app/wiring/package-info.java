/**
 * Construction of the broker: creates every component once and passes it to the components that use it.
 *
 * <p>Entry class: {@link io.heddle.app.wiring.HeddleConfiguration}, which also defines the order of the start-up phases. The phases run on the
 * thread that starts the broker and stop in reverse order. Logic about MQTT belongs to core, logic about stores to persistence.
 */
@NullMarked
package io.heddle.app.wiring;

import org.jspecify.annotations.NullMarked;
