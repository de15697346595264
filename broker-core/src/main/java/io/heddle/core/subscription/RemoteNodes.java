package io.heddle.core.subscription;

import io.heddle.core.cluster.Incarnation;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The other members of the cluster. Thread-safe; empty on a node that is alone. Bounded by the number of members. */
public final class RemoteNodes {
    // By the text of the incarnation, as session records contain it.
    private final Map<String, RemoteNode> byIncarnation = new ConcurrentHashMap<>();

    /** Returns the node of an incarnation, or null if it is not another member; a session record may name any incarnation or none. */
    public @Nullable RemoteNode find(String incarnation) {
        return byIncarnation.get(incarnation);
    }

    /** Adds a member. */
    public RemoteNode add(Incarnation incarnation) {
        return byIncarnation.computeIfAbsent(incarnation.toString(), _ -> new RemoteNode(incarnation));
    }

    /** Removes a node whose incarnation has ended. */
    public void remove(RemoteNode node) {
        node.end();
        byIncarnation.remove(node.incarnation().toString(), node);
    }

    /** Returns all members; a weakly consistent view. */
    public Collection<RemoteNode> all() {
        return byIncarnation.values();
    }
}
