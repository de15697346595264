package io.heddle.core.delivery.node;

import io.heddle.core.FailureLog;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.link.LinkListener;
import io.heddle.core.link.NodeLinks;
import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.frame.FrameReader;
import io.heddle.core.message.frame.MalformedFrameException;
import io.heddle.core.routing.interest.ClusterPeers;
import io.heddle.core.subscription.RemoteNode;
import io.heddle.core.subscription.RemoteNodes;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps QoS 0 messages from reaching a persistent session twice when it moves between nodes. A node numbers the connects of persistent sessions, and
 * sends the latest number to the others. A frame for its persistent sessions carries the number that the sender knew: sessions that have connected
 * later do not get the message, because the sender may have sent it to their earlier node, too. Otherwise a frame that waits for a link could
 * reach a session that has moved meanwhile. Thread-safe.
 *
 * <pre>
 * frame, on the control lane:
 *   u8   version, 1
 *   i64  number of the latest connect
 * </pre>
 */
final class ConnectNumbers implements ClusterPeers.Listener, LinkListener {
    private static final Logger log = LoggerFactory.getLogger(ConnectNumbers.class);
    /** Of the kinds for forwarding, besides those of {@link ForwardFrame}. */
    static final int KIND = 0x34;

    private static final int VERSION = 1;
    private static final Duration SEND_AGAIN = Duration.ofMillis(100);

    private final ClusterPeers peers;
    private final RemoteNodes nodes;
    private final NodeLinks links;
    private final Counter malformed;
    // Only of the event loop of the peers.
    private final Map<RemoteNode, Long> told = new HashMap<>();
    private boolean isScheduled;
    private final Map<Incarnation, Long> known = new ConcurrentHashMap<>();
    private final AtomicBoolean isDue = new AtomicBoolean();

    /** Sets the receiver of the numbers. Before the node joins the cluster. */
    ConnectNumbers(ClusterPeers peers, RemoteNodes nodes, NodeLinks links, MeterRegistry registry) {
        this.peers = peers;
        this.nodes = nodes;
        this.links = links;
        this.malformed = registry.counter("heddle.cluster.frames.malformed", "of", "connect_numbers");
        links.receive(KIND, KIND, (from, _, _, payload) -> onNumber(from, payload));
        links.watch(this);
        peers.listen(this);
        nodes.onConnect(this::tellSoon);
    }

    /** Returns the latest number that another node has sent; 0 if it has sent none. Any thread. */
    long known(RemoteNode node) {
        return known.getOrDefault(node.incarnation(), 0L);
    }

    /** Sends one number for all connects of a turn of the event loop. */
    private void tellSoon() {
        if (isDue.compareAndSet(false, true)) {
            peers.eventLoop().execute(() -> {
                isDue.set(false);
                tell();
            });
        }
    }

    private void tell() {
        long latest = nodes.connects();
        for (RemoteNode node : peers.all()) {
            // While the link is down, one number waits in it at most.
            if (told.getOrDefault(node, 0L) < latest && (!told.containsKey(node) || links.isUp(node.incarnation()))) {
                if (links.send(node.incarnation(), NodeLinks.CONTROL, KIND, encode(latest))) {
                    told.put(node, latest);
                } else {
                    tellAgain();
                }
            }
        }
    }

    private void tellAgain() {
        if (!isScheduled) {
            isScheduled = true;
            peers.eventLoop().schedule(SEND_AGAIN, () -> {
                isScheduled = false;
                tell();
            });
        }
    }

    @Override
    public void onJoined(RemoteNode node) {
        tell();
    }

    @Override
    public void onUp(Incarnation member) {
        tellSoon();
    }

    @Override
    public void onEnded(RemoteNode node) {
        told.remove(node);
    }

    @Override
    public void onEnded(Incarnation incarnation) {
        known.remove(incarnation);
    }

    private void onNumber(Incarnation from, byte[] payload) {
        try {
            known.put(from, decode(payload));
        } catch (MalformedFrameException e) {
            malformed.increment();
            FailureLog.warn(log, "Dropped a malformed connect number of another node: node=" + from, e);
        }
    }

    static byte[] encode(long number) {
        return new BinaryWriter().u8(VERSION).i64(number).toBytes();
    }

    static long decode(byte[] payload) {
        FrameReader in = new FrameReader("a connect number", payload);
        in.version(VERSION);
        long number = in.i64();
        in.finish();
        return number;
    }
}
