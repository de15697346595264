package io.heddle.core.lifecycle;

import io.heddle.core.FailureLog;
import io.heddle.core.cluster.EndNotices;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.Membership;
import io.heddle.core.cluster.MembershipSettings;
import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.cluster.TransactionalId;
import io.heddle.core.cluster.View;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a node that was declared dead and cannot read so, because Kafka does not answer it. Each node that has fenced ended nodes notes them in
 * the {@link EndNotices}. A node whose routing lease has ended, and stayed so for {@code heddle.cluster.lease}, looks for its own notice. It is
 * over if there is one. While Kafka answers no node, no node is fenced, and none ends.
 *
 * <p>Runs once in each heartbeat interval on a thread of its own, which the store of the notices may block. Bound: the pending notices are
 * at most {@link EndNotices#CAPACITY}, the latest.
 */
public final class EndWatch implements StartupPhase {
    private static final Logger log = LoggerFactory.getLogger(EndWatch.class);

    private final Membership membership;
    private final RoutingLease lease;
    private final EndNotices notices;
    private final MembershipSettings settings;
    private final Housekeeping runs;
    // Guarded by this.
    private final Set<Incarnation> pending = new LinkedHashSet<>();
    // The ends below this offset of the log of nodes are pending or noted.
    private long next;
    // Of the thread that runs.
    private boolean hasFailed;

    public EndWatch(Membership membership, RoutingLease lease, EndNotices notices, MembershipSettings settings) {
        this.membership = membership;
        this.lease = lease;
        this.notices = notices;
        this.settings = settings;
        this.runs = new Housekeeping("end-watch", settings.heartbeatInterval(), this::run);
    }

    @Override
    public String name() {
        return "the watch for the end of nodes";
    }

    @Override
    public void start() {
        runs.start();
    }

    @Override
    public void stop() {
        runs.stop();
    }

    /**
     * This node has fenced nodes that have ended, which will be noted. Does not block. Any thread.
     *
     * @param ids the fenced ids, also those of nodes that the log of nodes has forgotten
     * @param asOf all nodes that had ended in this view are fenced
     */
    void onFenced(Set<TransactionalId> ids, View asOf) {
        synchronized (this) {
            // Another node may have fenced some of them, and have ended before it noted them.
            pending.addAll(asOf.endedSince(next));
            next = Math.max(next, asOf.next());
            for (TransactionalId id : ids) {
                pending.add(id.incarnation());
            }
            Iterator<Incarnation> oldest = pending.iterator();
            while (pending.size() > EndNotices.CAPACITY) {
                oldest.next();
                oldest.remove();
            }
        }
    }

    void run() {
        try {
            if (lease.hasEndedFor(settings.lease())) {
                look();
            }
            note();
            hasFailed = false;
        } catch (RuntimeException e) {
            onFailure(e);
        }
    }

    /** A node that was frozen may find its notice before it reads of its death in the log. */
    private void look() {
        Incarnation me = membership.incarnation();
        if (notices.contains(me)) {
            membership.end(
                    "another node has declared this node dead while Kafka did not answer it (incarnation " + me + ")");
        }
    }

    private void note() {
        Set<Incarnation> ended = pendingNotices();
        if (!ended.isEmpty()) {
            notices.add(ended);
            synchronized (this) {
                pending.removeAll(ended);
            }
            log.debug("Noted outside Kafka that nodes have ended: {}", ended);
        }
    }

    /** A node that joined late may have taken a member for dead until it read that member's next heartbeat. */
    private synchronized Set<Incarnation> pendingNotices() {
        pending.removeIf(membership.view()::isMember);
        return Set.copyOf(pending);
    }

    /** The next run repeats it. Logs the first of consecutive failures. */
    private void onFailure(RuntimeException failure) {
        if (!hasFailed) {
            hasFailed = true;
            FailureLog.warn(
                    log,
                    "Cannot note outside Kafka that nodes have ended, or look whether this node was declared dead; retrying",
                    failure);
        }
    }
}
