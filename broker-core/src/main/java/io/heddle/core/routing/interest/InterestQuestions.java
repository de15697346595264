package io.heddle.core.routing.interest;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.link.NodeLinks;
import io.heddle.core.subscription.RemoteNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The questions of this node whether it knows all interest of the other members. A member that has not answered within the patience, or that
 * is suspected after the question, is cut off until it answers. Owned by the event loop of the exchange. Bounds: one open question for each
 * member, and one catch-up for each term of the routing lease that it has outlasted.
 */
final class InterestQuestions {
    private final ClusterPeers peers;
    private final NodeLinks links;
    private final Map<Incarnation, Asked> asked = new HashMap<>();
    private final List<CatchUp> catchUps = new ArrayList<>();
    private long number;

    private static final class Asked {
        private final RemoteNode node;
        private long question;
        private long sinceNanos;
        private boolean isUnsent;
        private long answered;

        Asked(RemoteNode node) {
            this.node = node;
        }

        boolean isOpen() {
            return answered < question;
        }
    }

    private record CatchUp(long question, List<Asked> of, CompletableFuture<Void> done) {
        boolean isDone() {
            for (Asked each : of) {
                if (each.answered < question && !each.node.isGone() && !each.node.isCutOff()) {
                    return false;
                }
            }
            return true;
        }
    }

    InterestQuestions(ClusterPeers peers, NodeLinks links) {
        this.peers = peers;
        this.links = links;
    }

    /**
     * Asks all members.
     *
     * @return completes when this node knows the interest that each of them had before it got the question; members that end or are cut off are
     *     not waited for
     */
    CompletionStage<Void> askAll() {
        number++;
        List<Asked> all = new ArrayList<>();
        for (RemoteNode node : peers.all()) {
            all.add(ask(node));
        }
        CatchUp catchUp = new CatchUp(number, all, new CompletableFuture<>());
        catchUps.add(catchUp);
        complete();
        return catchUp.done;
    }

    private Asked ask(RemoteNode node) {
        Asked of = asked.computeIfAbsent(node.incarnation(), _ -> new Asked(node));
        of.question = number;
        of.sinceNanos = peers.suspicion().nanoTime();
        send(of);
        return of;
    }

    private void send(Asked to) {
        to.isUnsent = !links.send(
                to.node.incarnation(),
                NodeLinks.CONTROL,
                InterestFrame.QUESTION,
                InterestFrame.encodeQuestion(to.question));
    }

    /** This node knows all that a member had announced before it got a question. */
    void onAnswered(RemoteNode node, long question) {
        Asked of = asked.get(node.incarnation());
        if (of == null) {
            return;
        }
        of.answered = Math.max(of.answered, question);
        if (!of.isOpen()) {
            peers.answered(node);
        }
        complete();
    }

    /** The states of the members are up to date. */
    void onChecked() {
        Suspicion suspicion = peers.suspicion();
        long now = suspicion.nanoTime();
        for (Asked each : asked.values()) {
            if (each.isOpen()) {
                if (each.isUnsent) {
                    send(each);
                }
                if (now - each.sinceNanos >= suspicion.patience().toNanos()
                        || suspicion.isSuspected(each.node.incarnation(), each.sinceNanos)) {
                    peers.cutOff(each.node);
                }
            }
        }
        for (RemoteNode node : peers.all()) {
            if (node.isCutOff() && !isAsked(asked.get(node.incarnation()))) {
                number++;
                ask(node);
            }
        }
        complete();
    }

    private static boolean isAsked(@Nullable Asked of) {
        return of != null && of.isOpen();
    }

    void onEnded(RemoteNode node) {
        asked.remove(node.incarnation());
        complete();
    }

    private void complete() {
        for (Iterator<CatchUp> all = catchUps.iterator(); all.hasNext(); ) {
            CatchUp next = all.next();
            if (next.isDone()) {
                all.remove();
                next.done.complete(null);
            }
        }
    }
}
