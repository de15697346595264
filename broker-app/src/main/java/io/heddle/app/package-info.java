/**
 * Main class and wiring: the only place that sees all modules.
 *
 * <p>Entry class: {@link io.heddle.app.HeddleApplication}. {@link io.heddle.app.HeddleConfiguration} says {@code new};
 * {@link io.heddle.app.StartupPhases} puts the parts in the order of their start. Decides nothing about MQTT: what is here
 * could be thrown away and written again without a message noticing.
 */
@NullMarked
package io.heddle.app;

import org.jspecify.annotations.NullMarked;
