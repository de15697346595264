package io.heddle.core.simulation.kafka;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.application.ApplicationLogs;
import io.heddle.core.delivery.application.ApplicationMessage;
import io.heddle.core.delivery.application.LogExtent;
import io.heddle.core.delivery.application.LogPosition;
import io.heddle.core.delivery.log.LogAppend.ToApplication;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.simulation.World;
import io.heddle.core.simulation.kafka.SimPartition.Entry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The topics of APPLICATION clients as one process uses them. Topics are not deleted: the product does that hours later. */
final class SimApplicationLogs implements ApplicationLogs {
    private static final long MAXIMUM_UNTAKEN_BYTES = 20_000;

    private final SimKafkaClient client;
    private final World world;
    private final Map<ClientId, Long> generations = new HashMap<>();
    private final Map<ClientId, Open> open = new HashMap<>();

    SimApplicationLogs(SimKafkaClient client) {
        this.client = client;
        this.world = client.world();
    }

    private SimPartition log(ClientId clientId) {
        return client.kafka().application(clientId.value());
    }

    @Override
    public CompletionStage<Long> create(ClientId clientId, long generation) {
        generations.merge(clientId, generation, Math::max);
        SimPartition log = log(clientId);
        return client.ask(List.of(log), log::end);
    }

    @Override
    public CompletionStage<Long> end(ClientId clientId, long generation, long lowest) {
        if (!client.kafka().exists(SimKafka.applicationTopic(clientId.value()))
                || generations.getOrDefault(clientId, 0L) > generation) {
            return client.ask(List.of(), () -> 0L);
        }
        SimPartition log = log(clientId);
        return client.ask(List.of(log), () -> Math.max(0, log.end() - lowest));
    }

    @Override
    public CompletionStage<Map<ClientId, Long>> take(int bucket, Map<ClientId, Long> ofSessions) {
        List<SimPartition> logs = ofSessions.keySet().stream().map(this::log).toList();
        return client.ask(logs, () -> {
            Map<ClientId, Long> ends = new HashMap<>();
            ofSessions.forEach((clientId, generation) -> {
                generations.put(clientId, generation);
                ends.put(clientId, log(clientId).end());
            });
            return ends;
        });
    }

    @Override
    public CompletionStage<Void> release(int bucket) {
        return CompletableFuture.completedStage(null);
    }

    @Override
    public int forget(ClientId clientId, long generation) {
        return 0;
    }

    @Override
    public void acknowledged(ClientId clientId, long generation, long lowest) {
        if (generations.getOrDefault(clientId, 0L) == generation && world.oneIn(10)) {
            SimPartition log = log(clientId);
            client.life().confirm(() -> {
                var _ = client.ask(List.of(log), () -> {
                    log.deleteBelow(lowest);
                    return true;
                });
            });
        }
    }

    @Override
    public CompletionStage<Void> keep(ClientId clientId, long generation) {
        return CompletableFuture.completedStage(null);
    }

    @Override
    public CompletionStage<Map<ClientId, LogExtent>> extents(Collection<ClientId> clientIds) {
        return client.ask(clientIds.stream().map(this::log).toList(), () -> {
            Map<ClientId, LogExtent> extents = new HashMap<>();
            clientIds.forEach(each ->
                    extents.put(each, new LogExtent(log(each).begin(), log(each).end(), LogExtent.UNKNOWN)));
            return extents;
        });
    }

    @Override
    public CompletionStage<Long> find(ClientId clientId, LogPosition position) {
        SimPartition log = log(clientId);
        return client.ask(List.of(log), () -> switch (position) {
            case LogPosition.Beginning _ -> log.begin();
            case LogPosition.End _ -> log.end();
            case LogPosition.Sequence(long sequence) -> Math.clamp(sequence, log.begin(), log.end());
            case LogPosition.Since(long millis) ->
                log.read(log.begin(), Integer.MAX_VALUE).stream()
                        .filter(each -> each.millis() >= millis)
                        .findFirst()
                        .map(SimPartition.Entry::offset)
                        .orElseGet(log::end);
        });
    }

    @Override
    public Reading read(ClientId clientId, long generation, long from, Sink sink) {
        Open reading = new Open(log(clientId), generation, from, sink);
        Open before = open.put(clientId, reading);
        if (before != null) {
            before.close();
        }
        reading.start();
        return reading;
    }

    private final class Open implements Reading {
        private final SimPartition log;
        private final long generation;
        private final Sink sink;
        private final Runnable onChange = this::wake;
        private long next;
        private long untakenBytes;
        private boolean closed;
        private boolean scheduled;

        Open(SimPartition log, long generation, long from, Sink sink) {
            this.log = log;
            this.generation = generation;
            this.next = from;
            this.sink = sink;
        }

        void start() {
            log.whenChanged(onChange);
            wake();
        }

        private void wake() {
            if (!scheduled && !closed) {
                scheduled = true;
                world.after(client.process(), world.random().nextInt(10, 3_000), this::poll);
            }
        }

        private void poll() {
            scheduled = false;
            if (closed || log.isAway() || untakenBytes >= MAXIMUM_UNTAKEN_BYTES) {
                return;
            }
            List<Entry> entries = log.read(next, world.random().nextInt(1, 20));
            List<ApplicationMessage> messages = new ArrayList<>();
            for (Entry entry : entries) {
                next = entry.offset() + 1;
                ApplicationMessage message = message(entry);
                if (message != null) {
                    messages.add(message);
                    untakenBytes += message.message().heldBytes();
                }
            }
            if (!messages.isEmpty()) {
                sink.read(messages);
            }
            if (!entries.isEmpty()) {
                wake();
            }
        }

        private @Nullable ApplicationMessage message(Entry entry) {
            if (!(entry.value() instanceof ToApplication append)) {
                throw new IllegalStateException("no message: " + entry);
            }
            if (append.generation() != generation) {
                return null;
            }
            PublishMessage message = append.message();
            return new ApplicationMessage(
                    entry.offset(),
                    new PublishMessage(
                                    message.publisher(),
                                    message.topic(),
                                    append.qos(),
                                    append.retain(),
                                    message.properties(),
                                    message.payload(),
                                    message.expiresAtMillis())
                            .arrivedAt(message.arrivedMicros()),
                    append.qos(),
                    append.retain(),
                    append.subscriptionIdentifiers());
        }

        @Override
        public void taken(long bytes) {
            untakenBytes -= bytes;
            wake();
        }

        @Override
        public void close() {
            closed = true;
            log.forget(onChange);
        }
    }
}
