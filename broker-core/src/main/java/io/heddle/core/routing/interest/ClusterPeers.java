package io.heddle.core.routing.interest;

import io.heddle.core.client.EventLoop;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.subscription.RemoteNode;
import io.heddle.core.subscription.RemoteNodes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The other members of the cluster. Owned by one event loop; any thread may report a view.
 *
 * <p>An incarnation that has ended never becomes a member again.
 */
public final class ClusterPeers {
    private final EventLoop eventLoop;
    private final RemoteNodes nodes;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();

    /** Learns of members. The methods are called on the event loop of the peers. */
    public interface Listener {
        /** A member has joined. */
        void onJoined(RemoteNode node);

        /** A member has ended; {@link RemoteNode#isGone} is true. */
        void onEnded(RemoteNode node);
    }

    /** @param nodes receives the members; this class is its only writer */
    public ClusterPeers(EventLoop eventLoop, RemoteNodes nodes) {
        this.eventLoop = eventLoop;
        this.nodes = nodes;
    }

    /** The event loop that owns the peers and calls the listeners. */
    public EventLoop eventLoop() {
        return eventLoop;
    }

    /** The members; a weakly consistent view. */
    public Collection<RemoteNode> all() {
        return nodes.all();
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
    }
}
