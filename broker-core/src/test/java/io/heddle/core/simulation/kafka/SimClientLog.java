package io.heddle.core.simulation.kafka;

import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.ChangeLog;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The sessions and subscriptions in a compacted topic, whose partitions are the buckets. Commits are repeated until they are durable. */
final class SimClientLog implements ClientLog {
    private final SimKafkaClient client;

    SimClientLog(SimKafkaClient client) {
        this.client = client;
    }

    @Override
    public CompletionStage<Void> commit(int bucket, List<ClientChange> changes) {
        SimPartition partition = client.kafka().topic(SimKafka.CLIENTS).get(bucket);
        CompletableFuture<Void> answer = new CompletableFuture<>();
        if (client.has(Mistake.STATE_APPENDED)) {
            append(partition, changes, answer);
        } else {
            List<Write> writes = changes.stream()
                    .map(change -> new Write(partition, key(change), value(change), _ -> {}))
                    .toList();
            client.state().commit(new Commit(writes, new OrderFence(), true, _ -> {
                client.world().trace(() -> client.process() + " has committed " + changes);
                answer.complete(null);
            }));
        }
        return changes.stream().allMatch(this::isNotAwaited) ? CompletableFuture.completedStage(null) : answer;
    }

    private void append(SimPartition partition, List<ClientChange> changes, CompletableFuture<Void> answer) {
        int[] left = {changes.size()};
        changes.forEach(change -> client.producer().send(partition, key(change), value(change), _ -> {
            left[0]--;
            if (left[0] == 0) {
                answer.complete(null);
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
    public void replay(Consumer<ClientChange> changes, ChangeLog.Progress progress) {
        List<Entry> found = new ArrayList<>(client.readAll(SimKafka.CLIENTS));
        if (client.has(Mistake.REPLAY_STOPS_EARLY)) {
            // The last session of each bucket is missing.
            for (int i = found.size() - 1; i >= 0; i--) {
                if (found.get(i).key() instanceof ClientId) {
                    found.remove(i);
                    break;
                }
            }
        }
        found.forEach(entry -> changes.accept(change(entry)));
        progress.read(found.size(), found.size());
    }

    private static ClientChange change(Entry entry) {
        return switch (Objects.requireNonNull(entry.key())) {
            case RouteKey key -> new OfRoute(key, (Route) entry.value());
            case ClientId key -> new OfSession(key, (SessionRecord) entry.value());
            default -> new OfEpoch((long) Objects.requireNonNull(entry.value()));
        };
    }
}
