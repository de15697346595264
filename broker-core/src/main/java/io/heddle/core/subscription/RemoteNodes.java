package io.heddle.core.subscription;

import io.heddle.core.cluster.Incarnation;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The other members of the cluster. Thread-safe; empty on a node that is alone. Bounded by the number of members. */
public final class RemoteNodes {
    // By the text of the incarnation, as session records contain it.
    private final Map<String, RemoteNode> byIncarnation = new ConcurrentHashMap<>();
    private final AtomicLong connects = new AtomicLong();
    private volatile Runnable connectListener = () -> {};

    /** Numbers the next connect of a persistent session to this node. */
    public long nextConnect() {
        long number = connects.incrementAndGet();
        connectListener.run();
        return number;
    }

    /** Returns the number of the latest connect; 0 before. */
    public long connects() {
        return connects.get();
    }

    /** Sets what is called after a connect, by the event loop of the client. Before the node joins the cluster. */
    public void onConnect(Runnable listener) {
        connectListener = listener;
    }

    /** Returns the node of an incarnation, or null if it is not another member; a session record may name any incarnation or none. */
    public @Nullable RemoteNode find(String incarnation) {
        return byIncarnation.get(incarnation);
    }

    public RemoteNode add(Incarnation incarnation) {
        return byIncarnation.computeIfAbsent(incarnation.toString(), _ -> new RemoteNode(incarnation));
    }

    public void remove(RemoteNode node) {
        node.end();
        byIncarnation.remove(node.incarnation().toString(), node);
    }

    /** Returns all members; a weakly consistent view. */
    public Collection<RemoteNode> all() {
        return byIncarnation.values();
    }
}
