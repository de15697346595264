package io.heddle.core.testkit;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.link.FrameReceiver;
import io.heddle.core.link.NodeLinks;
import io.heddle.core.testkit.FakeNodeLinks.Frame;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The links of some nodes in memory. Nothing arrives and no listener is called before {@link #deliver}, on its thread. Any thread may send;
 * receivers and listeners run without the lock.
 */
public final class InMemoryLinks {
    private final int dataLanes;
    private final int maximumPayloadBytes;
    private final long maximumUnacknowledgedBytes;
    private final Map<Incarnation, OfNode> nodes = new LinkedHashMap<>();
    private final Deque<Runnable> calls = new ArrayDeque<>();

    /** Creates the links of nodes that join later. */
    public InMemoryLinks(int dataLanes, int maximumPayloadBytes, long maximumUnacknowledgedBytes) {
        this.dataLanes = dataLanes;
        this.maximumPayloadBytes = maximumPayloadBytes;
        this.maximumUnacknowledgedBytes = maximumUnacknowledgedBytes;
    }

    /** Returns the links of a node, which knows no member yet. */
    public synchronized OfNode node(Incarnation incarnation) {
        return nodes.computeIfAbsent(incarnation, OfNode::new);
    }

    /** Lets two nodes read that the other one has joined. */
    public synchronized void connect(Incarnation one, Incarnation other) {
        node(one).meet(other);
        node(other).meet(one);
    }

    /** Breaks the connections from a node to another one, until {@link #heal}. Frames wait meanwhile. */
    public synchronized void cut(Incarnation from, Incarnation to) {
        node(from).setUp(to, false);
    }

    /** Connects a node to another one again. */
    public synchronized void heal(Incarnation from, Incarnation to) {
        node(from).setUp(to, true);
    }

    /** Lets a node read that an incarnation has ended. */
    public synchronized void end(Incarnation reader, Incarnation ended) {
        node(reader).end(ended);
    }

    /** Delivers all frames whose links are up, and those that their receivers send. Returns the number of frames. */
    public int deliver() {
        int delivered = 0;
        while (deliverOne()) {
            delivered++;
        }
        return delivered;
    }

    /** Delivers one frame or calls a listener; returns false if there is nothing to do. */
    public boolean deliverOne() {
        Runnable next = next();
        if (next == null) {
            return false;
        }
        next.run();
        return true;
    }

    private synchronized @Nullable Runnable next() {
        Runnable call = calls.poll();
        if (call != null) {
            return call;
        }
        for (OfNode node : nodes.values()) {
            Runnable frame = node.next();
            if (frame != null) {
                return frame;
            }
        }
        return null;
    }

    private static final class Peer {
        private final List<Deque<Frame>> lanes = new ArrayList<>();
        private boolean up;

        Peer(int lanes) {
            for (int i = 0; i < lanes; i++) {
                this.lanes.add(new ArrayDeque<>());
            }
        }

        long unacknowledged(int lane) {
            List<Deque<Frame>> sharing =
                    lane == NodeLinks.CONTROL ? lanes.subList(0, 1) : lanes.subList(1, lanes.size());
            return sharing.stream()
                    .flatMap(Deque::stream)
                    .mapToLong(Frame::charge)
                    .sum();
        }
    }

    /** The links of one node. */
    public final class OfNode extends FakeNodeLinks {
        private final Incarnation self;
        private final Map<Incarnation, Peer> peers = new LinkedHashMap<>();

        private OfNode(Incarnation self) {
            super(dataLanes, maximumPayloadBytes);
            this.self = self;
        }

        private void meet(Incarnation other) {
            peers.put(other, new Peer(1 + dataLanes));
            setUp(other, true);
        }

        private void setUp(Incarnation other, boolean up) {
            Peer peer = peers.get(other);
            if (peer != null && peer.up != up) {
                peer.up = up;
                tell(each -> calls.add(() -> {
                    if (up) {
                        each.onUp(other);
                    } else {
                        each.onDown(other);
                    }
                }));
            }
        }

        private void end(Incarnation ended) {
            setUp(ended, false);
            if (peers.remove(ended) != null) {
                tell(each -> calls.add(() -> each.onEnded(ended)));
            }
        }

        private @Nullable Runnable next() {
            for (Map.Entry<Incarnation, Peer> peer : peers.entrySet()) {
                OfNode to = nodes.get(peer.getKey());
                if (!peer.getValue().up || to == null || !to.peers.containsKey(self)) {
                    continue;
                }
                for (int lane = 0; lane <= dataLanes; lane++) {
                    Frame frame = peer.getValue().lanes.get(lane).poll();
                    if (frame != null) {
                        int number = lane;
                        return () -> to.take(self, number, frame);
                    }
                }
            }
            return null;
        }

        private void take(Incarnation from, int lane, Frame frame) {
            FrameReceiver receiver = receiver(frame);
            if (receiver != null) {
                try {
                    receiver.onFrame(from, lane, frame.kind(), frame.payload());
                } catch (IllegalStateException failed) {
                    // The frame counts as handled.
                    return;
                }
            }
        }

        @Override
        protected boolean send(Incarnation to, int lane, Frame frame) {
            synchronized (InMemoryLinks.this) {
                boolean accepted = hasRoomFor(to, lane, frame.payload().length);
                Peer peer = peers.get(to);
                if (accepted && peer != null) {
                    peer.lanes.get(lane).add(frame);
                }
                return accepted;
            }
        }

        @Override
        public boolean hasRoomFor(Incarnation to, int lane, int bytes) {
            synchronized (InMemoryLinks.this) {
                Peer peer = peers.get(to);
                if (peer == null) {
                    return false;
                }
                long before = peer.unacknowledged(lane);
                return before == 0 || before + Frame.charge(bytes) <= maximumUnacknowledgedBytes;
            }
        }

        @Override
        public boolean isUp(Incarnation member) {
            synchronized (InMemoryLinks.this) {
                Peer peer = peers.get(member);
                return peer != null && peer.up;
            }
        }

        /** Links that are down are silent for ever. */
        @Override
        public long silentNanos(Incarnation member) {
            synchronized (InMemoryLinks.this) {
                Peer peer = peers.get(member);
                return peer == null || peer.up ? 0 : Long.MAX_VALUE;
            }
        }
    }
}
