package io.heddle.core.delivery.bucket.remote;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.bucket.remote.PushFrame.Positioned;
import io.heddle.core.delivery.device.DeviceQueues;
import io.heddle.core.delivery.log.BucketCommand.Enqueue;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.message.SteadyClock;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntUnaryOperator;

/**
 * Gathers what the writer of the queues pushes to clients of other nodes, and sends it to each node in the order of the data lane of the
 * bucket; also tells them how far the buckets are applied. Belongs to the thread that applies the bucket logs. Bound: the records of one poll of the logs, and one sequence number for each
 * connected session whose node cannot take a frame now.
 */
public final class PushSender {
    private final PushRouting routing;
    private final IntUnaryOperator loopOfBucket;
    private final SteadyClock clock;
    private final PushMetrics counters;
    private final RemoteHeads heads;
    private final AppliedReports applied;
    private final Map<Incarnation, PushPeer> peers = new HashMap<>();

    /** @param loopOfBucket the index of the event loop that owns a bucket, which determines the lane of its pushes */
    public PushSender(
            PushRouting routing,
            IntUnaryOperator loopOfBucket,
            DeviceQueues queues,
            BucketPositions positions,
            SteadyClock clock,
            MeterRegistry metrics) {
        this.routing = routing;
        this.loopOfBucket = loopOfBucket;
        this.clock = clock;
        this.counters = new PushMetrics(metrics);
        this.heads = new RemoteHeads(queues, clock);
        this.applied = new AppliedReports(routing.links(), positions, clock, metrics);
    }

    /** Returns the members except this node. Any thread. */
    public Set<Incarnation> others() {
        return routing.peers().others();
    }

    RemoteHeads heads() {
        return heads;
    }

    private PushPeer peer(Incarnation node) {
        return peers.computeIfAbsent(node, _ -> new PushPeer(node, routing.links(), counters));
    }

    private int lane(int bucket) {
        return routing.links().dataLane(loopOfBucket.applyAsInt(bucket));
    }

    void push(RemoteReader reader, long sequence, Enqueue command, QueueRecipient recipient) {
        peer(reader.node()).push(lane(reader.bucket()), reader, sequence, command, recipient);
    }

    void pushFilledUpTo(RemoteReader reader, long sequence) {
        peer(reader.node()).pushFilledUpTo(lane(reader.bucket()), reader, sequence);
    }

    /** The position of the queues of a bucket is known: all other nodes learn it with the next {@link #send}. */
    public void onPositioned(int bucket, long viewId, boolean isFirst) {
        for (Incarnation node : others()) {
            peer(node).onPositioned(bucket, new Positioned(viewId, isFirst));
        }
    }

    /**
     * The queues of a bucket were lost: the feeds of other nodes end before they get a later push.
     *
     * @return completes when the lane to each other node has accepted that, or the node has ended
     */
    public List<CompletableFuture<Void>> endFeeds(int bucket, long viewId, long completeFrom) {
        List<CompletableFuture<Void>> accepted = new ArrayList<>();
        for (Incarnation node : others()) {
            accepted.add(peer(node).reset(lane(bucket), new PushFrame.Reset(bucket, viewId, completeFrom)));
        }
        return accepted;
    }

    /** Sends what was gathered, as far as the lanes have room. */
    public void send() {
        heads.ask();
        Set<Incarnation> members = others();
        applied.send(members);
        if (peers.isEmpty()) {
            return;
        }
        long nowMillis = clock.millis();
        peers.values().removeIf(peer -> {
            if (!members.contains(peer.node())) {
                peer.end();
                return true;
            }
            peer.send(nowMillis);
            return false;
        });
    }

    /** Returns whether {@link #send} has to be called again soon. */
    public boolean hasUnsent() {
        for (PushPeer peer : peers.values()) {
            if (peer.hasUnsent()) {
                return true;
            }
        }
        return applied.hasUnsent();
    }
}
