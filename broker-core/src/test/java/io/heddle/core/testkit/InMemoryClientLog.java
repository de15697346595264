package io.heddle.core.testkit;

import io.heddle.core.changelog.LogFollower;
import io.heddle.core.client.ClientId;
import io.heddle.core.session.persistent.ClientChange;
import io.heddle.core.session.persistent.ClientLog;
import io.heddle.core.session.persistent.SessionRecord;
import io.heddle.core.subscription.Route;
import io.heddle.core.subscription.RouteKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A client log in memory that keeps every change until {@link #compact}. Commits complete immediately, or when a test releases them. */
public final class InMemoryClientLog implements ClientLog {
    /** Controls the commits that contain sessions. */
    public final Part sessions = new Part();

    /** Controls the commits that contain subscriptions. */
    public final Part routes = new Part();

    private final InMemoryLog<ClientChange> log = new InMemoryLog<>();

    @Override
    public synchronized CompletionStage<Long> commit(int bucket, List<ClientChange> committed) {
        Part holding = null;
        for (ClientChange change : committed) {
            Part part = partOf(change);
            if (part.fault != null) {
                return CompletableFuture.failedFuture(part.fault);
            }
            holding = part.holding ? part : holding;
        }
        long last = 0;
        for (ClientChange change : committed) {
            last = add(bucket, change);
        }
        if (holding == null) {
            return CompletableFuture.completedFuture(last);
        }
        CompletableFuture<Long> answer = new CompletableFuture<>();
        long offset = last;
        holding.held.add(() -> answer.complete(offset));
        return answer;
    }

    /** Adds a change that is part of a commit of the message log, which has faults of its own. */
    synchronized long add(int bucket, ClientChange change) {
        if (!(change instanceof ClientChange.OfEpoch)) {
            partOf(change).size++;
        }
        return log.append(bucket, change);
    }

    private Part partOf(ClientChange change) {
        return switch (change) {
            case ClientChange.OfSession _, ClientChange.OfEpoch _ -> sessions;
            case ClientChange.OfRoute _ -> routes;
        };
    }

    @Override
    public void follow(LogFollower<ClientChange> follower) {
        log.follow(follower);
    }

    @Override
    public CompletionStage<List<Long>> ends() {
        return CompletableFuture.completedFuture(log.ends());
    }

    /** Returns all changes in their order. */
    public List<ClientChange> changes() {
        return log.records();
    }

    /** Removes every change that a later one of the same key replaces, and every removal, like Kafka's compaction after some time. */
    public void compact() {
        log.compact(
                change -> switch (change) {
                    case ClientChange.OfSession session -> session.clientId();
                    case ClientChange.OfRoute route -> route.key();
                    // The node's highest epoch, so that the last one is the highest of all buckets.
                    case ClientChange.OfEpoch _ -> ClientChange.OfEpoch.class;
                },
                InMemoryClientLog::isRemoval);
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
        private final List<Runnable> held = new ArrayList<>();
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
            List<Runnable> due;
            synchronized (InMemoryClientLog.this) {
                holding = false;
                due = List.copyOf(held);
                held.clear();
            }
            due.forEach(Runnable::run);
        }

        /** Returns the number of committed changes. */
        public int size() {
            synchronized (InMemoryClientLog.this) {
                return size;
            }
        }
    }
}
