package io.heddle.core.lifecycle;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.ProducerFencing;
import io.heddle.core.cluster.TransactionalId;
import io.heddle.core.cluster.View;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fences the producers of all nodes that have ended. Fenced by one thread; any thread may ask which nodes are fenced.
 *
 * <p>A session may name a node of an earlier log of nodes, which a restore does not bring back. Such a node looks like one that has joined
 * after the fenced view. The end of the log tells which: a node joins before it has connections, so by then each living one is a member.
 * Bound: the nodes that the sessions of the held buckets name.
 */
final class EndedNodes {
    private static final Logger log = LoggerFactory.getLogger(EndedNodes.class);

    private final NodeRecords records;
    private final ProducerFencing fencing;
    // All nodes that have ended as of this view are fenced.
    private volatile @Nullable View fenced;
    // Nodes that were asked for and had not joined as of the fenced view.
    private final Set<Incarnation> unknown = ConcurrentHashMap.newKeySet();

    EndedNodes(NodeRecords records, ProducerFencing fencing) {
        this.records = records;
        this.fencing = fencing;
    }

    /** Returns the ids to fence: those of nodes that are no members, and those that a coordinator omits that has just been elected. */
    private static Set<TransactionalId> ids(Set<TransactionalId> unfenced, View view) {
        Set<TransactionalId> ended = new HashSet<>(unfenced);
        ended.removeIf(id -> view.isMember(id.incarnation()));
        ended.addAll(view.idsOfEndedHolders());
        return ended;
    }

    /** Returns whether all nodes that have ended as of this view are fenced. */
    boolean areFenced(View view) {
        View asOf = fenced;
        return asOf != null && view.endedSince(asOf.next()).isEmpty();
    }

    /** Returns whether the node with this incarnation has ended and is fenced, so that its connections are lost. */
    boolean isFenced(String incarnation) {
        if (!Incarnation.isIncarnation(incarnation)) {
            return true;
        }
        Incarnation node = Incarnation.parse(incarnation);
        View asOf = fenced;
        boolean isFenced = asOf != null && NodeRecords.hasEnded(asOf, node);
        if (!isFenced && (asOf == null || !asOf.isMember(node))) {
            unknown.add(node);
        }
        return isFenced;
    }

    /** Returns whether {@link #isFenced} was asked for a node that had not joined as of the fenced view. Any thread. */
    boolean hasUnknown() {
        return !unknown.isEmpty();
    }

    /**
     * Takes the unknown nodes that have ended and are fenced. The others are members, or are asked for again after the next fence.
     *
     * @return completes with the nodes; fails with {@link io.heddle.core.StoreUnavailableException}
     */
    CompletionStage<Set<Incarnation>> takeUnknownEnded() {
        Set<Incarnation> asked = Set.copyOf(unknown);
        return records.readToEnd().thenApply(view -> {
            Set<Incarnation> found = new HashSet<>(asked);
            found.removeIf(view::isMember);
            if (!found.isEmpty() && !areFenced(view)) {
                return Set.of();
            }
            unknown.removeAll(asked);
            if (!found.isEmpty()) {
                log.warn(
                        "Sessions were connected to nodes that are not in the log of nodes; their connections are lost: nodes={}",
                        found);
            }
            return found;
        });
    }

    /**
     * Fences all nodes that have ended.
     *
     * @return completes with the view as of which they are fenced; fails with {@link io.heddle.core.StoreUnavailableException}
     */
    CompletionStage<View> fence() {
        // A node is a member before it has a producer, so the nodes of all listed producers are in the view read
        // afterwards.
        return fencing.unfenced()
                .thenCompose(unfenced -> records.readToEnd().thenCompose(view -> fence(ids(unfenced, view), view)));
    }

    private CompletionStage<View> fence(Set<TransactionalId> ended, View view) {
        CompletionStage<Void> done = ended.isEmpty() ? CompletableFuture.completedStage(null) : fencing.fence(ended);
        return done.thenApply(_ -> {
            if (!ended.isEmpty()) {
                log.info("Fenced the transactional ids of ended nodes: count={}", ended.size());
            }
            fenced = view;
            return view;
        });
    }
}
