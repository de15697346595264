package io.heddle.core.simulation.kafka;

import io.heddle.core.changelog.LogFollower;
import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.log.OrderFence;
import io.heddle.core.session.persistent.ClientChange;
import io.heddle.core.session.persistent.ClientChange.OfEpoch;
import io.heddle.core.session.persistent.ClientChange.OfRoute;
import io.heddle.core.session.persistent.ClientChange.OfSession;
import io.heddle.core.session.persistent.ClientLog;
import io.heddle.core.session.persistent.SessionRecord;
import io.heddle.core.simulation.Mistake;
import io.heddle.core.simulation.kafka.SimPartition.Entry;
import io.heddle.core.simulation.kafka.SimTransactions.Commit;
import io.heddle.core.simulation.kafka.SimTransactions.Write;
import io.heddle.core.subscription.Route;
import io.heddle.core.subscription.RouteKey;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The sessions and subscriptions in a compacted topic, whose partitions are the buckets. Commits are repeated until they are durable. */
final class SimClientLog implements ClientLog {
    private final SimKafkaClient client;

    SimClientLog(SimKafkaClient client) {
        this.client = client;
    }

    @Override
    public CompletionStage<Long> commit(int bucket, List<ClientChange> changes) {
        SimPartition partition = client.kafka().topic(SimKafka.CLIENTS).get(bucket);
        CompletableFuture<Long> answer = new CompletableFuture<>();
        long[] last = {0};
        if (client.has(Mistake.STATE_APPENDED)) {
            append(partition, changes, answer);
        } else {
            List<Write> writes = changes.stream()
                    .map(change -> new Write(partition, key(change), value(change), offset -> last[0] = offset))
                    .toList();
            client.state().commit(new Commit(writes, new OrderFence(), true, _ -> {
                client.world().trace(() -> client.process() + " has committed " + changes);
                answer.complete(last[0]);
            }));
        }
        return changes.stream().allMatch(this::isNotAwaited) ? CompletableFuture.completedStage(0L) : answer;
    }

    private void append(SimPartition partition, List<ClientChange> changes, CompletableFuture<Long> answer) {
        int[] left = {changes.size()};
        changes.forEach(change -> client.producer().send(partition, key(change), value(change), offset -> {
            left[0]--;
            if (left[0] == 0) {
                answer.complete(offset);
            }
        }));
    }

    private boolean isNotAwaited(ClientChange change) {
        return switch (change) {
            case OfSession session -> session.session() == null && client.has(Mistake.END_NOT_AWAITED);
            case OfRoute _ -> client.has(Mistake.ROUTE_NOT_AWAITED);
            case OfEpoch _ -> client.has(Mistake.END_NOT_AWAITED);
        };
    }

    static Object key(ClientChange change) {
        return switch (change) {
            case OfSession session -> session.clientId();
            case OfRoute route -> route.key();
            case OfEpoch _ -> OfEpoch.class;
        };
    }

    static @Nullable Object value(ClientChange change) {
        return switch (change) {
            case OfSession session -> session.session();
            case OfRoute route -> route.route();
            case OfEpoch epoch -> epoch.highest();
        };
    }

    @Override
    public void follow(LogFollower<ClientChange> follower) {
        LogFollower<ClientChange> following =
                client.has(Mistake.EARLY_ROUTE_DROPPED) ? new EarlyRoutesDropped(follower) : follower;
        new SimFollower<>(client, client.kafka().topic(SimKafka.CLIENTS), SimClientLog::change, following).start();
    }

    @Override
    public CompletionStage<List<Long>> ends() {
        return client.ends(SimKafka.CLIENTS);
    }

    private static ClientChange change(Entry entry) {
        return switch (Objects.requireNonNull(entry.key())) {
            case RouteKey key -> new OfRoute(key, (Route) entry.value());
            case ClientId key -> new OfSession(key, (SessionRecord) entry.value());
            default -> new OfEpoch((long) Objects.requireNonNull(entry.value()));
        };
    }

    /** A follower that misses the subscriptions that precede their sessions in the log. */
    private record EarlyRoutesDropped(LogFollower<ClientChange> follower, Set<ClientId> sessions)
            implements LogFollower<ClientChange> {
        EarlyRoutesDropped(LogFollower<ClientChange> follower) {
            this(follower, new HashSet<>());
        }

        @Override
        public void onStart(List<Long> ends) {
            follower.onStart(ends);
        }

        @Override
        public boolean hasRoom() {
            return follower.hasRoom();
        }

        @Override
        public void onRecord(int partition, long offset, ClientChange record) {
            if (record instanceof OfSession session) {
                sessions.add(session.clientId());
            }
            if (!(record instanceof OfRoute route)
                    || sessions.contains(route.key().clientId())) {
                follower.onRecord(partition, offset, record);
            }
        }

        @Override
        public void onReached(int partition, long next) {
            follower.onReached(partition, next);
        }

        @Override
        public void onLost(String reason) {
            follower.onLost(reason);
        }
    }
}
