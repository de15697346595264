package io.heddle.core.lifecycle;

import io.heddle.core.changelog.FollowedPositions;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.Member;
import io.heddle.core.cluster.Membership;
import io.heddle.core.cluster.NodeLog;
import io.heddle.core.cluster.NodeLog.Appended;
import io.heddle.core.cluster.NodeRecord;
import io.heddle.core.cluster.View;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Writes records to the log of nodes and waits, without blocking, until this node has applied them. Also remembers the members that have not
 * been {@linkplain #takeEnded taken} as ended. Thread-safe. Bound: the members.
 */
public final class NodeRecords {
    private final NodeLog log;
    private final Membership membership;
    private final FollowedPositions applied = new FollowedPositions();
    // Guarded by this.
    private final Set<Incarnation> seen = new HashSet<>();

    /** @param membership follows the log, and has not joined yet */
    public NodeRecords(NodeLog log, Membership membership) {
        this.log = log;
        this.membership = membership;
        membership.onRecord((view, _) -> onView(view));
    }

    private void onView(View view) {
        synchronized (this) {
            for (Member member : view.members()) {
                seen.add(member.incarnation());
            }
        }
        applied.onReached(0, view.next());
    }

    /**
     * Appends a record.
     *
     * @return completes with a view that contains the record; fails if it was not appended in a few seconds, and it may still arrive late
     */
    CompletionStage<View> write(NodeRecord record) {
        return write(record, _ -> {});
    }

    /** @param check receives the place of the record; if it throws, the stage fails */
    CompletionStage<View> write(NodeRecord record, Consumer<Appended> check) {
        return log.append(record).thenCompose(appended -> {
            check.accept(appended);
            return viewAt(appended.offset() + 1);
        });
    }

    /** Completes with a view of all records that the log has at the time of the call. Fails if the log does not answer. */
    CompletionStage<View> readToEnd() {
        return log.bounds().thenCompose(bounds -> viewAt(bounds.end()));
    }

    private CompletionStage<View> viewAt(long next) {
        return applied.whenReached(List.of(next)).thenApply(_ -> membership.view());
    }

    /** Takes the nodes that have ended as of a view, each once. */
    synchronized Set<Incarnation> takeEnded(View view) {
        Set<Incarnation> ended = new HashSet<>();
        for (Iterator<Incarnation> all = seen.iterator(); all.hasNext(); ) {
            Incarnation each = all.next();
            if (hasEnded(view, each)) {
                all.remove();
                ended.add(each);
            }
        }
        return ended;
    }

    /** Returns whether an incarnation has ended as of a view. One that has joined later has not. */
    static boolean hasEnded(View view, Incarnation incarnation) {
        return incarnation.offset() < view.next() && !view.isMember(incarnation);
    }
}
