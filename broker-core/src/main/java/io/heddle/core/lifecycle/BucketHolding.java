package io.heddle.core.lifecycle;

import io.heddle.core.cluster.HeldBuckets;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.Member;
import io.heddle.core.cluster.MemberState;
import io.heddle.core.cluster.Membership;
import io.heddle.core.cluster.NodeRecord.Released;
import io.heddle.core.cluster.NodeRecord.Took;
import io.heddle.core.cluster.View;
import io.heddle.core.delivery.bucket.BucketLog;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.node.BucketListener;
import io.heddle.core.session.persistent.Epochs;
import io.heddle.core.session.persistent.SessionHolding;
import io.heddle.core.session.persistent.SessionReplica;
import io.heddle.core.session.registrar.SessionRegistrar;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the buckets that this node rightfully owns, and releases those that another node owns now. Acts on the records of the log of nodes
 * only: a bucket is held from a valid {@link Took}, whoever the owner is by then, to {@link Released}. Never blocks.
 *
 * <p>States of a bucket: followed → taking (the record is read back; ended nodes are fenced; the log of its clients is read to its end; the
 * logs of its APPLICATION clients are opened) → held → releasing (no request begins; the reader of the bucket log stops; the work in progress ends) → followed. {@code Released} is
 * written when no commit is in doubt, however long that takes.
 *
 * <p>Owned by the thread that calls {@link #advance}, again and again. Bound: one sequence of steps for each bucket.
 */
public final class BucketHolding {
    private static final Logger log = LoggerFactory.getLogger(BucketHolding.class);
    private static final long NEVER = -1;

    private final Membership membership;
    private final NodeRecords records;
    private final EndedNodes ended;
    private final Parts parts;
    private final KafkaClock clock;
    private final LongSupplier nanoTime;
    private final HandOverTimes times;
    // The buckets that this node serves or is about to release.
    private final Set<Integer> held = new HashSet<>();
    // Buckets for which a record is on its way that takes them.
    private Set<Integer> asked = Set.of();
    private @Nullable Steps asking;
    private @Nullable Steps fencing;
    private @Nullable Steps identifying;
    // By the bucket.
    private final Map<Integer, Steps> moving = new TreeMap<>();
    private volatile Runnable wake = () -> {};
    private volatile boolean isSettled;
    // The end of the view in which nothing was left to do.
    private long idleAt = NEVER;

    /** The parts of a broker that hold buckets. */
    record Parts(
            HeldBuckets held,
            SessionReplica replica,
            SessionHolding sessions,
            SessionRegistrar registrar,
            BucketListener listener,
            BucketLog buckets,
            BucketPositions positions,
            Epochs epochs) {}

    BucketHolding(
            Membership membership,
            NodeRecords records,
            EndedNodes ended,
            Parts parts,
            KafkaClock clock,
            LongSupplier nanoTime,
            MeterRegistry registry) {
        this.membership = membership;
        this.records = records;
        this.ended = ended;
        this.parts = parts;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.times = new HandOverTimes(membership.view().bucketCount(), nanoTime, registry);
        membership.onRecord((_, _) -> wake.run());
    }

    /** Sets the action that makes its thread call {@link #advance} soon. It must not block. Set before the first such call. */
    public void onProgress(Runnable action) {
        wake = action;
    }

    /**
     * Fences the nodes that have ended. A starting node repeats this while it reads the logs, on the thread that starts it and before the
     * first {@link #advance}: it cannot read beyond a transaction that an ended node has left open, and if no other node fences that one,
     * Kafka aborts the transaction only when it times out.
     */
    public void fenceEnded() {
        fenceEnded(membership.view());
        if (fencing != null && fencing.advance(wake)) {
            fencing = null;
        }
    }

    private void fenceEnded(View view) {
        if (fencing == null && !ended.areFenced(view)) {
            fencing = fence();
        }
    }

    /** Takes all steps that can be taken now. */
    public void advance() {
        Incarnation me = membership.incarnation();
        if (membership.isOver() || !membership.view().isMember(me)) {
            return;
        }
        if (membership.view().next() == idleAt && identifying == null && !ended.hasUnknown()) {
            // The rightful owners of all buckets would be computed in vain, many times a second.
            return;
        }
        advanceAll();
        View view = membership.view();
        times.onView(view);
        fenceEnded(view);
        if (ended.areFenced(view)) {
            take(view, me);
        }
        release(view, me);
        if (identifying == null && ended.hasUnknown()) {
            identifying = identify();
        }
        advanceAll();
        boolean settled = moving.isEmpty() && asking == null && view.free().isEmpty() && held.equals(view.heldBy(me));
        if (settled && !isSettled) {
            log.info(
                    "This node holds its buckets: count={}, of={}, handedOver: {}",
                    held.size(),
                    view.bucketCount(),
                    times.summary());
        }
        isSettled = settled;
        idleAt = settled && fencing == null && ended.areFenced(view) ? view.next() : NEVER;
    }

    /** Returns whether each bucket has a holder, and this node serves those that it holds. Any thread. */
    public boolean isSettled() {
        return isSettled;
    }

    /** Returns whether steps are under way, so that {@link #advance} may find something to do without a new record. On its thread. */
    boolean hasSteps() {
        return fencing != null || identifying != null || asking != null || !moving.isEmpty();
    }

    private void advanceAll() {
        if (fencing != null && fencing.advance(wake)) {
            fencing = null;
        }
        if (identifying != null && identifying.advance(wake)) {
            identifying = null;
        }
        if (asking != null && asking.advance(wake)) {
            asking = null;
            asked = Set.of();
        }
        moving.values().removeIf(steps -> steps.advance(wake));
    }

    private Steps steps(String purpose, Steps.Step... steps) {
        return new Steps(purpose, nanoTime, List.of(steps));
    }

    /**
     * After the fence, the connections of the ended nodes are lost. A client that comes back must find what the ended nodes have appended for
     * it, so the ends of the bucket logs are read in between.
     */
    private Steps fence() {
        List<Incarnation> nodes = new ArrayList<>();
        return disconnecting(
                "Kafka did not fence ended nodes",
                nodes,
                () -> ended.fence().thenAccept(view -> nodes.addAll(records.takeEnded(view))));
    }

    /** The nodes of a lost log have ended, too. */
    private Steps identify() {
        List<Incarnation> nodes = new ArrayList<>();
        return disconnecting(
                "Kafka did not tell whether nodes have ended",
                nodes,
                () -> ended.takeUnknownEnded().thenAccept(nodes::addAll));
    }

    private Steps disconnecting(String purpose, List<Incarnation> nodes, Steps.Step finding) {
        return steps(
                purpose,
                finding,
                () -> nodes.isEmpty()
                        ? CompletableFuture.completedFuture(null)
                        : awaitEnds(parts.held().all()),
                Steps.of(() -> nodes.forEach(node -> parts.registrar().onNodeEnded(node.toString()))));
    }

    /** Makes the clients of buckets wait until the bucket logs are applied to the ends that they have now. */
    private CompletionStage<Void> awaitEnds(Set<Integer> buckets) {
        return parts.buckets().ends().thenAccept(ends -> {
            for (int bucket : buckets) {
                if (bucket < ends.size()
                        && ends.get(bucket) > 0
                        && parts.positions().isHeld(bucket)) {
                    parts.positions().appended(bucket, ends.get(bucket) - 1, 0, 0);
                }
            }
        });
    }

    private void take(View view, Incarnation me) {
        for (int bucket : view.heldBy(me)) {
            if (!held.contains(bucket) && !moving.containsKey(bucket)) {
                moving.put(bucket, taking(bucket, view));
            }
        }
        Set<Integer> free = view.free();
        free.retainAll(view.ownedBy(me));
        free.removeAll(moving.keySet());
        free.removeAll(held);
        if (asking == null && !free.isEmpty()) {
            asked = Set.copyOf(free);
            asking = steps("Kafka did not accept that this node takes buckets", () -> write(me));
        }
    }

    /** A record that arrives late takes the buckets, too. */
    private CompletionStage<View> write(Incarnation me) {
        long before = clock.millis();
        return records.write(new Took(me, asked), appended -> {
            try {
                clock.requireAgreement(before, appended);
            } catch (StartupException e) {
                membership.end(String.valueOf(e.getMessage()));
            }
        });
    }

    /** @param view in which all ended nodes are fenced */
    private Steps taking(int bucket, View view) {
        Set<Integer> one = Set.of(bucket);
        Set<String> announcing = new HashSet<>();
        for (Member member : view.members()) {
            // One that has only joined has no clients of an earlier holder.
            if (member.state() != MemberState.JOINED) {
                announcing.add(member.incarnation().toString());
            }
        }
        return steps(
                "Could not take bucket " + bucket,
                () -> parts.replica().readToEnd(one),
                () -> {
                    parts.listener().onRead(bucket, parts.replica().positions().next(bucket));
                    return parts.replica().hold(one);
                },
                () -> parts.sessions().takeLogs(bucket),
                Steps.of(() -> parts.buckets().hold(one)),
                Steps.until(() -> parts.positions().isHeld(bucket)),
                () -> awaitEnds(one),
                Steps.of(() -> {
                    parts.sessions().serve(one, node -> !ended.isFenced(node));
                    announcing.removeIf(ended::isFenced);
                    parts.registrar()
                            .openBuckets(one, announcing, membership.settings().patience());
                    long took = membership.view().heldSince(bucket);
                    parts.listener().onHeld(bucket, took, parts.epochs());
                    held.add(bucket);
                    times.onHeld(bucket);
                    log.debug("This node holds a bucket: bucket={}", bucket);
                }));
    }

    private void release(View view, Incarnation me) {
        Set<Integer> kept = view.heldBy(me);
        kept.retainAll(view.ownedBy(me));
        for (int bucket : held) {
            if (!kept.contains(bucket) && !moving.containsKey(bucket)) {
                moving.put(bucket, releasing(bucket, me));
            }
        }
    }

    private Steps releasing(int bucket, Incarnation me) {
        Set<Integer> one = Set.of(bucket);
        return steps(
                "Could not release bucket " + bucket,
                Steps.of(() -> {
                    times.onReleasing(bucket);
                    parts.listener().onReleasing(bucket);
                    parts.registrar().closeBuckets(one);
                }),
                () -> parts.replica().beginRelease(one),
                // Work that waits for the bucket log to be applied ends by that.
                () -> parts.buckets().release(one),
                Steps.until(() -> parts.held().isQuiet(bucket)),
                () -> parts.sessions().releaseLogs(bucket),
                () -> parts.replica().endRelease(one),
                // Repeated until it is acknowledged: a record that arrives later could end a later holding of this
                // node.
                () -> records.write(new Released(me, one)),
                Steps.of(() -> {
                    held.remove(bucket);
                    times.onReleased(bucket);
                    log.debug("This node has released a bucket: bucket={}", bucket);
                }));
    }
}
