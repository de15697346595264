package io.heddle.core.lifecycle;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.Member;
import io.heddle.core.cluster.Membership;
import io.heddle.core.cluster.MembershipSettings;
import io.heddle.core.cluster.View;
import io.heddle.core.watchdog.Watchdog;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a node into the cluster and out of it: the node joins, and waits for the end of an earlier run with its node id. {@link
 * BucketHoldingThread} follows. Started and stopped by one thread at a time.
 */
public final class ClusterEntry implements StartupPhase {
    private static final Logger log = LoggerFactory.getLogger(ClusterEntry.class);
    private static final Duration LEAVE_WITHIN = Duration.ofSeconds(2);

    private final Membership membership;
    private final MembershipSettings settings;
    private final KafkaClock clock;
    private final RandomGenerator random;
    private final Housekeeping heartbeats;

    /**
     * @param watchdog without whose consent no heartbeat is written
     * @param clock returns the time of day in milliseconds by which sessions expire
     */
    public ClusterEntry(
            Membership membership,
            MembershipSettings settings,
            Watchdog watchdog,
            LongSupplier clock,
            RandomGenerator random) {
        this.membership = membership;
        this.settings = settings;
        this.clock = new KafkaClock(clock);
        this.random = random;
        this.heartbeats = new Housekeeping("heartbeat", settings.heartbeatInterval(), () -> {
            if (watchdog.areAllProgressing()) {
                membership.beat();
            }
        });
    }

    @Override
    public String name() {
        return "the membership in the cluster";
    }

    @Override
    public void start() {
        boolean hasEntered = false;
        try {
            ClusterStep.run("join the cluster", settings.timeout(), this::enter);
            hasEntered = true;
        } finally {
            if (!hasEntered) {
                stop();
            }
        }
    }

    private void enter() throws InterruptedException {
        join();
        heartbeats.start();
        // Declares nodes dead at once whose processes have ended.
        membership.beat();
        awaitEndOfEarlierRun();
        requireSameFormats();
    }

    private void requireSameFormats() {
        int own = settings.node().formats();
        for (Member member : membership.view().members()) {
            int formats = member.node().formats();
            if (formats != own) {
                throw new StartupException(
                        "node " + member.node().id() + at(member)
                                + " is of another build of Heddle, which has the formats " + formats
                                + ", and this one has the formats " + own + ": start all nodes with the same build",
                        null);
            }
        }
    }

    private void join() throws InterruptedException {
        long before = clock.millis();
        clock.requireAgreement(before, membership.join(random.nextInt()));
        log.info(
                "Joined the cluster: nodeId={}, incarnation={}, members={}",
                settings.node().id(),
                membership.incarnation(),
                membership.view().members().size());
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
