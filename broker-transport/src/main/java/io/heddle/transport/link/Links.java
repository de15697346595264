package io.heddle.transport.link;

import io.heddle.core.FailureLog;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.Member;
import io.heddle.core.cluster.NodeDescription.LinkEndpoint;
import io.heddle.core.cluster.View;
import io.heddle.core.link.FrameReceiver;
import io.heddle.core.link.LinkListener;
import io.heddle.core.link.NodeLinks;
import io.heddle.transport.listener.EventLoops;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.EventExecutor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The links of this node over TCP and TLS: listens for the lanes of the other members, and opens lanes to them. Follows the views of the
 * log of nodes: a link begins and ends with the membership of an incarnation. Started and stopped once, by one thread; one thread passes
 * the views; all other methods are thread-safe. Uses the event loops but does not own them.
 */
public final class Links implements NodeLinks {
    private static final Logger LOG = LoggerFactory.getLogger(Links.class);
    private static final int MAXIMUM_DATA_LANES = 4;

    private final EventLoops eventLoops;
    private final LinkSettings settings;
    private final LinkIdentity identity;
    private final LinkMetrics metrics;
    private final List<EventLoop> loops = new ArrayList<>();
    private final int dataLanes;
    private final ExecutorService handshakes = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("heddle-link-handshake-", 0).factory());
    private final LinkTls tls;
    private final InboundLanes inbound = new InboundLanes();
    private final LinkServer server;
    private final AtomicReferenceArray<FrameReceiver> receivers = new AtomicReferenceArray<>(LAST_KIND + 1);
    private final CopyOnWriteArrayList<LinkListener> listeners = new CopyOnWriteArrayList<>();
    private final ConcurrentHashMap<Incarnation, PeerLink> peers = new ConcurrentHashMap<>();
    private volatile View view = View.atBeginning(0, 0);

    public Links(EventLoops eventLoops, LinkSettings settings, LinkIdentity identity, MeterRegistry registry) {
        this.eventLoops = eventLoops;
        this.settings = settings;
        this.identity = identity;
        this.metrics = new LinkMetrics(registry);
        for (EventExecutor each : eventLoops.loops()) {
            loops.add((EventLoop) each);
        }
        this.dataLanes = Math.min(MAXIMUM_DATA_LANES, loops.size());
        this.tls = new LinkTls(identity, handshakes);
        this.server = new LinkServer(
                eventLoops,
                settings,
                tls,
                new LinkAdmission(identity.fingerprint(), () -> view),
                inbound,
                this::onFrame,
                metrics);
        metrics.gauge("heddle.links.up", "Members to which all lanes are connected", () -> count(true));
        metrics.gauge("heddle.links.down", "Members to which a lane is not connected", () -> count(false));
        metrics.gauge(
                "heddle.links.unacknowledged.bytes",
                "Frames that members have not acknowledged",
                () -> peers.values().stream()
                        .mapToLong(PeerLink::unacknowledgedBytes)
                        .sum());
    }

    private long count(boolean isUp) {
        return peers.values().stream().filter(each -> each.isUp() == isUp).count();
    }

    /**
     * Listens for the other nodes on the first free port of a range. Blocks.
     *
     * @return the bound port
     * @throws io.heddle.core.lifecycle.StartupException if no port can be bound
     */
    public int start(InetAddress bind, int firstPort, int lastPort) {
        return server.start(bind, firstPort, lastPort).getPort();
    }

    /** Returns the endpoint by which the others find this node at an address. */
    public LinkEndpoint endpoint(InetAddress address, int port) {
        return new LinkEndpoint(LinkAddress.format(address, port), identity.fingerprint());
    }

    /** Opens links to new members and ends those of incarnations that have ended. One thread; does not block. */
    public void onView(View next) {
        Incarnation self = self(next);
        if (self != null) {
            for (Member each : next.members()) {
                if (!each.incarnation().equals(self) && !peers.containsKey(each.incarnation())) {
                    open(self, each);
                }
            }
        }
        view = next;
        for (Incarnation each : peers.keySet()) {
            if (!next.isMember(each)) {
                PeerLink ended = peers.remove(each);
                if (ended != null) {
                    ended.end(inbound.end(each));
                }
            }
        }
    }

    /** Returns the incarnation of this node, or null if it has not joined. The key of its certificate is in this process only. */
    private @Nullable Incarnation self(View next) {
        for (Member each : next.members()) {
            if (each.node().link().fingerprint().equals(identity.fingerprint())) {
                return each.incarnation();
            }
        }
        return null;
    }

    private void open(Incarnation self, Member member) {
        InetSocketAddress address = LinkAddress.parse(member.node().link().address());
        if (address == null) {
            return;
        }
        peers.put(
                member.incarnation(),
                new PeerLink(
                        member,
                        loop(CONTROL),
                        settings,
                        dataLanes,
                        (lane, budget, listener) -> outbound(self, member, lane, address, budget, listener),
                        this::tell));
    }

    /** Returns the event loop of a lane: for data that of the messages, see {@link #dataLane}. */
    private EventLoop loop(int lane) {
        return lane == CONTROL ? loops.getLast() : loops.get(lane - 1);
    }

    private OutboundLane outbound(
            Incarnation self,
            Member member,
            int lane,
            InetSocketAddress address,
            SendBudget budget,
            OutboundLane.Listener listener) {
        EventLoop loop = loop(lane);
        Bootstrap bootstrap = new Bootstrap()
                .group(loop)
                .channel(eventLoops.clientChannel())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        settings.connectTimeout().toMillis());
        OutboundLane opened = new OutboundLane(
                bootstrap,
                loop,
                settings,
                Hello.of(self, member.incarnation(), lane),
                address,
                budget,
                listener,
                metrics);
        String fingerprint = member.node().link().fingerprint();
        bootstrap.handler(new ChannelInitializer<SocketChannel>() {
            @Override
            protected void initChannel(SocketChannel channel) {
                channel.pipeline()
                        .addLast(tls.client(channel.alloc()))
                        .addLast(LinkMessage.splitter(LinkMessage.MAXIMUM_ANSWER_BYTES))
                        .addLast(new OutboundHandler(opened, fingerprint, metrics));
            }
        });
        return opened;
    }

    private void tell(Consumer<LinkListener> call) {
        for (LinkListener each : listeners) {
            try {
                call.accept(each);
            } catch (RuntimeException fault) {
                metrics.handlerFailed();
                LOG.error(
                        "Unexpected exception in a listener for links. Please report this with its stack trace", fault);
            }
        }
    }

    private void onFrame(Incarnation from, int lane, int kind, byte[] payload) {
        FrameReceiver receiver = receivers.get(kind);
        if (receiver == null) {
            metrics.unclaimed();
            FailureLog.warn(
                    LOG, "Lost a frame of a kind that this node does not know: peer=" + from + ", kind=" + kind, null);
        } else {
            receiver.onFrame(from, lane, kind, payload);
        }
    }

    @Override
    public int dataLanes() {
        return dataLanes;
    }

    @Override
    public int maximumPayloadBytes() {
        return settings.maximumPayloadBytes();
    }

    @Override
    public boolean send(Incarnation to, int lane, int kind, byte[] payload) {
        if (payload.length > settings.maximumPayloadBytes()) {
            throw new IllegalArgumentException("a payload of " + payload.length + " bytes exceeds the maximum of "
                    + settings.maximumPayloadBytes() + " bytes");
        }
        if (kind < 0 || kind > LAST_KIND || lane < CONTROL || lane > dataLanes) {
            throw new IllegalArgumentException("there is no kind " + kind + " or no lane " + lane);
        }
        PeerLink peer = peers.get(to);
        return peer != null && peer.send(lane, kind, payload);
    }

    @Override
    public boolean hasRoomFor(Incarnation to, int lane, int bytes) {
        PeerLink peer = peers.get(to);
        return peer != null && peer.hasRoomFor(lane, bytes);
    }

    @Override
    public boolean isUp(Incarnation member) {
        PeerLink peer = peers.get(member);
        return peer != null && peer.isUp();
    }

    @Override
    public long silentNanos(Incarnation member) {
        PeerLink peer = peers.get(member);
        return peer == null ? 0 : peer.silentNanos();
    }

    @Override
    public void receive(int firstKind, int lastKind, FrameReceiver receiver) {
        for (int kind = firstKind; kind <= lastKind; kind++) {
            if (!receivers.compareAndSet(kind, null, receiver)) {
                throw new IllegalArgumentException("frames of kind " + kind + " have a receiver already");
            }
        }
    }

    @Override
    public void watch(LinkListener listener) {
        listeners.add(listener);
    }

    /** Ends all links and stops listening. Blocks until the connections are closed. */
    public void stop() {
        view = View.atBeginning(0, 0);
        CompletableFuture<?> ended = CompletableFuture.allOf(
                peers.values().stream().map(PeerLink::stop).toArray(CompletableFuture[]::new));
        peers.clear();
        server.stop(ended);
        handshakes.shutdownNow();
    }
}
