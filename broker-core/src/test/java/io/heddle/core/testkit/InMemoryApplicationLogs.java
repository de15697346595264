package io.heddle.core.testkit;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.application.ApplicationLogs;
import io.heddle.core.delivery.application.ApplicationMessage;
import io.heddle.core.delivery.log.LogAppend.ToApplication;
import io.heddle.core.message.PublishMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** In-memory logs of APPLICATION clients. Messages are handed over on the thread that appends, takes or starts to read. */
public final class InMemoryApplicationLogs implements ApplicationLogs {
    private static final long MAXIMUM_UNTAKEN_BYTES = 20_000;

    // Guarded by this.
    private final Map<ClientId, Log> logs = new HashMap<>();
    private @Nullable CompletableFuture<Void> creating;
    private boolean unavailable;

    private static final class Log {
        private final List<Entry> entries = new ArrayList<>();
        private long generation;
        private boolean ended;
        private long removedBelow;
        private @Nullable Open reading;
    }

    /** @param message null for an offset without a message */
    private record Entry(long generation, @Nullable ApplicationMessage message) {}

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

    /** Returns whether a client has a log that is not marked for removal. */
    public synchronized boolean has(ClientId clientId) {
        Log log = logs.get(clientId);
        return log != null && !log.ended;
    }

    /** The sequence number below which messages may be removed. */
    public synchronized long removedBelow(ClientId clientId) {
        return log(clientId).removedBelow;
    }

    /** Skips a sequence number. */
    public synchronized void skip(ClientId clientId) {
        log(clientId).entries.add(new Entry(0, null));
    }

    private Log log(ClientId clientId) {
        Log log = logs.get(clientId);
        if (log == null) {
            throw new IllegalArgumentException("there is no log of client " + clientId);
        }
        return log;
    }

    /** Appends a message to the log of a client. */
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
                                    message.expiresAtMillis()),
                            append.qos(),
                            append.retain(),
                            append.subscriptionIdentifiers())));
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
    public synchronized Map<ClientId, Long> restore(Map<ClientId, Long> generations) {
        logs.forEach((clientId, log) -> {
            log.reading = null;
            log.ended = !generations.containsKey(clientId);
        });
        Map<ClientId, Long> ends = new HashMap<>();
        generations.forEach((clientId, generation) -> {
            Log log = logs.computeIfAbsent(clientId, _ -> new Log());
            log.generation = generation;
            ends.put(clientId, (long) log.entries.size());
        });
        return ends;
    }

    @Override
    public synchronized void acknowledged(ClientId clientId, long generation, long lowest) {
        Log log = logs.get(clientId);
        if (log != null && log.generation == generation) {
            log.removedBelow = Math.max(log.removedBelow, lowest);
        }
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
