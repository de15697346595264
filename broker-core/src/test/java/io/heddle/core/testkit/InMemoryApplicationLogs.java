package io.heddle.core.testkit;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.Buckets;
import io.heddle.core.delivery.application.ApplicationLogs;
import io.heddle.core.delivery.application.ApplicationMessage;
import io.heddle.core.delivery.application.LogExtent;
import io.heddle.core.delivery.application.LogPosition;
import io.heddle.core.delivery.log.LogAppend.ToApplication;
import io.heddle.core.message.PublishMessage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Logs in memory, which several nodes may share. Calls its sinks on the thread that appends, takes or starts reading. */
public final class InMemoryApplicationLogs implements ApplicationLogs {
    private static final long MAXIMUM_UNTAKEN_BYTES = 20_000;

    // Guarded by this.
    private final Map<ClientId, Log> logs = new HashMap<>();
    private final List<Integer> released = new ArrayList<>();
    private final List<ClientId> forgotten = new ArrayList<>();
    private final Buckets buckets;
    private @Nullable CompletableFuture<Void> creating;
    private boolean unavailable;

    private static final class Log {
        private final List<Entry> entries = new ArrayList<>();
        private long generation;
        private boolean ended;
        private long removedBelow;
        private @Nullable Open reading;
    }

    /** @param message null for a sequence number without message */
    private record Entry(long generation, @Nullable ApplicationMessage message, long millis) {}

    /** Logs of clients in one bucket. */
    public InMemoryApplicationLogs() {
        this(1);
    }

    /** @param bucketCount the number of buckets of the clients */
    public InMemoryApplicationLogs(int bucketCount) {
        this.buckets = new Buckets(bucketCount);
    }

    /** Makes the creation of logs fail, or succeed again. */
    public synchronized void unavailable(boolean isUnavailable) {
        unavailable = isUnavailable;
    }

    /** Delays the creation of logs until the test completes the returned future. */
    public synchronized CompletableFuture<Void> holdCreations() {
        CompletableFuture<Void> held = new CompletableFuture<>();
        creating = held;
        return held;
    }

    /** Returns whether there is a log that has not ended. */
    public synchronized boolean has(ClientId clientId) {
        Log log = logs.get(clientId);
        return log != null && !log.ended;
    }

    /** Removes a log, as a careless operator does. */
    public synchronized void lose(ClientId clientId) {
        logs.remove(clientId);
    }

    /** Returns the buckets that were released, in order. */
    public synchronized List<Integer> released() {
        return List.copyOf(released);
    }

    /** Returns the clients whose sessions a node has forgotten, once for each node. */
    public synchronized List<ClientId> forgotten() {
        return List.copyOf(forgotten);
    }

    /** Returns the sequence number below which messages may have been removed. */
    public synchronized long removedBelow(ClientId clientId) {
        return log(clientId).removedBelow;
    }

    /** Uses a sequence number for a record without message. */
    public synchronized void skip(ClientId clientId) {
        log(clientId).entries.add(new Entry(0, null, System.currentTimeMillis()));
    }

    private Log log(ClientId clientId) {
        Log log = logs.get(clientId);
        if (log == null) {
            throw new IllegalArgumentException("there is no log of client " + clientId);
        }
        return log;
    }

    /** Appends a message to a client's log. */
    public void append(ToApplication append) {
        Open reading;
        synchronized (this) {
            Log log = log(append.clientId());
            PublishMessage message = append.message();
            log.entries.add(new Entry(
                    append.generation(),
                    new ApplicationMessage(
                            log.entries.size(),
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
                            append.subscriptionIdentifiers()),
                    System.currentTimeMillis()));
            reading = log.reading;
        }
        if (reading != null) {
            reading.readOn();
        }
    }

    @Override
    public synchronized CompletionStage<Long> create(ClientId clientId, long generation) {
        if (unavailable) {
            return CompletableFuture.failedStage(new StoreUnavailableException("no log can be made", null));
        }
        Log log = logs.computeIfAbsent(clientId, _ -> new Log());
        log.generation = Math.max(log.generation, generation);
        log.ended = false;
        long first = log.entries.size();
        CompletableFuture<Void> held = creating;
        return held == null ? CompletableFuture.completedStage(first) : held.thenApply(_ -> first);
    }

