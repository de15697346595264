package io.heddle.core.session;

import io.heddle.core.client.EventLoop;
import io.heddle.core.mqtt.packet.WillMessage;

/**
 * A will that waits for its delay.
 *
 * @param timer publishes it
 * @param heldBytes what it has taken of the node's memory
 */
record DelayedWill(WillMessage will, EventLoop.Timer timer, long heldBytes) {}
