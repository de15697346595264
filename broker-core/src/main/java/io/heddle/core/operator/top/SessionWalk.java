package io.heddle.core.operator.top;

import io.heddle.core.client.BackgroundWork;
import io.heddle.core.client.ClientType;
import io.heddle.core.client.EventLoop;
import io.heddle.core.client.Rates;
import io.heddle.core.session.ClientSession;
import io.heddle.core.session.LocalSessions;
import io.heddle.core.session.SessionAdministration;
import io.heddle.core.session.outbound.Outbox;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.ToLongFunction;

/**
 * Finds the connected clients of an event loop with the most subscriptions and waiting messages, in steps between the turns of the loop. Owned
 * by the event loop.
 */
final class SessionWalk implements BackgroundWork {
    private static final int SESSIONS_PER_STEP = 500;

    private final Iterator<ClientSession> sessions;
    private final Highest<Size> subscriptions;
    private final Highest<Size> waiting;
    private final Highest<SlowClient> slow;
    private final CompletableFuture<SessionSizes> done = new CompletableFuture<>();

    private record Size(String clientId, long value) {}

    private SessionWalk(List<ClientSession> sessions, int limit) {
        this.sessions = sessions.iterator();
        this.subscriptions = new Highest<>(limit, Size::value);
        this.waiting = new Highest<>(limit, Size::value);
        this.slow = new Highest<>(limit, SlowClient::waiting);
    }

    /** Looks at all sessions. Any thread. */
    static CompletionStage<SessionSizes> of(LocalSessions sessions, int limit) {
        Map<EventLoop, List<ClientSession>> byLoop = new HashMap<>();
        for (ClientSession each : sessions.all()) {
            byLoop.computeIfAbsent(each.eventLoop(), _ -> new ArrayList<>()).add(each);
        }
        CompletionStage<SessionSizes> all = CompletableFuture.completedStage(SessionSizes.NONE);
        for (Map.Entry<EventLoop, List<ClientSession>> each : byLoop.entrySet()) {
            SessionWalk ofLoop = new SessionWalk(each.getValue(), limit);
            each.getKey().execute(() -> each.getKey().inBackground(ofLoop));
            all = all.thenCombine(ofLoop.done, (left, right) -> left.and(right, limit));
        }
        return all;
    }

    @Override
    public boolean step() {
        for (int i = 0; i < SESSIONS_PER_STEP && sessions.hasNext(); i++) {
            ClientSession next = sessions.next();
            if (next.isConnected()) {
                add(next);
            }
        }
        if (sessions.hasNext()) {
            return true;
        }
        done.complete(new SessionSizes(rates(subscriptions), rates(waiting), slow.descending()));
        return false;
    }

    private void add(ClientSession session) {
        String clientId = session.clientId().value();
        Outbox outbox = session.outbox();
        long unacknowledged = outbox.unacknowledged();
        subscriptions.add(new Size(clientId, SessionAdministration.subscriptions(session)));
        waiting.add(new Size(clientId, unacknowledged));
        if (outbox.behindSinceMillis() != 0) {
            ClientType type = session.identity().type();
            slow.add(new SlowClient(
                    clientId,
                    type,
                    session.identity().userName(),
                    outbox.behindSinceMillis(),
                    unacknowledged,
                    Double.NaN,
                    outbox.inFlight(),
                    outbox.maximumInFlight(),
                    // A limit of the rules delays messages to a client that reads.
                    outbox.isWritable() || outbox.isPaused(),
                    outbox.isPaused(),
                    session.persistent() != null && type == ClientType.APPLICATION ? 0 : outbox.maximumWaiting()));
        }
    }

    private static Rates rates(Highest<Size> sizes) {
        Map<String, Double> values = new HashMap<>();
        sizes.lowestFirst.forEach(each -> values.put(each.clientId, (double) each.value));
        return new Rates(sizes.total, values);
    }

    /** The clients with the highest values. */
    private static final class Highest<T> {
        private final int limit;
        private final ToLongFunction<T> value;
        private final PriorityQueue<T> lowestFirst;
        private long total;

        Highest(int limit, ToLongFunction<T> value) {
            this.limit = limit;
            this.value = value;
            this.lowestFirst = new PriorityQueue<>(Comparator.comparingLong(value));
        }

        void add(T client) {
            long added = value.applyAsLong(client);
            total += added;
            T lowest = lowestFirst.size() < limit ? null : lowestFirst.peek();
            if (added == 0 || (lowest != null && value.applyAsLong(lowest) >= added)) {
                return;
            }
            if (lowest != null) {
                lowestFirst.remove();
            }
            lowestFirst.add(client);
        }

        List<T> descending() {
            return lowestFirst.stream()
                    .sorted(Comparator.comparingLong(value).reversed())
                    .toList();
        }
    }
}
