/**
 * Where clients connect: sockets that listen, and the threads that serve them.
 *
 * <p>Entry class: {@link io.heddle.transport.listener.MqttServer}, started and stopped by one thread of the caller; {@link
 * io.heddle.transport.listener.EventLoops} outlives it, because core's sessions live on its threads too. Invariants: a server
 * that cannot listen everywhere listens nowhere, and stopping takes a bounded time. What happens on a connection is the
 * pipeline's matter.
 */
@NullMarked
package io.heddle.transport.listener;

import org.jspecify.annotations.NullMarked;
