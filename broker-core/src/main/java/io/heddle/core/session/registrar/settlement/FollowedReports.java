package io.heddle.core.session.registrar.settlement;

import io.heddle.core.client.EventLoop;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.Member;
import io.heddle.core.cluster.View;
import io.heddle.core.link.NodeLinks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * How far each node has applied the log of the clients. Tells the other members how far this node has, in one frame for everything that
 * was applied within {@value #GATHER_MILLIS} milliseconds, and receives their reports. Confined to one event loop, except {@link #onApplied}
 * and {@link #onView}. Bound: one offset for each member and bucket.
 */
public final class FollowedReports {
    /** Of the answer to a member that routes or is about to: this node waits for it from now on. */
    static final int COUNTED_KIND = 0x51;

    private static final int GATHER_MILLIS = 2;
    private static final Duration GATHER = Duration.ofMillis(GATHER_MILLIS);
    private static final Duration SEND_AGAIN = Duration.ofMillis(100);
    private static final byte[] COUNTED = {1};

    private final NodeLinks links;
    private final EventLoop loop;
    private final Map<Integer, Long> own = new TreeMap<>();
    private final Map<Incarnation, Peer> peers = new HashMap<>();
    private final List<IntConsumer> appliedListeners = new ArrayList<>();
    private final List<Runnable> memberListeners = new ArrayList<>();
    private @Nullable View view;
    private @Nullable Incarnation self;
    private boolean routes;
    private boolean isScheduled;

    /** Another node, perhaps one that the view does not contain yet. */
    private static final class Peer {
        // Received.
        private final Map<Integer, Long> applied = new HashMap<>();
        private boolean hasReported;
        private boolean routes;
        private boolean hasCounted;
        // To be sent.
        private final Set<Integer> changed = new TreeSet<>();
        private boolean needsState = true;
        private boolean needsCounted;
    }

    /** Receives frames from now on. Before the node joins. */
    public FollowedReports(NodeLinks links, int bucketCount, EventLoop loop) {
        this.links = links;
        this.loop = loop;
        links.receive(FollowedFrame.KIND, FollowedFrame.KIND, (from, _, _, payload) -> {
            FollowedFrame report = FollowedFrame.decode(payload, bucketCount);
            loop.execute(() -> onReport(from, report));
        });
        links.receive(COUNTED_KIND, COUNTED_KIND, (from, _, _, _) -> loop.execute(() -> onCounted(from)));
    }

    EventLoop loop() {
        return loop;
    }

    /** Adds a listener for each bucket of which a node has applied more. Called on the loop. */
    void onApplied(IntConsumer listener) {
        appliedListeners.add(listener);
    }

    /** Adds a listener for changes of the members, and of their part in the routing. Called on the loop. */
    void onMembers(Runnable listener) {
        memberListeners.add(listener);
    }

    /** This node has joined. Before its first view. */
    public void start(Incarnation joined) {
        loop.execute(() -> self = joined);
    }

    /** This node has applied all records of a bucket below an offset. Any thread. */
    public void applied(int bucket, long next) {
        loop.execute(() -> {
            if (next > own.getOrDefault(bucket, 0L)) {
                own.put(bucket, next);
                peers.values().forEach(each -> each.changed.add(bucket));
                sendAfter(GATHER);
                appliedListeners.forEach(each -> each.accept(bucket));
            }
        });
    }

    /** The log of nodes was read further. Any thread, one view after another. */
    public void onView(View next) {
        loop.execute(() -> {
            view = next;
            peers.keySet().removeIf(each -> !next.isMember(each) && each.offset() < next.next());
            for (Member member : next.members()) {
                if (!member.incarnation().equals(self)) {
                    peer(member.incarnation());
                }
            }
            send();
            memberListeners.forEach(Runnable::run);
        });
    }

    private Peer peer(Incarnation member) {
        return peers.computeIfAbsent(member, _ -> new Peer());
    }

    /** This node is about to route messages: the others wait for it from their answers on. On the loop. */
    void beginToRoute() {
        routes = true;
        peers.values().forEach(each -> each.needsState = true);
        send();
    }

    // Frames.

    private void onReport(Incarnation from, FollowedFrame report) {
        Peer peer = peer(from);
        peer.hasReported = true;
        peer.needsCounted |= report.routes() && !peer.routes;
        peer.routes = report.routes();
        report.offsets().forEach((bucket, next) -> {
            peer.applied.merge(bucket, next, Math::max);
            appliedListeners.forEach(each -> each.accept(bucket));
        });
        if (peer.needsCounted) {
            send();
        }
        memberListeners.forEach(Runnable::run);
    }

    private void onCounted(Incarnation from) {
        peer(from).hasCounted = true;
        memberListeners.forEach(Runnable::run);
    }

    private void sendAfter(Duration delay) {
        if (!isScheduled) {
            isScheduled = true;
            loop.schedule(delay, () -> {
                isScheduled = false;
                send();
            });
        }
    }

    private void send() {
        boolean isComplete = true;
        for (Map.Entry<Incarnation, Peer> each : peers.entrySet()) {
            isComplete &= send(each.getKey(), each.getValue());
        }
        if (!isComplete) {
            sendAfter(SEND_AGAIN);
        }
    }

    /** Returns whether everything was sent. */
    private boolean send(Incarnation to, Peer peer) {
        if (peer.needsState || !peer.changed.isEmpty()) {
            Map<Integer, Long> offsets = new TreeMap<>(own);
            if (!peer.needsState) {
                offsets.keySet().retainAll(peer.changed);
            }
            if (!links.send(to, NodeLinks.CONTROL, FollowedFrame.KIND, new FollowedFrame(routes, offsets).encode())) {
                return false;
            }
            peer.needsState = false;
            peer.changed.clear();
        }
        // This node waits for the members of its view, so the answer waits for the view.
        if (peer.needsCounted && view != null && view.isMember(to)) {
            peer.needsCounted = !links.send(to, NodeLinks.CONTROL, COUNTED_KIND, COUNTED);
            return !peer.needsCounted;
        }
        return true;
    }

    // What is known. On the loop.

    /** Returns the members of the view, or null before the first one. */
    @Nullable
    View view() {
        return view;
    }

    boolean isSelf(Incarnation member) {
        return member.equals(self);
    }

    /** Returns the offset below which a node has applied all records of a bucket, as far as it has told. */
    long appliedBy(Incarnation member, int bucket) {
        if (isSelf(member)) {
            return own.getOrDefault(bucket, 0L);
        }
        Peer peer = peers.get(member);
        return peer == null ? 0 : peer.applied.getOrDefault(bucket, 0L);
    }

    /** Returns the offset below which this node has applied all records of a bucket. */
    long applied(int bucket) {
        return own.getOrDefault(bucket, 0L);
    }

    /** Returns whether a member has told that it routes no messages yet. */
    boolean onlyFollows(Incarnation member) {
        if (isSelf(member)) {
            return !routes;
        }
        Peer peer = peers.get(member);
        if (peer == null || !peer.hasReported) {
            // It joined behind this node, and so routes nothing before it has an answer of this node.
            return self != null && member.compareTo(self) > 0;
        }
        return !peer.routes;
    }

    /** Returns whether a member has told that it waits for this node. */
    boolean hasCounted(Incarnation member) {
        Peer peer = peers.get(member);
        return peer != null && peer.hasCounted;
    }
}
