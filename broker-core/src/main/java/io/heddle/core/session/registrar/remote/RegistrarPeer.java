package io.heddle.core.session.registrar.remote;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.EventLoop;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.session.registrar.ChangeOutcome;
import io.heddle.core.session.registrar.Departure;
import io.heddle.core.session.registrar.OpenOutcome;
import io.heddle.core.session.registrar.OpenRequest;
import io.heddle.core.session.registrar.Registrar;
import io.heddle.core.session.registrar.SubscriptionChange;
import io.heddle.core.session.registrar.TransientClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One other node, as the registrar of its buckets and as the node with connections of clients of this node's buckets. Thread-safe. The
 * frames of the other node come one after another.
 *
 * <p>An opening that the other node does not answer within {@value #LIMIT_SECONDS} seconds is refused; a session that it grants later is
 * left at once. Openings and changes for which the lane has no room are refused; departures and answers wait for room. Bound: the requests
 * of the connected clients.
 */
public final class RegistrarPeer implements Registrar {
    private static final int LIMIT_SECONDS = 10;
    private static final Duration LIMIT = Duration.ofSeconds(LIMIT_SECONDS);

    private final OrderedLane lane;
    private final Registrar own;
    private final Connections connections;
    private final EventLoop timers;
    private final AtomicLong numbers = new AtomicLong();
    private final ConcurrentHashMap<Long, Opening> openings = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Long, CompletableFuture<Void>> departures = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Long, CompletableFuture<ChangeOutcome>> changes = new ConcurrentHashMap<>();

    /** The connections of this node. */
    @FunctionalInterface
    public interface Connections {
        /** Ends the connection that has this epoch, because its client has connected again. Any thread. */
        void close(ClientId clientId, long epoch);
    }

    /** @param answer already complete if the other node answers after the limit */
    private record Opening(OpenRequest request, CompletableFuture<OpenOutcome> answer, EventLoop.Timer limit) {}

    /**
     * A node without requests.
     *
     * @param lane to the other node
     * @param own the registrar of this node's buckets
     * @param timers runs the limits
     */
    public RegistrarPeer(RegistrarLane lane, Registrar own, Connections connections, EventLoop timers) {
        this.lane = new OrderedLane(lane, timers);
        this.own = own;
        this.connections = connections;
        this.timers = timers;
    }

    // Requests of this node.

    @Override
    public CompletionStage<OpenOutcome> open(OpenRequest request) {
        long number = numbers.incrementAndGet();
        CompletableFuture<OpenOutcome> answer = new CompletableFuture<>();
        EventLoop.Timer limit = timers.schedule(
                LIMIT,
                () -> answer.complete(new OpenOutcome.Unavailable(
                        ReasonCode.SERVER_UNAVAILABLE, "the node that decides about the client did not answer")));
        openings.put(number, new Opening(request, answer, limit));
        if (!lane.trySend(new RegistrarFrame.Open(number, request))) {
            refuse(number, ReasonCode.SERVER_BUSY, "the link to the node that decides about the client is full");
        }
        return answer;
    }

    private void refuse(long number, ReasonCode reason, String detail) {
        onOpened(number, new OpenOutcome.Unavailable(reason, detail));
    }

    private void onOpened(long number, OpenOutcome outcome) {
        Opening opening = openings.remove(number);
        if (opening == null) {
            return;
        }
        opening.limit().cancel();
        if (!opening.answer().complete(outcome)) {
            giveBack(opening.request(), outcome);
        }
    }

    private void giveBack(OpenRequest request, OpenOutcome late) {
        ClientId clientId = request.identity().clientId();
        if (late instanceof OpenOutcome.Opened opened) {
            var _ = leave(Departure.unanswered(clientId, opened, request.expirySeconds()));
        } else if (late instanceof OpenOutcome.Transient registered && registered.isRegistered()) {
            var _ = leave(Departure.ofTransient(clientId, registered.number()));
        }
    }

    @Override
    public CompletionStage<Void> leave(Departure departure) {
        long number = numbers.incrementAndGet();
        CompletableFuture<Void> left = new CompletableFuture<>();
        departures.put(number, left);
        if (!lane.send(new RegistrarFrame.Leave(number, departure))) {
            onLeft(number, false);
        }
        return left;
    }

    private void onLeft(long number, boolean isDurable) {
        CompletableFuture<Void> left = departures.remove(number);
        if (left == null) {
            return;
        }
        if (isDurable) {
            left.complete(null);
        } else {
            left.completeExceptionally(
                    new StoreUnavailableException("the departure of a client is not known to be durable", null));
        }
    }

    @Override
    public CompletionStage<ChangeOutcome> change(SubscriptionChange change) {
        long number = numbers.incrementAndGet();
        CompletableFuture<ChangeOutcome> answer = new CompletableFuture<>();
        changes.put(number, answer);
        if (!lane.trySend(new RegistrarFrame.Change(number, change))) {
            onChanged(number, new ChangeOutcome.Failed("the link to the node that decides about the client is full"));
        }
        return answer;
    }

    private void onChanged(long number, ChangeOutcome outcome) {
        CompletableFuture<ChangeOutcome> answer = changes.remove(number);
        if (answer != null) {
            answer.complete(outcome);
        }
    }

    @Override
    public void announce(String node, List<TransientClient> clients) {
        var _ = lane.send(new RegistrarFrame.Announce(node, clients));
    }

    /** Asks the other node to close a connection, whose client has connected again. Its departure follows. */
    public void close(ClientId clientId, long epoch) {
        var _ = lane.send(new RegistrarFrame.Close(clientId, epoch));
    }

    // Frames of the other node.

    /**
     * Handles a frame of the other node.
     *
     * @throws io.heddle.core.message.frame.MalformedFrameException if it cannot be read
     */
    public void onFrame(byte[] bytes) {
        switch (RegistrarFrame.decode(bytes)) {
            case RegistrarFrame.Open(long number, OpenRequest request) ->
                own.open(request).thenAccept(outcome -> answer(new RegistrarFrame.Opened(number, outcome)));
            case RegistrarFrame.Leave(long number, Departure departure) ->
                own.leave(departure)
                        .whenComplete((_, failure) -> answer(new RegistrarFrame.Left(number, failure == null)));
            case RegistrarFrame.Change(long number, SubscriptionChange change) ->
                own.change(change)
                        .whenComplete((outcome, fault) ->
                                answer(new RegistrarFrame.Changed(number, outcomeOf(outcome, fault))));
            case RegistrarFrame.Opened(long number, OpenOutcome outcome) -> onOpened(number, outcome);
            case RegistrarFrame.Left(long number, boolean isDurable) -> onLeft(number, isDurable);
            case RegistrarFrame.Changed(long number, ChangeOutcome outcome) -> onChanged(number, outcome);
            case RegistrarFrame.Close(ClientId clientId, long epoch) -> connections.close(clientId, epoch);
            case RegistrarFrame.Announce(String node, List<TransientClient> clients) -> own.announce(node, clients);
        }
    }

    private static ChangeOutcome outcomeOf(@Nullable ChangeOutcome outcome, @Nullable Throwable fault) {
        return outcome == null || fault != null
                ? new ChangeOutcome.Failed("a bug in the node that decides about the client")
                : outcome;
    }

    private void answer(RegistrarFrame frame) {
        var _ = lane.send(frame);
    }

    /** The other node has ended, for ever: it sends no further answers. */
    public void onEnded() {
        lane.end();
        for (long number : List.copyOf(openings.keySet())) {
            refuse(number, ReasonCode.SERVER_UNAVAILABLE, "the node that decides about the client has ended");
        }
        for (long number : new ArrayList<>(departures.keySet())) {
            onLeft(number, false);
        }
        for (long number : new ArrayList<>(changes.keySet())) {
            onChanged(number, new ChangeOutcome.Failed("the node that decides about the client has ended"));
        }
    }
}
