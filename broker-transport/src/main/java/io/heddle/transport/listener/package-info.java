/**
 * Listening sockets and the threads that serve them.
 *
 * <p>Entry class: {@link io.heddle.transport.listener.MqttServer}, started and stopped by one thread of the caller.
 * {@link io.heddle.transport.listener.EventLoops} outlives it, because core's sessions run on its threads too. Invariants: if one
 * listener cannot be bound, none is, and stopping takes a bounded time. The {@code pipeline} package handles each connection.
 */
@NullMarked
package io.heddle.transport.listener;

import org.jspecify.annotations.NullMarked;
