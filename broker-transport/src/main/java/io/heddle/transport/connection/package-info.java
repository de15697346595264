/**
 * One client's network connection as core sees it.
 *
 * <p>Entry classes: {@link io.heddle.transport.connection.ConnectionHandler}, the only inbound door, and {@link
 * io.heddle.transport.connection.NettyConnection}, the outbound door, which gathers what is sent and writes it once per turn
 * of the event loop. Both belong to the connection's {@link io.heddle.transport.connection.NettyEventLoop}, which also keeps
 * what its connections share for one turn: the message that is being copied, and the counts. Invariants: no
 * packet is processed before its session exists, a session hears once that its connection is gone, and what a client does not
 * read is bounded. How packets look is the codec's matter, what they mean is decided behind {@link
 * io.heddle.transport.connection.Sessions}.
 */
@NullMarked
package io.heddle.transport.connection;

import org.jspecify.annotations.NullMarked;
