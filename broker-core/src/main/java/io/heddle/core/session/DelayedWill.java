package io.heddle.core.session;

import io.heddle.core.client.EventLoop;
import io.heddle.core.mqtt.packet.WillMessage;

/** A will that waits for its delay, and the timer that publishes it then. */
record DelayedWill(WillMessage will, EventLoop.Timer timer) {}
