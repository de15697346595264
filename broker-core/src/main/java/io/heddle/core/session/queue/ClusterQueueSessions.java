package io.heddle.core.session.queue;

import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.delivery.bucket.PushTarget;
import io.heddle.core.delivery.bucket.QueueSessions;
import io.heddle.core.delivery.bucket.RemoteTarget;
import io.heddle.core.delivery.bucket.remote.PushSender;
import io.heddle.core.delivery.bucket.remote.RemoteReader;
import io.heddle.core.delivery.device.DeviceQueues.SessionKey;
import io.heddle.core.delivery.device.QueueDrop;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.persistent.PersistentSessions;
import io.heddle.core.session.persistent.SessionRecord;
import io.heddle.core.session.persistent.SessionRegistry;
import io.heddle.core.session.persistent.SessionRegistry.Known;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The persistent sessions as the writer of the queues sees them, connected to this node or to another one. The record of a session names
 * the node. Thread-safe, except for the pushes and {@link #target}, which belong to the applying thread.
 */
public final class ClusterQueueSessions implements QueueSessions {
    private static final Logger log = LoggerFactory.getLogger(ClusterQueueSessions.class);

    private final PersistentSessions sessions;
    private final ConnectedFeeds connected;
    private final SessionRegistry registry;
    private final PushSender sender;

    /** @param connected the connections to this node */
    public ClusterQueueSessions(
            PersistentSessions sessions, ConnectedFeeds connected, SessionRegistry registry, PushSender sender) {
        this.sessions = sessions;
        this.connected = connected;
        this.registry = registry;
        this.sender = sender;
    }

    @Override
    public @Nullable PushTarget target(ClientId clientId, long generation) {
        PersistentSession session = sessions.find(clientId);
        if (session == null || session.generation() != generation) {
            return null;
        }
        Reader reader = session.reader();
        return reader == null ? remoteTarget(session) : reader;
    }

    /** The record may not be durable yet: the queues know the epoch of the connection only when it is. */
    private @Nullable RemoteTarget remoteTarget(PersistentSession session) {
        SessionRecord record = session.record();
        RemoteTarget known = session.remoteTarget();
        if (known != null && known.epoch() == record.epoch() && !record.isAway()) {
            return known;
        }
        Incarnation node = otherNode(record);
        RemoteTarget target = node == null
                ? null
                : new RemoteReader(
                        sender,
                        node,
                        session.bucket(),
                        new SessionKey(session.clientId(), session.generation()),
                        record.epoch());
        if (known != null || target != null) {
            session.remoteTarget(target);
        }
        return target;
    }

    /** Returns the other living node that a client is connected to, or null. */
    private @Nullable Incarnation otherNode(SessionRecord record) {
        String owner = record.owner();
        if (owner.isEmpty() || sender.others().isEmpty() || !Incarnation.isIncarnation(owner)) {
            return null;
        }
        Incarnation node = Incarnation.parse(owner);
        return sender.others().contains(node) ? node : null;
    }

    @Override
    public void onDropped(ClientId clientId, long generation, QueueDrop.Reason reason, long nowMillis) {
        PersistentSession session = sessions.find(clientId);
        if (session != null && session.generation() == generation) {
            session.onQueueDropped(reason, nowMillis);
        }
    }

    @Override
    public boolean hasEnded(ClientId clientId, long generation) {
        return sessions.queued().hasEnded(clientId, generation);
    }

    @Override
    public void removeQueue(int bucket, ClientId clientId, long generation) {
        sessions.queued().removeQueue(bucket, clientId, generation);
    }

    @Override
    public Map<Integer, CompletionStage<Void>> reRegisterSessions(Set<Integer> buckets) {
        Map<Integer, CompletionStage<Void>> registered = sessions.queued().reRegisterSessions(buckets);
        if (sender.others().isEmpty()) {
            return registered;
        }
        Map<Integer, List<Known>> elsewhere = new HashMap<>();
        for (PersistentSession session : sessions.all()) {
            if (buckets.contains(session.bucket())) {
                Known known = knownElsewhere(session);
                if (known != null) {
                    elsewhere
                            .computeIfAbsent(session.bucket(), _ -> new ArrayList<>())
                            .add(known);
                }
            }
        }
        Map<Integer, CompletionStage<Void>> all = new HashMap<>(registered);
        elsewhere.forEach((bucket, known) -> all.merge(
                bucket, registry.restore(bucket, known), (one, other) -> one.thenCombine(other, (_, _) -> null)));
        return all;
    }

    /**
     * Returns the connection of a session to another node as its durable record describes it. A session whose record is not durable is left
     * out: the request that changes the record registers it afterwards, and if it was registered before, its next message detects that. A node
     * that was declared dead while it was frozen may have begun a session whose commit will fail. Redis would replace the queue of the
     * client's present session with that of this one.
     */
    private @Nullable Known knownElsewhere(PersistentSession session) {
        if (session.reader() != null || !session.isRecordDurable()) {
            return null;
        }
        SessionRecord record = session.record();
        return otherNode(record) == null
                ? null
                : new Known(session.clientId(), session.generation(), record.epoch(), record.owner());
    }

    @Override
    public CompletionStage<Void> endFeeds(int bucket, long viewId, long completeFrom) {
        List<CompletableFuture<Void>> ended = new ArrayList<>(sender.endFeeds(bucket, viewId, completeFrom));
        ended.add(sessions.queued().endFeeds(bucket, viewId, completeFrom).toCompletableFuture());
        return CompletableFuture.allOf(ended.toArray(CompletableFuture<?>[]::new));
    }

    @Override
    public void reRegister(int bucket, ClientId clientId, long generation) {
        PersistentSession session = sessions.find(clientId);
        if (session == null || session.generation() != generation) {
            return;
        }
        Known elsewhere = knownElsewhere(session);
        if (elsewhere == null) {
            sessions.queued().reRegister(bucket, clientId, generation);
            return;
        }
        registry.restore(bucket, List.of(elsewhere)).whenComplete((_, failure) -> {
            if (failure != null) {
                // The next message, or the recovery of the store, detects this again.
                log.debug("Could not register a client of another node again: clientId={}", clientId, failure);
            }
        });
    }

    @Override
    public void onPositioned(int bucket, long viewId, boolean isFirst) {
        sender.onPositioned(bucket, viewId, isFirst);
        if (isFirst) {
            connected.onTaken(bucket, viewId);
        }
    }

    @Override
    public void sendPushes() {
        sender.send();
    }

    @Override
    public boolean hasUnsentPushes() {
        return sender.hasUnsent();
    }
}
