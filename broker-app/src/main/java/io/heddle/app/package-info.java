/**
 * The main class: chooses between the broker and the administration commands.
 *
 * <p>Entry class: {@link io.heddle.app.HeddleApplication}. {@link io.heddle.app.start} runs a broker process, {@link io.heddle.app.wiring}
 * constructs its components, {@link io.heddle.app.settings} describes its settings. This module is the only one that depends on all others. It
 * decides nothing about MQTT.
 */
@NullMarked
package io.heddle.app;

import org.jspecify.annotations.NullMarked;
