package io.heddle.transport.link;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.link.FrameReceiver;
import io.heddle.transport.admission.Place;
import io.heddle.transport.listener.EventLoops;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Listens for the lanes of the other nodes. Started and stopped once, by one thread, which blocks. Connections that
 * have not said who they are have {@link LinkPlaces}.
 */
final class LinkServer {
    private final EventLoops eventLoops;
    private final LinkSettings settings;
    private final LinkTls tls;
    private final LinkAdmission admission;
    private final InboundLanes lanes;
    private final FrameReceiver receiver;
    private final LinkMetrics metrics;
    private final ChannelGroup accepted = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    private final LinkPlaces places;
    private @Nullable Channel listening;

    LinkServer(
            EventLoops eventLoops,
            LinkSettings settings,
            LinkTls tls,
            LinkAdmission admission,
            InboundLanes lanes,
            FrameReceiver receiver,
            LinkMetrics metrics) {
        this.eventLoops = eventLoops;
        this.settings = settings;
        this.tls = tls;
        this.admission = admission;
        this.lanes = lanes;
        this.receiver = receiver;
        this.metrics = metrics;
        this.places = new LinkPlaces(admission, metrics, settings.connectTimeout());
    }

    /**
     * Listens on the first free port of a range.
     *
     * @return the bound address
     * @throws StartupException if no port can be bound
     */
    InetSocketAddress start(InetAddress bind, int firstPort, int lastPort) {
        ChannelFuture bound = bind(new InetSocketAddress(bind, firstPort));
        for (int port = firstPort + 1; !bound.isSuccess() && port <= lastPort; port++) {
            bound = bind(new InetSocketAddress(bind, port));
        }
        Throwable cause = bound.cause();
        if (cause != null) {
            String ports = firstPort == lastPort ? "port " + firstPort : "ports " + firstPort + " to " + lastPort;
            throw new StartupException(
                    "This node cannot listen for links of other nodes on " + bind.getHostAddress() + ", " + ports + " ("
                            + cause.getMessage()
                            + "): stop the other process, or set heddle.cluster.port or heddle.cluster.bind",
                    cause);
        }
        listening = bound.channel();
        return (InetSocketAddress) bound.channel().localAddress();
    }

    private ChannelFuture bind(InetSocketAddress address) {
        return new ServerBootstrap()
                .group(eventLoops.acceptors(), eventLoops.loops())
                .channel(eventLoops.serverChannel())
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        accept(channel);
                    }
                })
                .bind(address)
                .awaitUninterruptibly();
    }

    private void accept(SocketChannel channel) {
        Place place = places.enter(channel);
        if (place == null) {
            return;
        }
        accepted.add(channel);
        channel.pipeline()
                .addLast(tls.server(channel.alloc()))
                .addLast(InboundHandler.SPLITTER, LinkMessage.splitter(Hello.MAXIMUM_BYTES))
                .addLast(new InboundHandler(settings, admission, lanes, receiver, metrics, places, place));
    }

    /**
     * Stops listening, closes the connections of other nodes, and waits for those of this node.
     *
     * @param ownEnded completes when the lanes to other nodes have ended
     */
    void stop(CompletableFuture<?> ownEnded) {
        Channel server = listening;
        listening = null;
        if (server != null) {
            var _ = server.close().awaitUninterruptibly();
        }
        var _ = accepted.close().awaitUninterruptibly();
        ownEnded.join();
    }
}
