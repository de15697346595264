package io.heddle.core.session.registrar.settlement;

import io.heddle.core.cluster.Member;
import io.heddle.core.cluster.View;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Lets a node that has joined begin to route messages. Until then the others do not wait for it. The node tells them that it is about to
 * route; each answers when its own view contains the node, and settles no change without it from then on. When all have answered, the node
 * reads the logs to the ends that they have then: it knows every change that was settled without it. Confined to the event loop of {@link
 * FollowedReports}.
 */
public final class JoinBarrier {
    private final FollowedReports reports;
    private final CompletableFuture<Void> passed = new CompletableFuture<>();
    private boolean isEntered;

    /** A barrier that the node has not reached. */
    public JoinBarrier(FollowedReports reports) {
        this.reports = reports;
        reports.onMembers(this::review);
    }

    /**
     * Tells the others that this node is about to route. Any thread, once, after the node has joined.
     *
     * @return completes when all members have answered or ended; never fails. A member that joins meanwhile waits for this node from the
     *     beginning, because it does not know that this node only follows
     */
    public CompletionStage<Void> enter() {
        reports.loop().execute(() -> {
            isEntered = true;
            reports.beginToRoute();
            review();
        });
        return passed;
    }

    private void review() {
        View view = reports.view();
        if (isEntered && !passed.isDone() && view != null && hasPassed(view)) {
            passed.complete(null);
        }
    }

    private boolean hasPassed(View view) {
        for (Member member : view.members()) {
            if (!reports.isSelf(member.incarnation()) && !reports.hasCounted(member.incarnation())) {
                return false;
            }
        }
        return true;
    }
}
