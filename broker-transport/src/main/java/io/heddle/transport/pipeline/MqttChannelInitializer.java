package io.heddle.transport.pipeline;

import io.heddle.transport.codec.MqttDecoder;
import io.heddle.transport.codec.PacketLimits;
import io.heddle.transport.codec.UnfinishedPackets;
import io.heddle.transport.connection.ConnectionHandler;
import io.heddle.transport.connection.ConnectionLimits;
import io.heddle.transport.connection.NettyConnection;
import io.heddle.transport.connection.NettyEventLoop;
import io.heddle.transport.connection.OpenConnections;
import io.heddle.transport.connection.Sessions;
import io.heddle.transport.connection.TransportMetrics;
import io.heddle.transport.connection.TurnCounts;
import io.heddle.transport.connection.UnsentOutput;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.function.Function;

/** Builds the pipeline of an MQTT connection. Shared by all connections; called on the event loop of each. */
@Sharable
public final class MqttChannelInitializer extends ChannelInitializer<Channel> {
    private final Function<EventLoop, NettyEventLoop> eventLoops;
    private final PacketLimits packetLimits;
    private final UnfinishedPackets unfinishedPackets;
    private final ConnectionLimits connectionLimits;
    private final UnsentOutput unsentOutput;
    private final Duration connectTimeout;
    private final Sessions sessions;
    private final OpenConnections openConnections;
    private final TransportMetrics metrics;
    private final ForeignProtocolLog foreignProtocols = new ForeignProtocolLog(System::nanoTime);

    public MqttChannelInitializer(
            Function<EventLoop, NettyEventLoop> eventLoops,
            PacketLimits packetLimits,
            UnfinishedPackets unfinishedPackets,
            ConnectionLimits connectionLimits,
            UnsentOutput unsentOutput,
            Duration connectTimeout,
            Sessions sessions,
            OpenConnections openConnections,
            TransportMetrics metrics) {
        this.eventLoops = eventLoops;
        this.packetLimits = packetLimits;
        this.unfinishedPackets = unfinishedPackets;
        this.connectionLimits = connectionLimits;
        this.unsentOutput = unsentOutput;
        this.connectTimeout = connectTimeout;
        this.sessions = sessions;
        this.openConnections = openConnections;
        this.metrics = metrics;
    }

    @Override
    protected void initChannel(Channel channel) {
        NettyEventLoop eventLoop = eventLoops.apply(channel.eventLoop());
        NettyConnection connection = new NettyConnection(channel, eventLoop, connectionLimits, unsentOutput, metrics);
        if (!openConnections.admit(connection)) {
            var _ = channel.close();
            return;
        }
        TurnCounts counts = metrics.of(eventLoop);
        MqttDecoder decoder = MqttDecoder.ofClient(
                packetLimits, counts, eventLoop.topicNames(), unfinishedPackets, connection.gate());
        channel.pipeline()
                .addLast("decoder", decoder)
                .addLast("connectTimeout", new ConnectTimeout(connectTimeout, metrics))
                .addLast("connection", new ConnectionHandler(connection, sessions, openConnections, counts, decoder))
                .addLast("faults", new ChannelFaults(connection, decoder, metrics, foreignProtocols));
        connection.writeThrough(channel.pipeline().context(decoder));
    }
}
