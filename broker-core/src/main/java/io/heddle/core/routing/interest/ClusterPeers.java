package io.heddle.core.routing.interest;

import io.heddle.core.client.EventLoop;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.subscription.RemoteNode;
import io.heddle.core.subscription.RemoteNodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The other members of the cluster and their states. Owned by one event loop; any thread may report a view. While there are members, it
 * asks for suspected ones every {@link #CHECK_INTERVAL}.
 *
 * <p>An incarnation that has ended never becomes a member again.
 */
public final class ClusterPeers {
    private static final Logger log = LoggerFactory.getLogger(ClusterPeers.class);
    static final Duration CHECK_INTERVAL = Duration.ofMillis(250);

    private final EventLoop eventLoop;
    private final RemoteNodes nodes;
    private final Suspicion suspicion;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private boolean isChecking;

    /** Learns of members. The methods are called on the event loop of the peers. */
    public interface Listener {
        /** A member has joined. */
        void onJoined(RemoteNode node);

        /** A member has ended; {@link RemoteNode#isGone} is true. */
        void onEnded(RemoteNode node);

        /** The states of all members are up to date. Called often. */
        void onChecked();
    }

    /** @param nodes receives the members; this class is its only writer */
    public ClusterPeers(EventLoop eventLoop, RemoteNodes nodes, Suspicion suspicion) {
        this.eventLoop = eventLoop;
        this.nodes = nodes;
        this.suspicion = suspicion;
    }

    /** The event loop that owns the peers and calls the listeners. */
    public EventLoop eventLoop() {
        return eventLoop;
    }

    /** The members; a weakly consistent view. */
    public Collection<RemoteNode> all() {
        return nodes.all();
    }

    /** Knows the members that are silent. */
    public Suspicion suspicion() {
        return suspicion;
    }

    /** A member that may live answers nothing over its link. Publishers do not wait for it from now on. On the event loop. */
    public void cutOff(RemoteNode node) {
        if (!node.isCutOff() && !node.isGone()) {
            node.cutOff(true);
            log.warn(
                    "A node does not answer over its link, although it may live; messages for its connected subscribers wait up to a limit"
                            + " (check the network between the nodes): node={}",
                    node);
        }
    }

    /** A member has answered over its link, and this node knows all its subscribers. On the event loop. */
    void answered(RemoteNode node) {
        if (node.isCutOff()) {
            node.cutOff(false);
            log.info("A node answers over its link again: node={}", node);
        }
    }

    /** Adds a listener. Before the first view. */
    public void listen(Listener listener) {
        listeners.add(listener);
    }

    /**
     * The view of the cluster has changed. Any thread; the views must come in their order, and the one with a new member before the records
     * of the sessions that are connected to it.
     *
     * @param others all members except this node, from their Joined records on
     */
    public void onMembers(Collection<Incarnation> others) {
        Set<Incarnation> members = Set.copyOf(others);
        eventLoop.execute(() -> update(members));
    }

    private void update(Set<Incarnation> members) {
        for (RemoteNode node : new ArrayList<>(nodes.all())) {
            if (!members.contains(node.incarnation())) {
                nodes.remove(node);
                listeners.forEach(each -> each.onEnded(node));
            }
        }
        for (Incarnation member : members.stream().sorted().toList()) {
            if (nodes.find(member.toString()) == null) {
                RemoteNode joined = nodes.add(member);
                listeners.forEach(each -> each.onJoined(joined));
            }
        }
        check();
        if (!isChecking) {
            isChecking = true;
            scheduleCheck();
        }
    }

    private void scheduleCheck() {
        if (nodes.all().isEmpty()) {
            isChecking = false;
            return;
        }
        eventLoop.schedule(CHECK_INTERVAL, () -> {
            check();
            scheduleCheck();
        });
    }

    /** Brings the states of the members up to date. On the event loop. */
    void check() {
        for (RemoteNode node : nodes.all()) {
            node.suspected(suspicion.isSilent(node.incarnation()));
        }
        listeners.forEach(Listener::onChecked);
    }
}
