package io.heddle.core.routing.interest;

import io.heddle.core.FailureLog;
import io.heddle.core.client.EventLoop;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.link.NodeLinks;
import io.heddle.core.message.frame.MalformedFrameException;
import io.heddle.core.subscription.RemoteNode;
import io.heddle.core.subscription.Subscription;
import io.heddle.core.subscription.SubscriptionTrie;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Announces the interest of this node to all members and follows theirs. Owned by the event loop of the {@link ClusterPeers}; the public
 * methods may be called by any thread. Bounded by the subscriptions that the nodes have admitted.
 *
 * <p>A member that joins gets all interest of this node first. Its last batch tells the member that it is known here, so that each later
 * SUBACK of this node waits for it. The member serves when it has this batch of every other member ({@link #whenInStep}).
 *
 * <p>Frames may arrive from an incarnation that this class does not know yet; they wait for it. Incarnations are ordered, so an unknown one
 * that is older than a known member has ended, and its frames are dropped.
 */
public final class InterestExchange implements TransientInterest, ClusterPeers.Listener {
    private static final Logger log = LoggerFactory.getLogger(InterestExchange.class);

    private final ClusterPeers peers;
    private final EventLoop eventLoop;
    private final SubscriptionTrie trie;
    private final NodeLinks links;
    private final Executor settled;
    private final MeterRegistry metrics;
    private final Counter malformed;
    private final Counter batches;
    private final OwnInterest own;
    private final Map<Incarnation, InterestStream> streams = new HashMap<>();
    private final Map<Incarnation, FollowedInterest> followed = new HashMap<>();
    // Of incarnations that are not known yet; at most a window each.
    private final Map<Incarnation, List<InterestFrame.Batch>> early = new HashMap<>();
    private final List<CompletableFuture<Void>> waitingForStep = new ArrayList<>();
    private final AtomicInteger waitingTasks = new AtomicInteger();
    private long youngestMember = -1;

    /**
     * Sets the receiver of the frames. Before the node joins the cluster.
     *
     * @param settled runs a task when the messages that were routed before are where a new subscriber finds them; it may use another thread
     */
    public InterestExchange(
            ClusterPeers peers, SubscriptionTrie trie, NodeLinks links, Executor settled, MeterRegistry metrics) {
        this.peers = peers;
        this.eventLoop = peers.eventLoop();
        this.trie = trie;
        this.links = links;
        this.settled = settled;
        this.metrics = metrics;
        this.malformed = metrics.counter("heddle.cluster.frames.malformed", "of", "interest");
        this.batches = metrics.counter("heddle.interest.batches");
        this.own = new OwnInterest(eventLoop, this::announce);
        metrics.gauge("heddle.interest.filters", own, OwnInterest::size);
        metrics.gauge("heddle.interest.waiting", waitingTasks, AtomicInteger::get);
        peers.listen(this);
        links.receive(
                InterestFrame.BATCH, InterestFrame.LAST_KIND, (from, _, kind, payload) -> onFrame(from, kind, payload));
    }

    @Override
    public void changed(@Nullable Subscription before, @Nullable Subscription after) {
        if (eventLoop.isCurrent()) {
            own.changed(before, after);
        } else {
            eventLoop.execute(() -> own.changed(before, after));
        }
    }

    private void announce(String filter) {
        streams.values().forEach(each -> each.announce(filter));
    }

    @Override
    public void whenKnown(EventLoop caller, Runnable known) {
        if (peers.all().isEmpty()) {
            known.run();
        } else if (eventLoop.isCurrent()) {
            await(caller, known);
        } else {
            eventLoop.execute(() -> await(caller, known));
        }
    }

    private void await(EventLoop caller, Runnable known) {
        List<InterestStream> behind = new ArrayList<>();
        for (InterestStream stream : streams.values()) {
            if (stream.isBehind()) {
                behind.add(stream);
            }
        }
        if (behind.isEmpty()) {
            run(caller, known);
            return;
        }
        waitingTasks.incrementAndGet();
        AtomicInteger left = new AtomicInteger(behind.size());
        behind.forEach(stream -> stream.whenKnown(() -> {
            if (left.decrementAndGet() == 0) {
                waitingTasks.decrementAndGet();
                run(caller, known);
            }
        }));
    }

    private static void run(EventLoop caller, Runnable task) {
        if (caller.isCurrent()) {
            task.run();
        } else {
            caller.execute(task);
        }
    }

    /**
     * Completes when this node knows the interest of every member that it knows now, and each of them will wait for this node. Ended
     * members are not waited for. Called after the first view; completes on the event loop of the peers.
     */
    public CompletionStage<Void> whenInStep() {
        CompletableFuture<Void> inStep = new CompletableFuture<>();
        eventLoop.execute(() -> {
            waitingForStep.add(inStep);
            completeIfInStep();
        });
        return inStep;
    }

    private void completeIfInStep() {
        if (waitingForStep.isEmpty()) {
            return;
        }
        for (RemoteNode node : peers.all()) {
            FollowedInterest interest = followed.get(node.incarnation());
            if (interest == null || !interest.isComplete()) {
                return;
            }
        }
        List<CompletableFuture<Void>> due = List.copyOf(waitingForStep);
        waitingForStep.clear();
        due.forEach(each -> each.complete(null));
    }

    private void onFrame(Incarnation from, int kind, byte[] payload) {
        try {
            switch (kind) {
                case InterestFrame.BATCH -> {
                    InterestFrame.Batch batch = InterestFrame.decodeBatch(payload);
                    eventLoop.execute(() -> onBatch(from, batch));
                }
                case InterestFrame.ACKNOWLEDGEMENT -> {
                    long number = InterestFrame.decodeAcknowledgement(payload);
                    eventLoop.execute(() -> onAcknowledged(from, number));
                }
                default -> onMalformed(from, "the kind " + kind + " is unknown");
            }
        } catch (MalformedFrameException e) {
            onMalformed(from, e.getMessage());
        }
    }

    private void onMalformed(Incarnation from, @Nullable String detail) {
        malformed.increment();
        FailureLog.warn(
                log,
                "Dropped a frame about subscribers of another node; messages for them may be missing, and SUBACKs of that node may wait,"
                        + " until it restarts: node="
                        + from + ", detail=" + detail,
                null);
    }

    private void onBatch(Incarnation from, InterestFrame.Batch batch) {
        FollowedInterest interest = followed.get(from);
        if (interest != null) {
            if (!interest.onBatch(batch)) {
                onMalformed(from, "batch " + batch.number() + " is not the next one");
            }
        } else if (from.offset() > youngestMember) {
            List<InterestFrame.Batch> waiting = early.computeIfAbsent(from, _ -> new ArrayList<>());
            if (waiting.size() < InterestStream.WINDOW) {
                waiting.add(batch);
            }
        }
    }

    private void onAcknowledged(Incarnation from, long number) {
        InterestStream stream = streams.get(from);
        if (stream != null) {
            stream.onAcknowledged(number);
        }
    }

    @Override
    public void onJoined(RemoteNode node) {
        Incarnation incarnation = node.incarnation();
        FollowedInterest interest = new FollowedInterest(node, trie, links, eventLoop, settled, this::completeIfInStep);
        followed.put(incarnation, interest);
        Gauge.builder("heddle.interest.entries", interest, FollowedInterest::size)
                .tag("node", incarnation.toString())
                .register(metrics);
        InterestStream stream = new InterestStream(node, links, eventLoop, own, batches);
        streams.put(incarnation, stream);
        stream.send();
        List<InterestFrame.Batch> waiting = early.remove(incarnation);
        if (waiting != null) {
            waiting.forEach(each -> onBatch(incarnation, each));
        }
        youngestMember = Math.max(youngestMember, incarnation.offset());
        early.keySet().removeIf(each -> each.offset() < youngestMember);
    }

    @Override
    public void onEnded(RemoteNode node) {
        InterestStream stream = streams.remove(node.incarnation());
        if (stream != null) {
            stream.end();
        }
        FollowedInterest interest = followed.remove(node.incarnation());
        if (interest != null) {
            interest.end(() -> metrics.find("heddle.interest.entries")
                    .tag("node", node.toString())
                    .meters()
                    .forEach(metrics::remove));
        }
        completeIfInStep();
    }
}
