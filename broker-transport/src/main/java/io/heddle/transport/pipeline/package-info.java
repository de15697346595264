/**
 * The Netty pipeline between socket and session.
 *
 * <p>Entry class: {@link io.heddle.transport.pipeline.MqttChannelInitializer}, which defines the order of the handlers. All
 * handlers belong to the connection's event loop. Invariant: a client's fault is counted and closes only that client's
 * connection. Faults are answered in {@link io.heddle.transport.pipeline.ChannelFaults} only; codec and core detect them.
 */
@NullMarked
package io.heddle.transport.pipeline;

import org.jspecify.annotations.NullMarked;
