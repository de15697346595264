package io.heddle.core.testkit;

import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.ChangeLog;
import io.heddle.core.session.persistent.ClientChange;
import io.heddle.core.session.persistent.ClientLog;
import io.heddle.core.session.persistent.SessionRecord;
import io.heddle.core.subscription.Route;
import io.heddle.core.subscription.RouteKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A client log in memory that keeps every change until {@link #compact}. Commits complete immediately, or when a test releases them. */
public final class InMemoryClientLog implements ClientLog {
    /** Controls the commits that contain sessions. */
    public final Part sessions = new Part();

    /** Controls the commits that contain subscriptions. */
    public final Part routes = new Part();

    // Guarded by this.
    private List<ClientChange> changes = new ArrayList<>();

    @Override
    public synchronized CompletionStage<Void> commit(int bucket, List<ClientChange> committed) {
        Part holding = null;
        for (ClientChange change : committed) {
            Part part = partOf(change);
            if (part.fault != null) {
                return CompletableFuture.failedFuture(part.fault);
            }
            holding = part.holding ? part : holding;
        }
        committed.forEach(this::add);
        if (holding == null) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> answer = new CompletableFuture<>();
        holding.held.add(answer);
        return answer;
    }

    /** Adds a change that is part of a commit of the message log, which has faults of its own. */
    synchronized void add(ClientChange change) {
        changes.add(change);
        if (!(change instanceof ClientChange.OfEpoch)) {
            partOf(change).size++;
        }
    }

    private Part partOf(ClientChange change) {
        return switch (change) {
            case ClientChange.OfSession _, ClientChange.OfEpoch _ -> sessions;
            case ClientChange.OfRoute _ -> routes;
        };
    }

    @Override
    public void replay(Consumer<ClientChange> listener, ChangeLog.Progress progress) {
        List<ClientChange> all;
        synchronized (this) {
            all = List.copyOf(changes);
        }
        all.forEach(listener);
        progress.read(all.size(), all.size());
    }

    /** Removes every change that a later one of the same key replaces, and every removal, like Kafka's compaction after some time. */
    public synchronized void compact() {
        Map<Object, ClientChange> last = new LinkedHashMap<>();
        for (ClientChange change : changes) {
            Object key = switch (change) {
                case ClientChange.OfSession session -> session.clientId();
                case ClientChange.OfRoute route -> route.key();
                // The node's highest epoch, so that the last one is the highest of all buckets.
                case ClientChange.OfEpoch _ -> ClientChange.OfEpoch.class;
            };
            last.remove(key);
            last.put(key, change);
        }
        last.values().removeIf(InMemoryClientLog::isRemoval);
        changes = new ArrayList<>(last.values());
    }

    private static boolean isRemoval(ClientChange change) {
        return switch (change) {
            case ClientChange.OfSession(ClientId _, SessionRecord session) -> session == null;
            case ClientChange.OfRoute(RouteKey _, Route route) -> route == null;
            case ClientChange.OfEpoch _ -> false;
        };
    }

    /** The changes of one kind; an epoch belongs to the end of a session. */
    public final class Part {
        private final List<CompletableFuture<Void>> held = new ArrayList<>();
        private boolean holding;
        private @Nullable Throwable fault;
        private int size;

        private Part() {}

        /** Delays the completion of commits. */
        public void hold() {
            synchronized (InMemoryClientLog.this) {
                holding = true;
            }
        }

        /** Makes every commit fail with this exception; null ends that. */
        public void failWith(@Nullable Throwable reason) {
            synchronized (InMemoryClientLog.this) {
                fault = reason;
            }
        }

        /** Completes all delayed commits, on this thread. */
        public void release() {
            List<CompletableFuture<Void>> due;
            synchronized (InMemoryClientLog.this) {
                holding = false;
                due = List.copyOf(held);
                held.clear();
            }
            due.forEach(answer -> answer.complete(null));
        }

        /** Returns the number of committed changes. */
        public int size() {
            synchronized (InMemoryClientLog.this) {
                return size;
            }
        }
    }
}
