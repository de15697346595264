package io.heddle.core.lifecycle;

import io.heddle.core.cluster.Member;
import io.heddle.core.cluster.MemberState;
import io.heddle.core.cluster.Membership;
import io.heddle.core.link.NodeLinks;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a node take part in the routing only when its links to all serving members are up. A node that had to leave because of broken links
 * waits until they have been up without interruption for 30 seconds, and twice as long each further time, up to ten minutes: otherwise a link
 * that fails now and then would take the node in and out of the cluster. Used by the thread that starts the node.
 */
public final class SteadyLinks {
    private static final Logger log = LoggerFactory.getLogger(SteadyLinks.class);

    private static final Duration FIRST_WAIT = Duration.ofSeconds(30);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(10);
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);
    private static final Duration WARN_EVERY = Duration.ofSeconds(10);

    private final Membership membership;
    private final NodeLinks links;
    private final LongSupplier nanoTime;
    private long upSinceNanos;
    private long warnedNanos;

    /** @param membership has joined */
    public SteadyLinks(Membership membership, NodeLinks links, LongSupplier nanoTime) {
        this.membership = membership;
        this.links = links;
        this.nanoTime = nanoTime;
        this.upSinceNanos = nanoTime.getAsLong();
        this.warnedNanos = upSinceNanos;
    }

    /** Returns how long the links of a node must have been up that was condemned this often. */
    static Duration waitAfter(int condemnations) {
        if (condemnations == 0) {
            return Duration.ZERO;
        }
        Duration wait = FIRST_WAIT;
        for (int i = 1; i < condemnations && wait.compareTo(LONGEST_WAIT) < 0; i++) {
            wait = wait.multipliedBy(2);
        }
        return wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT;
    }

    /**
     * Blocks until the links are up for long enough, and logs for which one it waits.
     *
     * @throws io.heddle.core.cluster.NodeOverException if this node is over
     */
    public void await() throws InterruptedException {
        if (membership.condemnations() > 0) {
            log.warn(
                    "This node had to leave the cluster because of broken links; it serves when all links have been up for {}",
                    waitAfter(membership.condemnations()));
        }
        while (!areSteady()) {
            boolean _ = membership.await(_ -> false, LOOK_EVERY);
        }
    }

    /** Returns whether the links have been up for long enough, as far as the earlier calls have seen. */
    public boolean areSteady() {
        boolean isAlone = true;
        long now = nanoTime.getAsLong();
        for (Member each : membership.view().members()) {
            if (!isServingOther(each)) {
                continue;
            }
            isAlone = false;
            if (!links.isUp(each.incarnation())) {
                upSinceNanos = now;
                warn(each, now);
                return false;
            }
        }
        return isAlone
                || now - upSinceNanos >= waitAfter(membership.condemnations()).toNanos();
    }

    private void warn(Member broken, long now) {
        if (now - warnedNanos >= WARN_EVERY.toNanos()) {
            warnedNanos = now;
            log.warn(
                    "This node does not serve, because it has no link to a node that serves: nodeId={}, address={}",
                    broken.node().id(),
                    broken.node().link().address());
        }
    }

    private boolean isServingOther(Member member) {
        boolean serves = member.state() == MemberState.SERVING || member.state() == MemberState.DRAINING;
        return serves && !membership.isSelf(member.incarnation());
    }
}
