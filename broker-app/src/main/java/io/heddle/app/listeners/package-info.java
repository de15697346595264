/**
 * The settings of the listeners for MQTT.
 *
 * <p>Entry class: {@link io.heddle.app.listeners.ConfiguredListeners}, which joins the simple options, such as {@code --ws-port}, and the list
 * {@code heddle.mqtt.listeners}. Immutable; any thread. The sockets are in {@code io.heddle.transport.listener}.
 */
@NullMarked
package io.heddle.app.listeners;

import org.jspecify.annotations.NullMarked;
