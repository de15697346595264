package io.heddle.transport.pipeline;

import io.heddle.transport.codec.PacketLimits;
import io.heddle.transport.codec.UnfinishedPackets;
import io.heddle.transport.connection.ConnectionLimits;
import io.heddle.transport.connection.NettyEventLoop;
import io.heddle.transport.connection.OpenConnections;
import io.heddle.transport.connection.Sessions;
import io.heddle.transport.connection.TransportMetrics;
import io.heddle.transport.connection.UnsentOutput;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.function.Function;

/**
 * What the connections of all listeners of a node share.
 *
 * @param connectTimeout the time from accepting a connection to its complete CONNECT
 */
public record NodeTransport(
        Function<EventLoop, NettyEventLoop> eventLoops,
        PacketLimits packetLimits,
        UnfinishedPackets unfinishedPackets,
        ConnectionLimits connectionLimits,
        UnsentOutput unsentOutput,
        Duration connectTimeout,
        Sessions sessions,
        OpenConnections openConnections,
        TransportMetrics metrics) {}
