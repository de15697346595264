/**
 * A client's network connection as core sees it.
 *
 * <p>Entry classes: {@link io.heddle.transport.connection.ConnectionHandler} for input and
 * {@link io.heddle.transport.connection.NettyConnection} for output, which collects packets and writes them once per turn of the
 * event loop. Both belong to the connection's {@link io.heddle.transport.connection.NettyEventLoop}, which also holds the state
 * shared by its connections during a turn: the encoded message being copied, and the counts. Invariants: no packet is processed
 * before its session exists, a session is notified once that its connection is closed, and the output of a client that does not
 * read is bounded. The codec defines the format of packets; their meaning is decided behind
 * {@link io.heddle.transport.connection.Sessions}.
 */
@NullMarked
package io.heddle.transport.connection;

import org.jspecify.annotations.NullMarked;
