package io.heddle.core.session.registrar.remote;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.EventLoop;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.session.registrar.ChangeOutcome;
import io.heddle.core.session.registrar.ConnectedClients;
import io.heddle.core.session.registrar.Departure;
import io.heddle.core.session.registrar.LeaveOutcome;
import io.heddle.core.session.registrar.OpenOutcome;
import io.heddle.core.session.registrar.OpenRequest;
import io.heddle.core.session.registrar.SubscriptionChange;
import io.heddle.core.session.registrar.TransientClient;
import io.heddle.core.session.registrar.remote.Grants.Grant;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * The registrar of one bucket as this node asks it, wherever it is. Confined to the event loop of the bucket.
 *
 * <p>Requests are sent to the holder in the order of the calls, and wait while there is none. When the holder changes, everything unanswered
 * is sent to the next one in the same order, with new numbers. The numbers before are void: a grant of an earlier holder is given back, never
 * used. This promise lets the next holder decide about a client although the earlier one may still believe that it decides. The next holder
 * first learns of the clients without persistent sessions.
 *
 * <p>An opening whose client is lost is not sent any more. One that is not answered within {@value #LIMIT_SECONDS} seconds is refused; a
 * session that is granted later is left at once. A change that is not answered within {@value #CHANGE_LIMIT_SECONDS} seconds has failed: the
 * client is disconnected, and a late change of its connection does no harm.
 * Bound: the requests of the connected clients.
 */
final class RegistrarOfBucket {
    private static final int LIMIT_SECONDS = 10;
    private static final Duration LIMIT = Duration.ofSeconds(LIMIT_SECONDS);
    private static final int CHANGE_LIMIT_SECONDS = 30;
    private static final Duration CHANGE_LIMIT = Duration.ofSeconds(CHANGE_LIMIT_SECONDS);
    private static final ChangeOutcome UNANSWERED_CHANGE =
            new ChangeOutcome.Failed("the node that decides about the client did not answer");
    private static final OpenOutcome UNANSWERED = new OpenOutcome.Unavailable(
            ReasonCode.SERVER_UNAVAILABLE, "the node that decides about the client did not answer");
    private static final OpenOutcome LOST =
            new OpenOutcome.Unavailable(ReasonCode.SERVER_UNAVAILABLE, "the client is lost");

    private final int bucket;
    private final int bucketCount;
    private final Incarnation self;
    private final EventLoop loop;
    private final RegistrarLanes lanes;
    private final HeldBucket held;
    private final ConnectedClients connections;
    private final FollowedClients followed;
    private final RegistrarMetrics metrics;

    private final ArrayDeque<Asked> unsent = new ArrayDeque<>();
    // By number, in the order of the requests.
    private final Map<Long, Asked> unanswered = new LinkedHashMap<>();
    // Openings that an earlier holder may have granted.
    private final Map<Long, Voided> voided = new HashMap<>();
    private final Grants grants = new Grants();
    private Holding holding = Holding.UNKNOWN;
    private long requests;
    private boolean sendsAgain;

    private record Voided(Incarnation holder, OpenRequest request) {}

    RegistrarOfBucket(
            int bucket,
            int bucketCount,
            Incarnation self,
            EventLoop loop,
            RegistrarLanes lanes,
            HeldBucket held,
            ConnectedClients connections,
            FollowedClients followed,
            RegistrarMetrics metrics) {
        this.bucket = bucket;
        this.bucketCount = bucketCount;
        this.self = self;
        this.loop = loop;
        this.lanes = lanes;
        this.held = held;
        this.connections = connections;
        this.followed = followed;
        this.metrics = metrics;
    }

    // Requests.

    void open(OpenRequest request, BooleanSupplier isLost, CompletableFuture<OpenOutcome> answer) {
        EventLoop.Timer limit = loop.schedule(LIMIT, () -> giveUp(answer));
        ask(new Asked.Opening(request, isLost, answer, limit));
    }

    private void giveUp(CompletableFuture<OpenOutcome> answer) {
        if (!answer.isDone()) {
            metrics.opened(UNANSWERED);
            answer.complete(UNANSWERED);
        }
    }

    void leave(Departure departure, CompletableFuture<LeaveOutcome> left) {
        ask(new Asked.Leaving(departure, left));
    }

    void change(SubscriptionChange change, CompletableFuture<ChangeOutcome> answer) {
        EventLoop.Timer limit = loop.schedule(CHANGE_LIMIT, () -> giveUpChange(answer));
        ask(new Asked.Changing(change, answer, limit));
    }

    private void giveUpChange(CompletableFuture<ChangeOutcome> answer) {
        if (!answer.isDone()) {
            metrics.changed(UNANSWERED_CHANGE);
            answer.complete(UNANSWERED_CHANGE);
        }
    }

    private void ask(Asked request) {
        if (!(request instanceof Asked.Missing)) {
            metrics.asked();
        }
        unsent.add(request);
        sendUnsent();
    }

    /** Sends what waits, in its order, until there is no holder or no room. */
    private void sendUnsent() {
        Incarnation to = holding.holder();
        while (to != null && !sendsAgain && !unsent.isEmpty()) {
            Asked next = unsent.getFirst();
            if (next instanceof Asked.Opening opening && opening.isLost()) {
                // Sent now, it could take over a later connection of the client.
                answer(opening, LOST);
            }
            if (next instanceof Asked.Opening opening && opening.isGivenUp()) {
                unsent.removeFirst();
                if (opening.wasSent()) {
                    unsent.addFirst(new Asked.Missing(opening.clientId()));
                }
            } else if ((next instanceof Asked.Changing changing && changing.isGivenUp()) || send(to, next)) {
                unsent.removeFirst();
            } else {
                sendsAgain = true;
                loop.schedule(OrderedLane.SEND_AGAIN, this::sendAgain);
            }
        }
    }

    private void sendAgain() {
        sendsAgain = false;
        sendUnsent();
    }

    /** Returns false if there is no room for the request now. */
    private boolean send(Incarnation to, Asked next) {
        long number = (requests + 1) * bucketCount + bucket;
        RegistrarFrame.Request frame = frame(next, number);
        if (to.equals(self)) {
            sent(number, next);
            held.receive(self, frame, answer -> loop.execute(() -> onAnswer(self, answer)));
            return true;
        }
        byte[] bytes = frame.encode();
        if (!lanes.isSendable(bytes)) {
            refuse(next);
            return true;
        }
        if (!lanes.trySend(to, bytes)) {
            return false;
        }
        sent(number, next);
        return true;
    }

    private void sent(long number, Asked request) {
        requests++;
        if (request instanceof Asked.Opening opening) {
            opening.sent();
        }
        if (!(request instanceof Asked.Announcing)) {
            unanswered.put(number, request);
        }
    }

    private RegistrarFrame.Request frame(Asked request, long number) {
        long asOf = holding.asOf();
        return switch (request) {
            case Asked.Opening opening -> new RegistrarFrame.Open(number, asOf, opening.request());
            case Asked.Leaving leaving -> new RegistrarFrame.Leave(number, asOf, leaving.departure());
            case Asked.Changing changing -> new RegistrarFrame.Change(number, asOf, changing.change());
            case Asked.Missing(ClientId clientId) ->
                new RegistrarFrame.Absent(number, asOf, clientId, grants.epochOf(clientId));
            case Asked.Announcing announcing -> new RegistrarFrame.Announce(asOf, bucket, announcing.clients());
        };
    }

    /** The request is larger than a frame between nodes can be. */
    private void refuse(Asked request) {
        String detail = "the request exceeds the largest frame between nodes";
        switch (request) {
            case Asked.Opening opening ->
                answer(opening, new OpenOutcome.Unavailable(ReasonCode.PACKET_TOO_LARGE, detail));
            case Asked.Changing changing -> answer(changing, new ChangeOutcome.Failed(detail));
            case Asked.Leaving leaving -> answer(leaving, false);
            case Asked.Missing _, Asked.Announcing _ -> {
                // Far smaller than any frame.
            }
        }
    }

    // Answers.

    /** Handles an answer of a holder, of this one or an earlier one. */
    void onAnswer(Incarnation from, RegistrarFrame.Answer answer) {
        Asked request = unanswered.get(answer.number());
        if (request == null) {
            onVoid(answer);
        } else if (from.equals(holding.holder()) && !(answer instanceof RegistrarFrame.Again)) {
            unanswered.remove(answer.number());
            onAnswer(request, answer);
        }
        // Otherwise the request is sent again when the view changes.
    }

    private void onAnswer(Asked request, RegistrarFrame.Answer answer) {
        if (request instanceof Asked.Opening opening && answer instanceof RegistrarFrame.Opened opened) {
            onOpened(opening, opened);
        } else if (request instanceof Asked.Leaving leaving && answer instanceof RegistrarFrame.Left left) {
            grants.remove(leaving.departure());
            answer(leaving, left.isDurable());
        } else if (request instanceof Asked.Changing changing && answer instanceof RegistrarFrame.Changed changed) {
            answer(changing, changed.outcome());
        }
    }

    private void onVoid(RegistrarFrame.Answer answer) {
        Voided opening = voided.remove(answer.number());
        if (opening != null && answer instanceof RegistrarFrame.Opened opened) {
            giveBack(opening.request(), opened.outcome());
        }
    }

    private void giveBack(OpenRequest request, OpenOutcome late) {
        Departure departure = HeldBucket.departure(request, late);
        if (departure != null) {
            metrics.late();
            leave(departure, new CompletableFuture<>());
        }
    }

    private void onOpened(Asked.Opening opening, RegistrarFrame.Opened answer) {
        OpenOutcome outcome = answer.outcome();
        if (opening.isGivenUp()) {
            giveBack(opening.request(), outcome);
            return;
        }
        switch (outcome) {
            case OpenOutcome.Opened opened -> passOn(opening, answer, opened);
            case OpenOutcome.Transient registered -> {
                grants.add(
                        opening.clientId(),
                        new Grant(
                                Departure.TRANSIENT,
                                registered.number(),
                                opening.request().identity().userName(),
                                CompletableFuture.completedStage(null)));
                answer(opening, outcome);
            }
            case OpenOutcome.Refused _, OpenOutcome.Unavailable _, OpenOutcome.Moved _ -> answer(opening, outcome);
        }
    }

    /** The connection takes the session from the memory of this node, which follows the holder. */
    private void passOn(Asked.Opening opening, RegistrarFrame.Opened answer, OpenOutcome.Opened opened) {
        CompletableFuture<Void> passedOn = new CompletableFuture<>();
        grants.add(opening.clientId(), new Grant(opened.generation(), opened.epoch(), null, passedOn));
        Runnable pass = () -> {
            if (opening.isGivenUp()) {
                giveBack(opening.request(), opened);
            } else {
                answer(opening, opened);
            }
            passedOn.complete(null);
        };
        if (self.equals(holding.holder())) {
            pass.run();
        } else {
            var _ = followed.whenApplied(bucket, answer.followed()).thenRun(() -> loop.execute(pass));
        }
    }

    private void answer(Asked.Opening opening, OpenOutcome outcome) {
        opening.limit().cancel();
        if (!opening.isGivenUp()) {
            metrics.opened(outcome);
            opening.answer().complete(outcome);
        }
    }

    private void answer(Asked.Changing changing, ChangeOutcome outcome) {
        changing.limit().cancel();
        if (!changing.isGivenUp()) {
            metrics.changed(outcome);
            changing.answer().complete(outcome);
        }
    }

    private void answer(Asked.Leaving leaving, boolean isDurable) {
        metrics.left(isDurable);
        if (isDurable) {
            leaving.left().complete(LeaveOutcome.LEFT);
        } else {
            leaving.left()
                    .completeExceptionally(new StoreUnavailableException(
                            "the departure of a client is not known to be durable", null));
        }
    }

    // The holder.

    /** The bucket has another holder, or none. */
    void onHolding(Holding next) {
        List<Asked> requested = new ArrayList<>(unanswered.values());
        unanswered.forEach(this::makeVoid);
        unanswered.clear();
        requested.addAll(unsent);
        unsent.clear();
        holding = next;
        for (List<TransientClient> each : grants.transients(RegistrarFrame.Announce.MAXIMUM_CLIENTS)) {
            unsent.add(new Asked.Announcing(each));
        }
        for (Asked each : requested) {
            // The next holder gets a new announcement.
            if (!(each instanceof Asked.Announcing)) {
                unsent.add(each);
            }
        }
        sendsAgain = false;
        sendUnsent();
    }

    private void makeVoid(long number, Asked request) {
        metrics.repeated();
        Incarnation earlier = holding.holder();
        if (earlier != null && request instanceof Asked.Opening opening) {
            voided.put(number, new Voided(earlier, opening.request()));
        }
    }

    /** A member has ended: its answers do not come any more. */
    void onEnded(Incarnation member) {
        voided.values().removeIf(each -> each.holder().equals(member));
    }

    /**
     * A holder asks for the end of a connection, because its client has connected again. A holder that this node does not know yet has taken the
     * bucket from the one that it knows: the answers of that one are void from now on.
     *
     * @param took the offset of the record with which the holder has taken the bucket
     */
    void onClose(Incarnation from, long took, ClientId clientId, long epoch) {
        if (took >= holding.asOf()) {
            onHolding(new Holding(null, took, took));
        } else if (!from.equals(holding.holder())) {
            return;
        }
        Grant grant = grants.find(clientId);
        if (grant == null || grant.epoch() != epoch) {
            ask(new Asked.Missing(clientId));
        } else {
            var _ = grant.passedOn().thenRun(() -> connections.close(self.toString(), clientId, epoch));
        }
    }
}
