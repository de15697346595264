package io.heddle.core.delivery.bucket;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.EventLoop;
import io.heddle.core.session.SessionRegistry.Registration;
import io.heddle.core.testkit.RecordingQueueReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Sessions as a test says they are, which write down what they are told. Confined to the writer's thread, but for what went back. */
final class RecordingQueueSessions implements QueueSessions {
    private final Map<ClientId, RecordingQueueReader> readers = new HashMap<>();
    private final Set<ClientId> over = new HashSet<>();
    private final List<String> forgotten = new ArrayList<>();
    private final List<Integer> rolledBack = new CopyOnWriteArrayList<>();
    private final List<String> madeKnown = new ArrayList<>();
    private final List<String> beganAnew = new CopyOnWriteArrayList<>();
    private CompletionStage<Void> feedsEnd = CompletableFuture.completedStage(null);
    private boolean unavailable;

    /** From now on the session of this client is over. */
    void over(ClientId clientId) {
        over.add(clientId);
    }

    /** Whether they can not be restored. */
    void unavailable(boolean now) {
        unavailable = now;
    }

    /** The queues that were to be removed, as "bucket client generation". */
    List<String> forgotten() {
        return forgotten;
    }

    /** The buckets that went back. */
    List<Integer> rolledBack() {
        return rolledBack;
    }

    /** Who was to be made known, as "bucket client". */
    List<String> madeKnown() {
        return madeKnown;
    }

    /** From now on a client is connected. */
    RecordingQueueReader reading(ClientId clientId, Registration registration, EventLoop loop) {
        RecordingQueueReader reader = new RecordingQueueReader(loop, registration.epoch());
        readers.put(clientId, reader);
        return reader;
    }

    @Override
    public @Nullable Reader reader(ClientId clientId, long generation) {
        return readers.get(clientId);
    }

    @Override
    public boolean isOver(ClientId clientId, long generation) {
        return over.contains(clientId);
    }

    @Override
    public void forgetQueue(int bucket, ClientId clientId, long generation) {
        forgotten.add(bucket + " " + clientId.value() + " " + generation);
    }

    @Override
    public Map<Integer, CompletionStage<Void>> bucketsRolledBack(Set<Integer> buckets) {
        Map<Integer, CompletionStage<Void>> known = new HashMap<>();
        for (int bucket : buckets) {
            if (unavailable) {
                known.put(bucket, CompletableFuture.failedStage(new StoreUnavailableException("not restored", null)));
            } else {
                rolledBack.add(bucket);
                known.put(bucket, CompletableFuture.completedStage(null));
            }
        }
        return known;
    }

    /** The buckets whose numbers began anew, as "bucket from generation". */
    List<String> beganAnew() {
        return beganAnew;
    }

    /** What completes when their feeds have ended. */
    void feedsEnd(CompletionStage<Void> stage) {
        feedsEnd = stage;
    }

    @Override
    public CompletionStage<Void> numbersBeganAnew(int bucket, long completeFrom) {
        beganAnew.add(bucket + " from " + completeFrom);
        return feedsEnd;
    }

    @Override
    public void makeKnown(int bucket, ClientId clientId, long generation) {
        madeKnown.add(bucket + " " + clientId.value());
    }
}