    @Override
    public synchronized CompletionStage<Long> end(ClientId clientId, long generation, long lowest) {
        Log log = logs.get(clientId);
        if (log == null || log.generation > generation) {
            return CompletableFuture.completedStage(0L);
        }
        log.ended = true;
        return CompletableFuture.completedStage(Math.max(0, log.entries.size() - lowest));
    }

    @Override
    public synchronized CompletionStage<Map<ClientId, Long>> take(int bucket, Map<ClientId, Long> generations) {
        if (unavailable) {
            return CompletableFuture.failedStage(new StoreUnavailableException("no log can be opened", null));
        }
        logs.forEach((clientId, log) -> {
            if (buckets.of(clientId) == bucket) {
                log.ended = !generations.containsKey(clientId);
            }
        });
        Map<ClientId, Long> ends = new HashMap<>();
        generations.forEach((clientId, generation) -> {
            Log log = logs.computeIfAbsent(clientId, _ -> new Log());
            log.generation = generation;
            ends.put(clientId, (long) log.entries.size());
        });
        return CompletableFuture.completedStage(ends);
    }

    @Override
    public synchronized CompletionStage<Void> release(int bucket) {
        released.add(bucket);
        return CompletableFuture.completedStage(null);
    }

    @Override
    public synchronized int forget(ClientId clientId, long generation) {
        forgotten.add(clientId);
        return 0;
    }

    @Override
    public synchronized void acknowledged(ClientId clientId, long generation, long lowest) {
        Log log = logs.get(clientId);
        if (log != null && log.generation == generation) {
            log.removedBelow = Math.max(log.removedBelow, lowest);
        }
    }

    @Override
    public synchronized CompletionStage<Void> keep(ClientId clientId, long generation) {
        Log log = logs.get(clientId);
        if (log != null && log.generation == generation) {
            log.removedBelow = 0;
        }
        return CompletableFuture.completedStage(null);
    }

    @Override
    public synchronized CompletionStage<Map<ClientId, LogExtent>> extents(Collection<ClientId> clientIds) {
        Map<ClientId, LogExtent> extents = new HashMap<>();
        for (ClientId each : clientIds) {
            Log log = logs.get(each);
            if (log != null) {
                extents.put(each, new LogExtent(0, log.entries.size(), LogExtent.UNKNOWN));
            }
        }
        return CompletableFuture.completedStage(extents);
    }

    @Override
    public synchronized CompletionStage<Long> find(ClientId clientId, LogPosition position) {
        List<Entry> entries = log(clientId).entries;
        return CompletableFuture.completedStage(
                switch (position) {
                    case LogPosition.Beginning _ -> 0L;
                    case LogPosition.End _ -> (long) entries.size();
                    case LogPosition.Sequence(long sequence) -> Math.clamp(sequence, 0L, entries.size());
                    case LogPosition.Since(long millis) ->
                        entries.stream()
                                .takeWhile(each -> each.millis() < millis)
                                .count();
                });
    }

    @Override
    public Reading read(ClientId clientId, long generation, long from, Sink sink) {
        Open reading;
        synchronized (this) {
            Log log = log(clientId);
            reading = new Open(log, generation, from, sink);
            log.reading = reading;
        }
        reading.readOn();
        return reading;
    }

    private final class Open implements Reading {
        private final Log log;
        private final long generation;
        private final Sink sink;
        private long next;
        private long untakenBytes;

        Open(Log log, long generation, long from, Sink sink) {
            this.log = log;
            this.generation = generation;
            this.next = from;
            this.sink = sink;
        }

        void readOn() {
            List<ApplicationMessage> read = new ArrayList<>();
            synchronized (InMemoryApplicationLogs.this) {
                while (this.equals(log.reading) && next < log.entries.size() && untakenBytes < MAXIMUM_UNTAKEN_BYTES) {
                    Entry entry = log.entries.get((int) next);
                    ApplicationMessage message = entry.message();
                    if (message != null && entry.generation() == generation) {
                        read.add(message);
                        untakenBytes += message.message().heldBytes();
                    }
                    next++;
                }
            }
            if (!read.isEmpty()) {
                sink.read(read);
            }
        }

        @Override
        public void taken(long bytes) {
            synchronized (InMemoryApplicationLogs.this) {
                untakenBytes -= bytes;
            }
            readOn();
        }

        @Override
        public void close() {
            synchronized (InMemoryApplicationLogs.this) {
                if (this.equals(log.reading)) {
                    log.reading = null;
                }
            }
        }
    }
}
