package io.heddle.core.lifecycle;

import io.heddle.core.FailureLog;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.Member;
import io.heddle.core.cluster.Membership;
import io.heddle.core.cluster.MembershipSettings;
import io.heddle.core.cluster.NodeLog.Appended;
import io.heddle.core.cluster.NodeOverException;
import io.heddle.core.cluster.NodeRecord.Serving;
import io.heddle.core.cluster.NodeRecord.Took;
import io.heddle.core.cluster.ProducerFencing;
import io.heddle.core.cluster.TransactionalId;
import io.heddle.core.cluster.View;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a node into the cluster and out of it. A node joins, waits for the end of an earlier run with its node id, waits until it owns the
 * buckets, fences all nodes that have ended, and takes the buckets. Only then may the broker read its stores. Started and stopped by one thread at a time.
 */
public final class ClusterEntry implements StartupPhase {
    private static final Logger log = LoggerFactory.getLogger(ClusterEntry.class);
    /** A wrong clock would expire the sessions of all clients that are away. */
    private static final Duration LARGEST_CLOCK_DIFFERENCE = Duration.ofSeconds(30);

    private static final Duration LEAVE_WITHIN = Duration.ofSeconds(2);
    private static final Duration RETRY_PAUSE = Duration.ofMillis(200);

    private final Membership membership;
    private final ProducerFencing fencing;
    private final MembershipSettings settings;
    private final LongSupplier clock;
    private final RandomGenerator random;
    private final Waiting waiting;
    private final ClusterRole role;
    private final Housekeeping heartbeats;
    // Confined to the thread that starts the node.
    private boolean hasWaited;

    /** Is told that this node waits, on the thread that starts the broker. */
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
    public ClusterEntry(
            Membership membership,
            ProducerFencing fencing,
            MembershipSettings settings,
            LongSupplier clock,
            RandomGenerator random,
            ClusterRole role,
            Waiting waiting) {
        this.membership = membership;
        this.fencing = fencing;
        this.settings = settings;
        this.clock = clock;
        this.random = random;
        this.role = role;
        this.waiting = waiting;
        this.heartbeats = new Housekeeping("heartbeat", settings.heartbeatInterval(), membership::beat);
    }

    @Override
    public String name() {
        return "the membership in the cluster";
    }

    @Override
    public void start() {
        boolean entered = false;
        try {
            join();
            heartbeats.start();
            // Declares nodes dead at once whose processes have ended.
            membership.beat();
            awaitEndOfEarlierRun();
            takeBuckets();
            entered = true;
        } catch (NodeOverException e) {
            throw new StartupException(String.valueOf(e.getMessage()), e);
        } catch (StoreUnavailableException e) {
            throw new StartupException(
                    "Kafka did not let this node join the cluster within "
                            + settings.timeout().toSeconds() + " s (" + e.getMessage()
                            + "): check Kafka's log, or raise heddle.kafka.connect-timeout",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartupException("The start was interrupted", e);
        } finally {
            if (!entered) {
                stop();
            }
        }
    }

    private void join() throws InterruptedException {
        long before = clock.getAsLong();
        requireClock(before, membership.join(random.nextInt()));
        log.info(
                "Joined the cluster: nodeId={}, incarnation={}, members={}",
                settings.node().id(),
                membership.incarnation(),
                membership.view().members().size());
    }

    /** Requires that Kafka's clock, which has stamped a record just now, and that of this node agree. */
    private void requireClock(long before, Appended written) {
        long behind = written.timestampMillis() - clock.getAsLong();
        long ahead = before - written.timestampMillis();
        long difference = Math.max(behind, ahead);
        if (difference > LARGEST_CLOCK_DIFFERENCE.toMillis()) {
            throw new StartupException(
                    "the clock of this machine is " + TimeUnit.MILLISECONDS.toSeconds(difference) + " s "
                            + (ahead > behind ? "ahead of" : "behind")
                            + " the clock of Kafka, which would expire sessions too "
                            + (ahead > behind ? "early" : "late")
                            + ": synchronize both clocks",
                    null);
        }
    }

    private void awaitEndOfEarlierRun() throws InterruptedException {
        if (settings.isAlone()) {
            declareOthersDead();
            return;
        }
        Incarnation me = membership.incarnation();
        Member elder = elder(membership.view());
        if (elder != null) {
            log.info(
                    "An earlier run of this node has not left the cluster; waiting until it is declared dead: lease={},"
                            + " incarnation={}",
                    settings.lease(),
                    elder.incarnation());
        }
        while (elder != null) {
            if (elder.lastRecord() > me.offset()) {
                throw new StartupException(
                        "the node id " + settings.node().id() + " is in use by a running node" + at(elder)
                                + ": set heddle.node.id to another name, or stop that node first",
                        null);
            }
            boolean _ = membership.await(view -> elder(view) == null, settings.heartbeatInterval());
            elder = elder(membership.view());
        }
    }

    private @Nullable Member elder(View view) {
        return view.elder(membership.incarnation(), settings.node().id());
    }

    private void declareOthersDead() throws InterruptedException {
        long deadline = System.nanoTime() + settings.timeout().toNanos();
        do {
            membership.declareOthersDead();
            if (membership.await(view -> view.members().size() == 1, settings.heartbeatInterval())) {
                return;
            }
        } while (System.nanoTime() < deadline);
        throw new StoreUnavailableException("earlier runs of this node were not declared dead in time", null);
    }

    /**
     * A bucket is free once the death of its holder is in the log, and the holder's producers are fenced afterwards, before the bucket is taken:
     * a producer that is initialised after the fence reads of the death before it commits.
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
            long before = clock.getAsLong();
            requireClock(before, membership.write(new Took(me, fenced.free())));
        }
        while (membership.view().hasEndedSince(fenced.next())) {
            // It may have held buckets, and left them, after the ids were listed.
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
     * Fences the producers of all nodes that are no members. Retries, because a partition may have no leader for some seconds; a standby
     * retries as long as it takes, because nobody else serves.
     *
     * @return the view as of which all ended nodes are fenced
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
        Set<TransactionalId> ended = new HashSet<>(answer(fencing.unfenced()));
        // A node is a member before it has a producer, so the producers of all members that were listed are in the view
        // read now.
        membership.confirm();
        View view = membership.view();
        ended.removeIf(id -> view.isMember(id.incarnation()));
        // A coordinator that has just been elected may omit ids from the list.
        ended.addAll(view.idsOfEndedHolders());
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

    private static String at(Member member) {
        String address = member.node().address();
        return (address.isEmpty() ? "" : " at " + address) + " (incarnation " + member.incarnation() + ")";
    }

    /** Stops the heartbeats and leaves the cluster. The broker has closed its producers before. */
    @Override
    public void stop() {
        heartbeats.stop();
        // An interrupted start leaves, too.
        boolean wasInterrupted = Thread.interrupted();
        try {
            membership.leave(LEAVE_WITHIN);
        } catch (InterruptedException e) {
            wasInterrupted = true;
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
