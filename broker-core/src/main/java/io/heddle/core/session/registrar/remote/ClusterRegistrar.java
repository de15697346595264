package io.heddle.core.session.registrar.remote;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.EventLoop;
import io.heddle.core.cluster.BucketLoops;
import io.heddle.core.cluster.Buckets;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.Member;
import io.heddle.core.cluster.View;
import io.heddle.core.link.NodeLinks;
import io.heddle.core.session.registrar.ChangeOutcome;
import io.heddle.core.session.registrar.ConnectedClients;
import io.heddle.core.session.registrar.Departure;
import io.heddle.core.session.registrar.LeaveOutcome;
import io.heddle.core.session.registrar.OpenOutcome;
import io.heddle.core.session.registrar.OpenRequest;
import io.heddle.core.session.registrar.Registrar;
import io.heddle.core.session.registrar.SubscriptionChange;
import io.heddle.core.session.registrar.TransientClient;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The registrar of all clients of the cluster: asks the holder of the client's bucket, this node or another one ({@link
 * RegistrarOfBucket}), and handles the requests of other nodes while this node is the holder ({@link HeldBucket}). Thread-safe: each bucket
 * is confined to its event loop.
 */
public final class ClusterRegistrar implements Registrar, ConnectedClients {
    private final Incarnation self;
    private final Buckets buckets;
    private final BucketLoops loops;
    private final Registrar own;
    private final RegistrarLanes lanes;
    private final List<HeldBucket> held = new ArrayList<>();
    private final List<RegistrarOfBucket> asked = new ArrayList<>();
    private volatile @Nullable View view;
    // Confined to the caller of onView.
    private final Map<Integer, Holding> holdings = new HashMap<>();

    /**
     * A node that knows no holder.
     *
     * @param own decides about the clients whose buckets this node holds
     * @param connections of this node
     */
    public ClusterRegistrar(
            Incarnation self,
            Buckets buckets,
            BucketLoops loops,
            NodeLinks links,
            Registrar own,
            ConnectedClients connections,
            FollowedClients followed,
            MeterRegistry registry) {
        this.self = self;
        this.buckets = buckets;
        this.loops = loops;
        this.own = own;
        this.lanes = new RegistrarLanes(self, links, loops.all().getFirst());
        RegistrarMetrics metrics = new RegistrarMetrics(registry);
        for (int bucket = 0; bucket < buckets.count(); bucket++) {
            HeldBucket holder = new HeldBucket(bucket, self, own, followed, () -> view);
            held.add(holder);
            asked.add(new RegistrarOfBucket(
                    bucket, buckets.count(), self, loops.of(bucket), lanes, holder, connections, followed, metrics));
        }
    }

    // Requests of this node.

    @Override
    public CompletionStage<OpenOutcome> open(OpenRequest request) {
        return open(request, () -> false);
    }

    @Override
    public CompletionStage<OpenOutcome> open(OpenRequest request, BooleanSupplier isLost) {
        CompletableFuture<OpenOutcome> answer = new CompletableFuture<>();
        int bucket = buckets.of(request.identity().clientId());
        loops.of(bucket).execute(() -> asked.get(bucket).open(request, isLost, answer));
        return answer;
    }

    @Override
    public CompletionStage<LeaveOutcome> leave(Departure departure) {
        CompletableFuture<LeaveOutcome> left = new CompletableFuture<>();
        int bucket = buckets.of(departure.clientId());
        loops.of(bucket).execute(() -> asked.get(bucket).leave(departure, left));
        return left;
    }

    @Override
    public CompletionStage<ChangeOutcome> change(SubscriptionChange change) {
        CompletableFuture<ChangeOutcome> answer = new CompletableFuture<>();
        int bucket = buckets.of(change.clientId());
        loops.of(bucket).execute(() -> asked.get(bucket).change(change, answer));
        return answer;
    }

    /** Nodes announce their clients to the holders of the buckets by themselves. */
    @Override
    public void announce(String node, int bucket, List<TransientClient> clients, boolean isLast) {
        own.announce(node, bucket, clients, isLast);
    }

    @Override
    public void absent(String node, ClientId clientId, long heldEpoch, long beforeEpoch) {
        own.absent(node, clientId, heldEpoch, beforeEpoch);
    }

