package io.heddle.core.lifecycle;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.Membership;
import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.link.LinkListener;
import java.time.Duration;

/**
 * Ends a node that Kafka does not answer when another member says over a link that this node was declared dead. The node itself cannot read
 * its death in the log of nodes, and its clients would stay at a node that acknowledges nothing.
 *
 * <p>The other member is believed only when no heartbeat of this node was read back for the routing lease and another {@link #patience}: a
 * member that began to read the log late may take a living node for dead until it reads the next heartbeat of that node. So no clock and no
 * silence ends a node alone. A node that reaches neither Kafka nor any member it knows stays, and acknowledges nothing. Thread-safe.
 */
public final class DeathNotice implements LinkListener {
    private final Membership membership;
    private final RoutingLease lease;
    private final Duration patience;

    /** @param patience {@code heddle.cluster.lease} */
    public DeathNotice(Membership membership, RoutingLease lease, Duration patience) {
        this.membership = membership;
        this.lease = lease;
        this.patience = patience;
    }

    @Override
    public void onSelfEnded(Incarnation member) {
        if (lease.hasEndedFor(patience)) {
            membership.end("another node has declared this node dead while Kafka did not answer it (incarnation "
                    + membership.incarnation() + ", told by incarnation " + member + ")");
        }
    }
}
