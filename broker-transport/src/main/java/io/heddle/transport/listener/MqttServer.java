package io.heddle.transport.listener;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.transport.codec.UnfinishedPackets;
import io.heddle.transport.connection.OpenConnections;
import io.heddle.transport.connection.Sessions;
import io.heddle.transport.connection.TransportMetrics;
import io.heddle.transport.connection.UnsentOutput;
import io.heddle.transport.pipeline.MqttChannelInitializer;
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
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for MQTT clients. Started and stopped once, by one thread, which both block; states: new, listening, stopped. It
 * uses the event loops but does not own them.
 */
public final class MqttServer {
    private static final Logger LOG = LoggerFactory.getLogger(MqttServer.class);

    /** Of 64 KiB at most each: then the other connections of the event loop have their turn. */
    private static final int READS_PER_TURN = 2;

    private final ServerSettings settings;
    private final EventLoops eventLoops;
    private final TransportMetrics metrics;
    private final OpenConnections connections;
    private final MqttChannelInitializer initializer;
    private final Map<String, Channel> listening = new LinkedHashMap<>();

    public MqttServer(ServerSettings settings, EventLoops eventLoops, Sessions sessions, MeterRegistry registry) {
        this.settings = settings;
        this.eventLoops = eventLoops;
        this.metrics = new TransportMetrics(registry);
        this.connections = new OpenConnections(settings.maximumConnections(), metrics, registry);
        this.initializer = new MqttChannelInitializer(
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

    /** From now on connections from these addresses only are admitted; the others are closed at once and counted. */
    public void admitOnly(Predicate<SocketAddress> addresses) {
        connections.admitOnly(addresses);
    }

    /**
     * Listens at every listener's address.
     *
     * @throws StartupException when one of them cannot be had; then none is kept
     */
    public void start() {
        for (Listener listener : settings.listeners()) {
            ChannelFuture bound = bootstrap(listener.kind())
                    .bind(new InetSocketAddress(listener.host(), listener.port()))
                    .awaitUninterruptibly();
            Throwable cause = bound.cause();
            if (cause != null) {
                stopListening();
                throw new StartupException(sentence(listener, cause), cause);
            }
            listening.put(listener.name(), bound.channel());
            LOG.info(
                    "Listening for MQTT on {} ({}, {})",
                    bound.channel().localAddress(),
                    listener.name(),
                    eventLoops.transport());
        }
    }

    private ServerBootstrap bootstrap(Listener.Kind kind) {
        return switch (kind) {
            case TCP ->
                eventLoops
                        .transport()
                        .probe(new ServerBootstrap(), settings.probes())
                        .group(eventLoops.acceptors(), eventLoops.loops())
                        .channel(eventLoops.serverChannel())
                        .option(ChannelOption.SO_BACKLOG, settings.backlog())
                        .option(ChannelOption.SO_REUSEADDR, true)
                        .handler(new AcceptFaults(metrics, System::nanoTime))
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childOption(ChannelOption.SO_KEEPALIVE, true)
                        .childOption(
                                ChannelOption.RECVBUF_ALLOCATOR,
                                new AdaptiveRecvByteBufAllocator().maxMessagesPerRead(READS_PER_TURN))
                        .childOption(
                                ChannelOption.WRITE_BUFFER_WATER_MARK,
                                new WriteBufferWaterMark(
                                        settings.connections().lowWatermarkBytes(),
                                        settings.connections().highWatermarkBytes()))
                        .childHandler(initializer);
        };
    }

    private static String sentence(Listener listener, Throwable cause) {
        String where = "The MQTT listener '" + listener.name() + "' cannot use port " + listener.port() + " on "
                + listener.host();
        String reason = String.valueOf(cause.getMessage());
        if (cause instanceof BindException || reason.contains("Address already in use")) {
            return where + " (" + reason + "): stop the program that uses it or choose another port with"
                    + " heddle.mqtt.port (--mqtt-port); 0 picks a free one.";
        }
        return where + " (" + reason
                + "): check heddle.mqtt.port (--mqtt-port) and the address that the broker is bound to (--bind).";
    }

    /** The address that each listener got, by name, in the listeners' order; empty unless listening. */
    public Map<String, InetSocketAddress> boundAddresses() {
        Map<String, InetSocketAddress> addresses = new LinkedHashMap<>();
        listening.forEach((name, channel) -> addresses.put(name, (InetSocketAddress) channel.localAddress()));
        return addresses;
    }

    /** How many connections are open. Any thread may ask. */
    public int connectionCount() {
        return connections.count();
    }

    /**
     * Stops listening, tells the clients that can be told why, and closes their connections: gently within the stop timeout,
     * what is left then at once.
     */
    public void stop() throws InterruptedException {
        stopListening();
        CountDownLatch emptied = connections.close();
        connections.forEach(
                connection -> connection.end(ReasonCode.SERVER_SHUTTING_DOWN, "the server is shutting down"));
        if (!emptied.await(settings.stopTimeout().toNanos(), TimeUnit.NANOSECONDS)) {
            LOG.info("{} clients did not close in time and are cut off", connections.count());
            connections.abortAll();
            emptied.await(settings.stopTimeout().toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private void stopListening() {
        for (Channel channel : listening.values()) {
            channel.close().awaitUninterruptibly();
        }
        listening.clear();
    }
}