    // Connections of all nodes, for the registrar of this node.

    @Override
    public void close(String node, ClientId clientId, long epoch) {
        int bucket = buckets.of(clientId);
        loops.of(bucket).execute(() -> {
            long took = held.get(bucket).took();
            if (node.equals(self.toString())) {
                asked.get(bucket).onClose(self, took, clientId, epoch);
            } else if (Incarnation.isIncarnation(node)) {
                lanes.send(Incarnation.parse(node), new RegistrarFrame.Close(took, clientId, epoch));
            }
        });
    }

    // The holders.

    /** The log of nodes was read further. Called for each view in its order, before anything else acts upon the view. Does not block. */
    public void onView(View next) {
        View before = view;
        view = next;
        lanes.onView(next);
        if (before != null) {
            for (Member member : before.members()) {
                if (!next.isMember(member.incarnation())) {
                    onAllLoops(requests -> requests.onEnded(member.incarnation()));
                }
            }
        }
        for (int bucket = 0; bucket < buckets.count(); bucket++) {
            Holding holding = Holding.in(next, bucket);
            Holding known = holdings.get(bucket);
            HeldBucket holder = held.get(bucket);
            RegistrarOfBucket requests = asked.get(bucket);
            if (known == null || !known.isSameAs(holding)) {
                holdings.put(bucket, holding);
                loops.of(bucket).execute(() -> {
                    holder.review();
                    requests.onHolding(holding);
                });
            } else if (holder.hasWaiting()) {
                loops.of(bucket).execute(holder::review);
            }
        }
    }

    private void onAllLoops(Consumer<RegistrarOfBucket> task) {
        for (int bucket = 0; bucket < asked.size(); bucket++) {
            RegistrarOfBucket requests = asked.get(bucket);
            loops.of(bucket).execute(() -> task.accept(requests));
        }
    }

    /**
     * The registrar of this node decides about the clients of a bucket from now on. On the event loop of the bucket, before the registrar
     * handles anything else.
     *
     * @param took the offset of the record with which this node has taken the bucket
     * @param lowestEpoch the lowest epoch that it grants from now on
     */
    public void hold(int bucket, long took, long lowestEpoch) {
        loops.of(bucket).assertCurrent();
        held.get(bucket).hold(took, lowestEpoch);
    }

    /** The registrar of this node stops to decide about the clients of a bucket. On the event loop of the bucket, before it stops. */
    public void release(int bucket) {
        loops.of(bucket).assertCurrent();
        held.get(bucket).release();
    }

    // Frames of other nodes.

    /**
     * Handles a frame of another node.
     *
     * @throws io.heddle.core.message.frame.MalformedFrameException if it cannot be read; then it is ignored
     */
    public void onFrame(Incarnation from, byte[] payload) {
        RegistrarFrame frame = RegistrarFrame.decode(payload);
        lanes.add(from);
        int bucket = bucketOf(frame);
        if (bucket < buckets.count()) {
            EventLoop loop = loops.of(bucket);
            loop.execute(() -> handle(from, bucket, frame));
        }
    }

    private int bucketOf(RegistrarFrame frame) {
        return switch (frame) {
            case RegistrarFrame.Open open ->
                buckets.of(open.request().identity().clientId());
            case RegistrarFrame.Leave leave -> buckets.of(leave.departure().clientId());
            case RegistrarFrame.Change change -> buckets.of(change.change().clientId());
            case RegistrarFrame.Absent absent -> buckets.of(absent.clientId());
            case RegistrarFrame.Close close -> buckets.of(close.clientId());
            case RegistrarFrame.Announce announce -> announce.bucket();
            case RegistrarFrame.Answer answer -> (int) Math.floorMod(answer.number(), (long) buckets.count());
        };
    }

    private void handle(Incarnation from, int bucket, RegistrarFrame frame) {
        switch (frame) {
            case RegistrarFrame.Request request ->
                held.get(bucket).receive(from, request, answer -> lanes.send(from, answer));
            case RegistrarFrame.Answer answer -> asked.get(bucket).onAnswer(from, answer);
            case RegistrarFrame.Close(long took, ClientId clientId, long epoch) ->
                asked.get(bucket).onClose(from, took, clientId, epoch);
        }
    }
}
