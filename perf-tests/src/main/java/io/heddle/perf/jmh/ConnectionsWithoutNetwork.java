package io.heddle.perf.jmh;

import io.heddle.core.Limit;
import io.heddle.core.client.Connection;
import io.heddle.core.client.DisconnectCause;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.ConnAckPacket;
import io.heddle.core.mqtt.packet.ConnAckProperties;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.transport.codec.PacketLimits;
import io.heddle.transport.codec.UnfinishedPackets;
import io.heddle.transport.connection.ConnectionLimits;
import io.heddle.transport.connection.ListenerConnections;
import io.heddle.transport.connection.ListenerKind;
import io.heddle.transport.connection.NettyEventLoop;
import io.heddle.transport.connection.OpenConnections;
import io.heddle.transport.connection.Sessions;
import io.heddle.transport.connection.TransportMetrics;
import io.heddle.transport.connection.UnsentOutput;
import io.heddle.transport.pipeline.ListenerPipeline;
import io.heddle.transport.pipeline.MqttChannelInitializer;
import io.heddle.transport.pipeline.NodeTransport;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Connections of one event loop with the broker's own pipeline, whose output is discarded. Belongs to the benchmark's thread, which acts as
 * the event loop and calls {@link #endTurn}.
 */
final class ConnectionsWithoutNetwork implements Sessions {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final TransportMetrics metrics = new TransportMetrics(registry);
    private final OpenConnections open = new OpenConnections(Integer.MAX_VALUE, metrics, registry);
    private final ListenerConnections listener = new ListenerConnections(
            "mqtt",
            ListenerKind.TCP,
            new Limit("connections", Integer.MAX_VALUE),
            EnumSet.allOf(MqttVersion.class),
            registry);
    private final List<DiscardingChannel> channels = new ArrayList<>();
    private final List<Connection> connections = new ArrayList<>();
    private @Nullable NettyEventLoop eventLoop;
    private long writtenBytes;

    /** Connects a client. */
    void connect(MqttVersion version) {
        DiscardingChannel channel = new DiscardingChannel();
        channels.add(channel);
        NettyEventLoop first = eventLoop;
        NettyEventLoop loop = first == null ? new NettyEventLoop(channel.eventLoop(), 0) : first;
        eventLoop = loop;
        channel.pipeline()
                .addLast(new MqttChannelInitializer(
                        new NodeTransport(
                                any -> loop,
                                PacketLimits.DEFAULTS,
                                new UnfinishedPackets(Long.MAX_VALUE, new SimpleMeterRegistry()),
                                ConnectionLimits.DEFAULTS,
                                new UnsentOutput(Long.MAX_VALUE, new SimpleMeterRegistry()),
                                Duration.ofHours(1),
                                this,
                                open,
                                metrics),
                        ListenerPipeline.tcp(listener)));
        channel.pipeline().fireChannelRead(ConnectBytes.of(version));
    }

    @Override
    public void connect(Connection connection, ConnectPacket packet, Consumer<Session> established) {
        connections.add(connection);
        connection.send(new ConnAckPacket(false, ReasonCode.SUCCESS, ConnAckProperties.NONE));
        established.accept(new Session() {
            @Override
            public @Nullable String userName() {
                return null;
            }

            @Override
            public void receive(MqttPacket received) {}

            @Override
            public void onUnwritable() {}

            @Override
            public void onWritable() {}

            @Override
            public void onConnectionLost(DisconnectCause cause) {}
        });
    }

    List<Connection> connections() {
        return connections;
    }

    /** Runs the tasks for the end of this turn. */
    void endTurn() {
        channels.getFirst().runPendingTasks();
    }

    /** The number of bytes that would have been written to sockets. */
    long writtenBytes() {
        return writtenBytes;
    }

    void close() {
        for (DiscardingChannel channel : channels) {
            channel.finishAndReleaseAll();
        }
        registry.close();
    }

    /** A channel that discards its output. */
    private final class DiscardingChannel extends EmbeddedChannel {
        @Override
        protected void handleOutboundMessage(Object message) {
            if (message instanceof ByteBuf bytes) {
                writtenBytes += bytes.readableBytes();
            }
            ReferenceCountUtil.release(message);
        }

        @Override
        protected void handleInboundMessage(Object message) {
            ReferenceCountUtil.release(message);
        }
    }
}
