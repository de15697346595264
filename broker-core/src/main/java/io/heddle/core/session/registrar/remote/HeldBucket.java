package io.heddle.core.session.registrar.remote;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.View;
import io.heddle.core.session.registrar.ChangeOutcome;
import io.heddle.core.session.registrar.Departure;
import io.heddle.core.session.registrar.LeaveOutcome;
import io.heddle.core.session.registrar.OpenOutcome;
import io.heddle.core.session.registrar.OpenRequest;
import io.heddle.core.session.registrar.Registrar;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A bucket that this node may hold, as the nodes with the connections see it: handles their requests with the registrar of this node.
 * Confined to the event loop of the bucket.
 *
 * <p>States: not held → held → released → held …. A request that is meant for an earlier holding is answered with {@link
 * RegistrarFrame.Again}. A request for a holding that has not begun here waits: its sender has read further than this node. Bound: the
 * requests of the connected clients.
 */
final class HeldBucket {
    private final int bucket;
    private final Incarnation self;
    private final Registrar own;
    private final FollowedClients followed;
    private final Supplier<@Nullable View> view;
    private final List<Waiting> waiting = new ArrayList<>();
    private volatile boolean hasWaiting;
    private boolean isHeld;
    private long took;
    private long firstEpoch;

    private record Waiting(Incarnation from, RegistrarFrame.Request request, Consumer<RegistrarFrame.Answer> answer) {}

    HeldBucket(int bucket, Incarnation self, Registrar own, FollowedClients followed, Supplier<@Nullable View> view) {
        this.bucket = bucket;
        this.self = self;
        this.own = own;
        this.followed = followed;
        this.view = view;
    }

    /** The registrar of this node decides about the bucket from now on. */
    void hold(long offset, long lowestEpoch) {
        isHeld = true;
        took = offset;
        firstEpoch = lowestEpoch;
        review();
    }

    /** The registrar of this node decides no longer. */
    void release() {
        isHeld = false;
    }

    /** Returns the offset of the record with which this node has taken the bucket. */
    long took() {
        return took;
    }

    /** Returns whether requests wait for a later view or holding. Any thread. */
    boolean hasWaiting() {
        return hasWaiting;
    }

    /**
     * Handles a request.
     *
     * @param answer receives the answer, on any thread; an announcement that is meant for another holding is answered, too
     */
    void receive(Incarnation from, RegistrarFrame.Request request, Consumer<RegistrarFrame.Answer> answer) {
        waiting.add(new Waiting(from, request, answer));
        review();
    }

    /** This node holds the bucket since now, or its view has advanced. */
    void review() {
        List<Waiting> requests = List.copyOf(waiting);
        waiting.clear();
        for (Waiting each : requests) {
            if (hasEnded(each)) {
                continue;
            }
            if (isHeld && each.request().asOf() > took) {
                handle(each);
            } else if (isHeld || !mayBeHeldAt(each.request().asOf())) {
                each.answer().accept(new RegistrarFrame.Again(each.request().number()));
            } else {
                waiting.add(each);
            }
        }
        hasWaiting = !waiting.isEmpty();
    }

    /** Returns whether a node that has read the log of nodes up to there may be right that this node holds the bucket. */
    private boolean mayBeHeldAt(long asOf) {
        View known = view.get();
        return known == null || known.next() < asOf || self.equals(known.holder(bucket));
    }

    private boolean hasEnded(Waiting request) {
        View known = view.get();
        return known != null && known.next() >= request.request().asOf() && !known.isMember(request.from());
    }

    private void handle(Waiting waiting) {
        switch (waiting.request()) {
            case RegistrarFrame.Open open ->
                own.open(open.request()).thenAccept(outcome -> answer(waiting, open.request(), outcome));
            case RegistrarFrame.Leave leave ->
                own.leave(leave.departure())
                        .whenComplete((outcome, failure) -> waiting.answer()
                                .accept(
                                        outcome == LeaveOutcome.MOVED
                                                ? new RegistrarFrame.Again(leave.number())
                                                : new RegistrarFrame.Left(leave.number(), failure == null)));
            case RegistrarFrame.Change change ->
                own.change(change.change())
                        .whenComplete(
                                (outcome, fault) -> waiting.answer().accept(answer(change.number(), outcome, fault)));
            case RegistrarFrame.Absent absent -> {
                own.absent(waiting.from().toString(), absent.clientId(), absent.heldEpoch(), firstEpoch);
                waiting.answer().accept(new RegistrarFrame.Left(absent.number(), true));
            }
            case RegistrarFrame.Announce announce ->
                own.announce(waiting.from().toString(), bucket, announce.clients(), announce.isLast());
        }
    }

    private void answer(Waiting waiting, OpenRequest request, OpenOutcome outcome) {
        long number = waiting.request().number();
        if (outcome instanceof OpenOutcome.Moved) {
            waiting.answer().accept(new RegistrarFrame.Again(number));
        } else if (hasEnded(waiting)) {
            // Nobody else knows that the client has lost its connection.
            Departure departure = departure(request, outcome);
            if (departure != null) {
                var _ = own.leave(departure);
            }
        } else {
            waiting.answer().accept(new RegistrarFrame.Opened(number, followed.committed(bucket), outcome));
        }
    }

    /** Returns the departure of a client that gets no CONNACK, or null if it was granted nothing. */
    static @Nullable Departure departure(OpenRequest request, OpenOutcome outcome) {
        return switch (outcome) {
            case OpenOutcome.Opened opened ->
                Departure.unanswered(request.identity().clientId(), opened, request.expirySeconds());
            case OpenOutcome.Transient registered ->
                Departure.ofTransient(request.identity().clientId(), registered.number());
            case OpenOutcome.Refused _, OpenOutcome.Unavailable _, OpenOutcome.Moved _ -> null;
        };
    }

    private RegistrarFrame.Answer answer(long number, @Nullable ChangeOutcome outcome, @Nullable Throwable fault) {
        if (outcome == null || fault != null) {
            return new RegistrarFrame.Changed(
                    number, new ChangeOutcome.Failed("a bug in the node that decides about the client"));
        }
        return outcome instanceof ChangeOutcome.Moved
                ? new RegistrarFrame.Again(number)
                : new RegistrarFrame.Changed(number, outcome);
    }
}
