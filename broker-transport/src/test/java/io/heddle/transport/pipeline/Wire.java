package io.heddle.transport.pipeline;

import io.heddle.core.Limit;
import io.heddle.core.client.ClientIncidents;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.testkit.LogLines;
import io.heddle.transport.codec.GoldenPackets;
import io.heddle.transport.codec.PacketBytes;
import io.heddle.transport.codec.UnfinishedPackets;
import io.heddle.transport.connection.ConnectionLimits;
import io.heddle.transport.connection.ListenerConnections;
import io.heddle.transport.connection.ListenerKind;
import io.heddle.transport.connection.NettyEventLoop;
import io.heddle.transport.connection.OpenConnections;
import io.heddle.transport.connection.TransportMetrics;
import io.heddle.transport.connection.UnsentOutput;
import io.heddle.transport.proxy.TrustedNetworks;
import io.heddle.transport.testkit.RecordingSessions;
import io.heddle.transport.websocket.WebSocketEndpoint;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The complete pipeline of one connection without a network, with a clock that the test advances. */
final class Wire implements AutoCloseable {
    static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    static final ConnectionLimits LIMITS = new ConnectionLimits(512, 1024, 4096, 4096, 256, Duration.ofSeconds(2));

    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    final LogLines log = new LogLines();
    final ClientIncidents incidents = new ClientIncidents(log.logger(), System::nanoTime, registry);
    final RecordingSessions sessions;
    final EmbeddedChannel channel;

    Wire(RecordingSessions sessions) {
        this(sessions, Long.MAX_VALUE);
    }

    Wire(RecordingSessions sessions, long unsentOutputBytes) {
        this(sessions, unsentOutputBytes, ListenerKind.TCP, null, null);
    }

    private Wire(
            RecordingSessions sessions,
            long unsentOutputBytes,
            ListenerKind kind,
            @Nullable TrustedNetworks proxies,
            @Nullable WebSocketEndpoint webSocket) {
        this.sessions = sessions;
        this.channel = new AddressedChannel();
        channel.freezeTime();
        // The server's setting for its connections.
        channel.config()
                .setWriteBufferWaterMark(
                        new WriteBufferWaterMark(LIMITS.lowWatermarkBytes(), LIMITS.highWatermarkBytes()));
        TransportMetrics metrics = new TransportMetrics(incidents, registry);
        Map<Object, NettyEventLoop> loops = new HashMap<>();
        channel.pipeline()
                .addLast(new MqttChannelInitializer(
                        new NodeTransport(
                                loop -> loops.computeIfAbsent(loop, key -> new NettyEventLoop(loop, 0)),
                                GoldenPackets.LIMITS,
                                new UnfinishedPackets(Long.MAX_VALUE, registry),
                                LIMITS,
                                new UnsentOutput(unsentOutputBytes, registry),
                                CONNECT_TIMEOUT,
                                sessions,
                                new OpenConnections(10, metrics, registry),
                                metrics),
                        new ListenerPipeline(
                                new ListenerConnections(
                                        kind.tag(),
                                        kind,
                                        new Limit("the connections", 10),
                                        EnumSet.allOf(MqttVersion.class),
                                        registry),
                                proxies,
                                null,
                                webSocket)));
    }

    /** A channel that has a remote address as a socket has. */
    private static final class AddressedChannel extends EmbeddedChannel {
        @Override
        protected SocketAddress remoteAddress0() {
            return new InetSocketAddress(InetAddress.ofLiteral("10.0.0.9"), 4711);
        }
    }

    /** Creates a connection of a listener that expects the PROXY protocol from these networks. */
    static Wire behindProxies(RecordingSessions sessions, String... networks) {
        return new Wire(sessions, Long.MAX_VALUE, ListenerKind.TCP, TrustedNetworks.parse(List.of(networks)), null);
    }

    /** Creates a connection of a listener for WebSocket. */
    static Wire ofWebSocket(RecordingSessions sessions, WebSocketEndpoint endpoint) {
        return new Wire(sessions, Long.MAX_VALUE, ListenerKind.WS, null, endpoint);
    }

    /** Creates a connection whose client has connected. */
    static Wire connected(RecordingSessions sessions, MqttVersion version) {
        Wire wire = new Wire(sessions);
        wire.receive(GoldenPackets.connect(version));
        wire.sent();
        return wire;
    }

    void receive(byte... bytes) {
        // Direct, so that the leak detector tracks it.
        channel.writeInbound(channel.alloc().directBuffer(bytes.length).writeBytes(bytes));
    }

    void receive(String notation) {
        receive(PacketBytes.of(notation));
    }

    /** Returns the output since the last call, one element per write. */
    List<String> writes() {
        channel.runPendingTasks();
        List<String> writes = new ArrayList<>();
        for (ByteBuf next = channel.readOutbound(); next != null; next = channel.readOutbound()) {
            if (next.isReadable()) {
                writes.add(ByteBufUtil.hexDump(next));
            }
            next.release();
        }
        return writes;
    }

    /** Returns the output since the last call. */
    String sent() {
        return String.join("", writes());
    }

    void advance(Duration time) {
        channel.advanceTimeBy(time.toNanos(), TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
        channel.runPendingTasks();
    }

    double count(String meter, String... tags) {
        return Objects.requireNonNull(registry.find(meter).tags(tags).counter(), meter)
                .count();
    }

    @Override
    public void close() {
        channel.finishAndReleaseAll();
        registry.close();
    }
}
