/**
 * What bytes pass through on their way from the socket to the session, and where what goes wrong on it is answered.
 *
 * <p>Entry class: {@link io.heddle.transport.pipeline.MqttChannelInitializer}, which shows the order of the handlers. All of
 * them belong to the connection's event loop. Invariant: a client's fault closes that client's connection, is counted, and
 * nothing else; it is answered in {@link io.heddle.transport.pipeline.ChannelFaults} only. Which faults there are is not known
 * here: codec and core find them.
 */
@NullMarked
package io.heddle.transport.pipeline;

import org.jspecify.annotations.NullMarked;
