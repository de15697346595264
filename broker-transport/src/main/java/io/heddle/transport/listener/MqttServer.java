package io.heddle.transport.listener;

import io.heddle.core.client.ClientIncidents;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.DisconnectPacket;
import io.heddle.transport.codec.UnfinishedPackets;
import io.heddle.transport.connection.GradualClose;
import io.heddle.transport.connection.OpenConnections;
import io.heddle.transport.connection.Sessions;
import io.heddle.transport.connection.TransportMetrics;
import io.heddle.transport.connection.UnsentOutput;
import io.heddle.transport.pipeline.MqttChannelInitializer;
import io.heddle.transport.pipeline.NodeTransport;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts MQTT clients. Started and stopped once, by one thread; both calls block. States: new, listening, stopped. Uses the
 * event loops but does not own them.
 */
public final class MqttServer {
    private static final Logger LOG = LoggerFactory.getLogger(MqttServer.class);

    /** Reads of at most 64 KiB each, before other connections of the event loop get their turn. */
    private static final int READS_PER_TURN = 2;

    private final ServerSettings settings;
    private final EventLoops eventLoops;
    private final TransportMetrics metrics;
    private final OpenConnections connections;
    private final MeterRegistry registry;
    private final NodeTransport transport;
    private final Map<String, Channel> listening = new LinkedHashMap<>();

    /** @param incidents of the node, which core shares */
    public MqttServer(
            ServerSettings settings,
            EventLoops eventLoops,
            Sessions sessions,
            ClientIncidents incidents,
            MeterRegistry registry) {
        this.settings = settings;
        this.eventLoops = eventLoops;
        this.metrics = new TransportMetrics(incidents, registry);
        this.connections = new OpenConnections(settings.maximumConnections(), metrics, registry);
        this.registry = registry;
        this.transport = new NodeTransport(
                eventLoops::of,
                settings.packets(),
                new UnfinishedPackets(settings.unfinishedPacketsBytes(), registry),
                settings.connections(),
                new UnsentOutput(settings.unsentOutputBytes(), registry),
                settings.connectTimeout(),
                sessions,
                connections,
                metrics);
    }

    /** Admits only connections from these addresses from now on; others are closed immediately and counted. */
    public void admitOnly(Predicate<SocketAddress> addresses) {
        connections.admitOnly(addresses);
    }

    /**
     * Binds every listener.
     *
     * @param accepting tests the name of a listener. To others, connections wait in the backlog of the system until {@link #acceptAll}
     * @throws StartupException if a listener cannot be bound; all others are closed then
     */
    public void start(Predicate<String> accepting) {
        for (Listener listener : settings.listeners()) {
            ChannelFuture bound = bootstrap(listener)
                    .option(ChannelOption.AUTO_READ, accepting.test(listener.name()))
                    .bind(new InetSocketAddress(listener.host(), listener.port()))
                    .awaitUninterruptibly();
            Throwable cause = bound.cause();
            if (cause != null) {
                stopListening();
                throw new StartupException(sentence(listener, cause), cause);
            }
            listening.put(listener.name(), bound.channel());
            LOG.info(
                    "Listening for MQTT on {} (listener={}, kind={}, transport={})",
                    bound.channel().localAddress(),
                    listener.name(),
                    listener.kind().tag(),
                    eventLoops.transport());
        }
    }

    /** Accepts connections to all listeners from now on. */
    public void acceptAll() {
        listening.values().forEach(channel -> channel.config().setAutoRead(true));
    }

    private ServerBootstrap bootstrap(Listener listener) {
        return eventLoops
                .transport()
                .configureProbes(new ServerBootstrap())
                .group(eventLoops.acceptors(), eventLoops.loops())
                .channel(eventLoops.serverChannel())
                .option(ChannelOption.SO_BACKLOG, settings.backlog())
                .option(ChannelOption.SO_REUSEADDR, true)
                .handler(new AcceptFaults(metrics, System::nanoTime))
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                // A client that ends its output gets the answers to what it has sent before.
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childOption(
                        ChannelOption.RECVBUF_ALLOCATOR,
                        new AdaptiveRecvByteBufAllocator().maxMessagesPerRead(READS_PER_TURN))
                .childOption(
                        ChannelOption.WRITE_BUFFER_WATER_MARK,
                        new WriteBufferWaterMark(
                                settings.connections().lowWatermarkBytes(),
                                settings.connections().highWatermarkBytes()))
                .childHandler(new MqttChannelInitializer(transport, listener.pipeline(registry)));
    }

    private static String sentence(Listener listener, Throwable cause) {
        String where = "MQTT listener '" + listener.name() + "' cannot bind port " + listener.port() + " on "
                + listener.host();
        String reason = String.valueOf(cause.getMessage());
        if (cause instanceof BindException || reason.contains("Address already in use")) {
            return where + " (" + reason + "): stop the other process or choose another port with "
                    + listener.portSetting() + "; 0 selects a free port.";
        }
        return where + " (" + reason + "): check " + listener.portSetting()
                + " and the address of the listener (--bind).";
    }

    /** Returns the bound address of each listener by name, in the listeners' order; empty unless listening. */
    public Map<String, InetSocketAddress> boundAddresses() {
        Map<String, InetSocketAddress> addresses = new LinkedHashMap<>();
        listening.forEach((name, channel) -> addresses.put(name, (InetSocketAddress) channel.localAddress()));
        return addresses;
    }

    /** Returns the number of open connections. Any thread. */
    public int connectionCount() {
        return connections.count();
    }

    /**
     * Stops listening, sends clients the reason if their version allows it, and closes their connections: gracefully within the
     * stop timeout, then immediately.
     */
    public void stop() throws InterruptedException {
        stopListening();
        CountDownLatch emptied = connections.close();
        connections.forEach(connection ->
                connection.end(DisconnectPacket.of(ReasonCode.SERVER_SHUTTING_DOWN, "the server is shutting down")));
        if (!emptied.await(settings.stopTimeout().toNanos(), TimeUnit.NANOSECONDS)) {
            LOG.info(
                    "Closing connections of clients that did not disconnect within the stop timeout: {}",
                    connections.count());
            connections.abortAll();
            emptied.await(settings.stopTimeout().toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    /**
     * Accepts no more connections, and returns how the open ones are closed little by little. {@link #stop} closes the rest.
     *
     * @param serverReference returns another server for a client of MQTT 5.0, or null
     */
    public GradualClose drain(Supplier<@Nullable String> serverReference) {
        stopListening();
        return new GradualClose(connections, "the server is being drained", serverReference);
    }

    /**
     * Returns how the connections that are open now are closed little by little, while others are accepted.
     *
     * @param reason for clients of MQTT 5.0
     * @param serverReference returns another server for a client of MQTT 5.0, or null
     */
    public GradualClose closing(String reason, Supplier<@Nullable String> serverReference) {
        return new GradualClose(connections, reason, serverReference);
    }

    /** Closes one listener, if there is one with this name, and removes its metrics; its connections stay open. */
    public void stopListening(String name) {
        Channel channel = listening.remove(name);
        if (channel != null) {
            channel.close().awaitUninterruptibly();
            List.copyOf(registry.getMeters()).stream()
                    .filter(meter -> name.equals(meter.getId().getTag("listener")))
                    .forEach(registry::remove);
        }
    }

    private void stopListening() {
        for (Channel channel : listening.values()) {
            channel.close().awaitUninterruptibly();
        }
        listening.clear();
    }
}
