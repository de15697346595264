package io.heddle.core.lifecycle;

import io.heddle.core.FailureLog;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.Member;
import io.heddle.core.cluster.Membership;
import io.heddle.core.cluster.MembershipSettings;
import io.heddle.core.cluster.NodeRecord.Serving;
import io.heddle.core.cluster.NodeRecord.Took;
import io.heddle.core.cluster.ProducerFencing;
import io.heddle.core.cluster.TransactionalId;
import io.heddle.core.cluster.View;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the buckets of the cluster for a node that has joined. The node waits until it owns the buckets, fences all nodes that have ended,
 * and takes the buckets. Only then may the broker decide about clients. Started by one thread. {@link ClusterEntry} gives the buckets back.
 */
public final class BucketTakeover implements StartupPhase {
    private static final Logger log = LoggerFactory.getLogger(BucketTakeover.class);

    private static final Duration RETRY_PAUSE = Duration.ofMillis(200);

    private final Membership membership;
    private final ProducerFencing fencing;
    private final MembershipSettings settings;
    private final KafkaClock clock;
    private final ClusterRole role;
    private final Waiting waiting;
    // Confined to the thread that starts the node.
    private boolean hasWaited;

    /** Listens for the moment at which this node begins to stand by. Called on the thread that starts the broker. */
    @FunctionalInterface
    public interface Waiting {
        /**
         * Another node serves; this one is a standby.
         *
         * @param owner the node that serves
         */
        void onStandby(Member owner);
    }

    /**
     * @param clock returns the time of day in milliseconds by which sessions expire
     * @param role is set as the node proceeds
     */
    public BucketTakeover(
            Membership membership,
            ProducerFencing fencing,
            MembershipSettings settings,
            LongSupplier clock,
            ClusterRole role,
            Waiting waiting) {
        this.membership = membership;
        this.fencing = fencing;
        this.settings = settings;
        this.clock = new KafkaClock(clock);
        this.role = role;
        this.waiting = waiting;
    }

    @Override
    public String name() {
        return "the takeover of the buckets";
    }

    @Override
    public void start() {
        ClusterStep.run("take the buckets", settings.timeout(), this::takeBuckets);
    }

    /**
     * A bucket is free once the death of its holder is in the log, and the holder's producers are fenced afterwards, before the bucket is
     * taken: a producer that is initialised after the fence reads of the death before it commits.
     */
    private void takeBuckets() throws InterruptedException {
        Incarnation me = membership.incarnation();
        membership.write(new Serving(me));
        View fenced = membership.view();
        while (!isHolderOfAll(membership.view(), me)) {
            // Another node can become the owner at any time: one that joined earlier and waited for an earlier run of
            // itself.
            awaitOwnership(me);
            fenced = fenceEndedNodes();
            long before = clock.millis();
            clock.requireAgreement(before, membership.write(new Took(me, fenced.free())));
        }
        while (!membership.view().endedSince(fenced.next()).isEmpty()) {
            // The ended node may have taken buckets, and left, after the ids were listed.
            fenced = fenceEndedNodes();
        }
    }

    private static boolean isHolderOfAll(View view, Incarnation me) {
        return view.heldBy(me).size() == view.bucketCount();
    }

    private void awaitOwnership(Incarnation me) throws InterruptedException {
        View view = membership.view();
        Incarnation owner = view.owner();
        Member serving = owner == null ? null : view.member(owner);
        if (serving != null && !me.equals(owner)) {
            log.info(
                    "Another node serves the cluster; this node stands by: nodeId={}, incarnation={}",
                    serving.node().id(),
                    owner);
            hasWaited = true;
            role.onStandby();
            waiting.onStandby(serving);
        }
        while (!membership.await(now -> me.equals(now.owner()) && !now.free().isEmpty(), settings.lease())) {
            log.debug(
                    "Waiting for the buckets of the cluster: owner={}",
                    membership.view().owner());
        }
        role.onOwner();
    }

    /**
     * Fences the producers of all nodes that are not members. Retries, because a partition may have no leader for some seconds; a standby
     * retries as long as it takes, because no other node serves.
     *
     * @return the view before the fence: all nodes that had ended in it are fenced
     */
    private View fenceEndedNodes() throws InterruptedException {
        long deadline = System.nanoTime() + settings.timeout().toNanos();
        while (true) {
            try {
                return fenceOnce();
            } catch (StoreUnavailableException e) {
                if (!hasWaited && System.nanoTime() - deadline >= 0) {
                    throw e;
                }
                FailureLog.warn(log, "Kafka did not fence ended nodes; retrying", e);
            }
            boolean _ = membership.await(_ -> false, RETRY_PAUSE);
        }
    }

    private View fenceOnce() throws InterruptedException {
        Set<TransactionalId> unfenced = answer(fencing.unfenced());
        // A node becomes a member before it creates a producer. So the view read now contains the living nodes of the
        // list.
        membership.confirm();
        View view = membership.view();
        Set<TransactionalId> ended = EndedNodes.ids(unfenced, view);
        if (!ended.isEmpty()) {
            var _ = answer(fencing.fence(ended));
            log.info("Fenced the transactional ids of ended nodes: count={}", ended.size());
        }
        return view;
    }

    private <T> T answer(CompletionStage<T> stage) throws InterruptedException {
        try {
            return stage.toCompletableFuture().get(settings.timeout().toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException fault
                    ? fault
                    : new StoreUnavailableException("Kafka did not fence ended nodes", e);
        } catch (TimeoutException e) {
            throw new StoreUnavailableException("Kafka did not fence ended nodes in time", e);
        }
    }

    @Override
    public void stop() {
        // The record with which the node leaves the cluster gives the buckets back.
    }
}
