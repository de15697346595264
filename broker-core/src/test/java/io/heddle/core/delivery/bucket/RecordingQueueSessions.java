package io.heddle.core.delivery.bucket;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.EventLoop;
import io.heddle.core.delivery.device.QueueDrop;
import io.heddle.core.session.persistent.SessionRegistry.Registration;
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

/** Sessions that a test controls and that record their calls. Belongs to the writer's thread, except for the recorded rollbacks. */
final class RecordingQueueSessions implements QueueSessions {
    private final Map<ClientId, RecordingQueueReader> readers = new HashMap<>();
    private final Set<ClientId> ended = new HashSet<>();
    private final List<String> removed = new ArrayList<>();
    private final List<String> dropped = new ArrayList<>();
    private final List<Integer> rolledBack = new CopyOnWriteArrayList<>();
    private final List<String> registered = new ArrayList<>();
    private final List<String> feedsEnded = new CopyOnWriteArrayList<>();
    private CompletionStage<Void> feedsEnd = CompletableFuture.completedStage(null);
    private final List<String> positioned = new ArrayList<>();
    private boolean unavailable;

    /** Ends the session of a client. */
    void end(ClientId clientId) {
        ended.add(clientId);
    }

    /** Makes registrations fail, or succeed again. */
    void unavailable(boolean now) {
        unavailable = now;
    }

    /** The removed queues, as "bucket client generation". */
    List<String> removed() {
        return removed;
    }

    /** The buckets whose sessions were registered again. */
    List<Integer> rolledBack() {
        return rolledBack;
    }

    /** The sessions registered again one by one, as "bucket client". */
    List<String> registered() {
        return registered;
    }

    /** Connects a client. */
    RecordingQueueReader reading(ClientId clientId, Registration registration, EventLoop loop) {
        RecordingQueueReader reader = new RecordingQueueReader(loop, registration.epoch());
        readers.put(clientId, reader);
        return reader;
    }

    /** The dropped messages, as "client reason". */
    List<String> dropped() {
        return dropped;
    }

    @Override
    public void onDropped(ClientId clientId, long generation, QueueDrop.Reason reason, long nowMillis) {
        dropped.add(clientId + " " + reason);
    }

    @Override
    public @Nullable PushTarget target(ClientId clientId, long generation) {
        return readers.get(clientId);
    }

    @Override
    public boolean hasEnded(ClientId clientId, long generation) {
        return ended.contains(clientId);
    }

    @Override
    public void removeQueue(int bucket, ClientId clientId, long generation) {
        removed.add(bucket + " " + clientId.value() + " " + generation);
    }

    @Override
    public Map<Integer, CompletionStage<Void>> reRegisterSessions(Set<Integer> buckets) {
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

    /** The buckets whose feeds were ended, as "bucket from generation". */
    List<String> feedsEnded() {
        return feedsEnded;
    }

    /** Sets the stage that completes when the feeds have ended. */
    void feedsEnd(CompletionStage<Void> stage) {
        feedsEnd = stage;
    }

    @Override
    public CompletionStage<Void> endFeeds(int bucket, long viewId, long completeFrom) {
        feedsEnded.add(bucket + " from " + completeFrom);
        return feedsEnd;
    }

    @Override
    public void reRegister(int bucket, ClientId clientId, long generation) {
        registered.add(bucket + " " + clientId.value());
    }

    /** The positioned buckets, as "bucket", followed by " first" for the first position of a holding. */
    List<String> positioned() {
        return positioned;
    }

    @Override
    public void onPositioned(int bucket, long viewId, boolean isFirst) {
        positioned.add(bucket + (isFirst ? " first" : ""));
    }

    @Override
    public void sendPushes() {
        // No other node exists.
    }

    @Override
    public boolean hasUnsentPushes() {
        return false;
    }
}
