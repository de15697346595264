package io.heddle.core.lifecycle;

import io.heddle.core.FailureLog;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.Membership;
import io.heddle.core.cluster.MembershipSettings;
import io.heddle.core.cluster.OwnerNotice;
import io.heddle.core.cluster.RoutingLease;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a node that has been replaced and cannot read so, because Kafka does not answer it. Each node names itself in the {@link OwnerNotice}
 * after it has taken the buckets. A node whose routing lease has ended, and stayed so for {@code heddle.cluster.lease}, reads the notice. It
 * is over if the notice names a later incarnation. While Kafka answers no node, no node takes over, and none ends.
 *
 * <p>Starts after the node has taken the buckets. States: unnamed → named. Runs once in each heartbeat interval on a thread of its own,
 * which the store of the notice may block.
 */
public final class TakeoverWatch implements StartupPhase {
    private static final Logger log = LoggerFactory.getLogger(TakeoverWatch.class);

    private final Membership membership;
    private final RoutingLease lease;
    private final OwnerNotice notice;
    private final MembershipSettings settings;
    private final Housekeeping runs;
    // Of the thread that runs.
    private boolean isNamed;
    private boolean hasFailed;

    public TakeoverWatch(Membership membership, RoutingLease lease, OwnerNotice notice, MembershipSettings settings) {
        this.membership = membership;
        this.lease = lease;
        this.notice = notice;
        this.settings = settings;
        this.runs = new Housekeeping("takeover-watch", settings.heartbeatInterval(), this::run);
    }

    @Override
    public String name() {
        return "the watch for takeovers";
    }

    @Override
    public void start() {
        runs.start();
    }

    @Override
    public void stop() {
        runs.stop();
    }

    void run() {
        try {
            if (!isNamed) {
                isNamed = nameThisNode();
            } else if (lease.hasEndedFor(settings.lease())) {
                check();
            }
            hasFailed = false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            onFailure(e);
        }
    }

    /**
     * An owner that this node reads before it confirms its life is not a later one, even if its incarnation is greater: Kafka may have lost
     * the log of nodes since. So the node may replace it. A node that was replaced meanwhile finds another owner and does not.
     *
     * @return whether the notice names this node
     */
    private boolean nameThisNode() throws InterruptedException {
        Incarnation me = membership.incarnation();
        Incarnation before = notice.read();
        // The store may have executed a call whose answer was lost.
        return me.equals(before) || (membership.isConfirmed() && notice.replace(before, me));
    }

    /** A node that was frozen may read the notice before it reads of its death in the log. */
    private void check() {
        Incarnation owner = notice.read();
        if (owner != null && owner.compareTo(membership.incarnation()) > 0) {
            membership.end("another node has taken over (incarnation " + owner + ")");
        }
    }

    /** The next run repeats it. Logs the first of consecutive failures. */
    private void onFailure(RuntimeException failure) {
        if (!hasFailed) {
            hasFailed = true;
            String effect = isNamed
                    ? "Cannot read whether another node has taken over; retrying"
                    : "Cannot store that this node has taken over; retrying";
            FailureLog.warn(log, effect, failure);
        }
    }
}
