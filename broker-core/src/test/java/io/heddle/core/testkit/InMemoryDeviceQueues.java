package io.heddle.core.testkit;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.device.BucketApplied;
import io.heddle.core.delivery.device.BucketApplied.EnqueueOutcome;
import io.heddle.core.delivery.device.BucketApplied.EnqueueResult;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.DeviceQueues;
import io.heddle.core.delivery.device.QueuePage;
import io.heddle.core.delivery.device.QueuePage.Ownership;
import io.heddle.core.delivery.device.QueueView;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.BucketCommand.Acknowledged;
import io.heddle.core.delivery.log.BucketCommand.Cleared;
import io.heddle.core.delivery.log.BucketCommand.ClientAcknowledgement;
import io.heddle.core.delivery.log.BucketCommand.Enqueue;
import io.heddle.core.delivery.log.BucketCommand.InboundReceived;
import io.heddle.core.delivery.log.BucketCommand.InboundReleased;
import io.heddle.core.delivery.log.BucketCommand.OutboundReceived;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.session.persistent.SessionRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * In-memory device queues and session registry, as one store. Thread-safe; every stage is complete when a method returns. The size of an
 * entry is the memory that its message holds.
 */
public final class InMemoryDeviceQueues implements DeviceQueues, SessionRegistry {
    private final Map<Integer, Bucket> buckets = new HashMap<>();
    private long viewIds;

    @Override
    public synchronized CompletionStage<BucketPosition> position(int bucket) {
        return answer(bucket(bucket).position());
    }

    @Override
    public synchronized CompletionStage<BucketApplied> apply(
            BucketBatch batch, QueueBounds bounds, PushedUpTo pushed, long nowMillis) {
        Bucket bucket = bucket(batch.bucket());
        if (batch.precedingOffset() > bucket.applied) {
            return answer(new BucketApplied.Gap(bucket.position()));
        }
        List<EnqueueResult> results = new ArrayList<>();
        int dropped = 0;
        int cleared = 0;
        for (BucketBatch.Logged logged : batch.commands()) {
            boolean before = logged.offset() <= bucket.applied;
            switch (logged.command()) {
                case Enqueue enqueue -> {
                    for (QueueRecipient recipient : enqueue.recipients()) {
                        if (before) {
                            results.add(result(EnqueueOutcome.APPLIED_BEFORE, bucket.known(recipient)));
                        } else {
                            InMemoryQueueSession session =
                                    bucket.addressed(recipient.clientId(), recipient.generation());
                            int count = session == null ? 0 : session.entries.size();
                            if (session != null && session.tail == 0 && session.generation >= batch.completeFrom()) {
                                session.complete = true;
                            }
                            EnqueueOutcome outcome = session == null
                                    ? EnqueueOutcome.SESSION_ENDED
                                    : session.enqueue(logged, enqueue, recipient, bounds, pushed, nowMillis);
                            results.add(result(outcome, session));
                            if (session != null && outcome == EnqueueOutcome.QUEUED_EVICTING) {
                                dropped += count + 1 - session.entries.size();
                            }
                        }
                    }
                }
                case Acknowledged acknowledged -> {
                    for (ClientAcknowledgement each : acknowledged.clients()) {
                        InMemoryQueueSession session = before ? null : bucket.sessions.get(each.clientId());
                        if (session != null && session.generation == each.generation() && session.complete) {
                            session.acknowledge(each.upTo(), each.above());
                        }
                    }
                }
                case Cleared command -> {
                    InMemoryQueueSession session = before || logged.rejected()
                            ? null
                            : bucket.addressed(command.clientId(), command.generation());
                    if (session != null && logged.offset() > session.lastOffset) {
                        session.lastOffset = logged.offset();
                        cleared += session.entries.size();
                        session.acknowledge(session.tail, List.of());
                    }
                }
                case OutboundReceived marker -> {
                    if (!before && !logged.rejected()) {
                        bucket.applyMarker(logged.offset(), marker.clientId(), marker.generation(), marker);
                    }
                }
                case InboundReceived marker -> {
                    if (!before && !logged.rejected()) {
                        bucket.applyMarker(logged.offset(), marker.clientId(), marker.generation(), marker);
                    }
                }
                case InboundReleased release -> {
                    if (!before && !logged.rejected()) {
                        bucket.applyMarker(logged.offset(), release.clientId(), release.generation(), release);
                    }
                }
            }
        }
        bucket.applied = Math.max(bucket.applied, batch.lastOffset());
        return answer(new BucketApplied.Done(bucket.position(), results, dropped, cleared));
    }

    private static EnqueueResult result(EnqueueOutcome outcome, @Nullable InMemoryQueueSession session) {
        return session == null
                ? new EnqueueResult(EnqueueOutcome.SESSION_ENDED, 0, 0)
                : new EnqueueResult(outcome, session.tail, session.owner.isEmpty() ? 0 : session.epoch);
    }

    @Override
    public synchronized CompletionStage<QueuePage> page(
            int bucket,
            ClientId clientId,
            long generation,
            long epoch,
            long from,
            int maximumMessages,
            int maximumBytes) {
        InMemoryQueueSession session = bucket(bucket).sessions.get(clientId);
        if (session == null
                || session.generation < generation
                || (session.generation == generation && session.epoch < epoch)) {
            return answer(QueuePage.rejected(Ownership.UNKNOWN));
        }
        if (session.generation != generation || session.epoch != epoch || session.owner.isEmpty()) {
            return answer(QueuePage.rejected(Ownership.FENCED));
        }
        List<QueuePage.Entry> entries = session.read(from, maximumMessages, maximumBytes);
        long upTo = entries.isEmpty() ? from - 1 : entries.getLast().sequence();
        boolean full = maximumMessages == 0 || session.entries.higherKey(upTo) != null;
        session.readUpTo(full && upTo < session.tail ? upTo : session.tail, full && upTo < session.tail);
        return answer(new QueuePage(Ownership.OWNER, entries, session.tail));
    }

    @Override
    public synchronized CompletionStage<Void> acknowledge(int bucket, List<Acknowledgement> acknowledgements) {
        for (Acknowledgement each : acknowledgements) {
            InMemoryQueueSession session = bucket(bucket).sessions.get(each.clientId());
            if (session != null
                    && session.generation == each.generation()
                    && (session.complete || (each.viewId() == bucket(bucket).viewId && each.upTo() <= session.tail))) {
                session.acknowledge(each.upTo(), each.above());
            }
        }
        return done();
    }

    @Override
    public synchronized CompletionStage<List<QueueEnds>> tails(int bucket, List<SessionKey> sessions) {
        List<QueueEnds> ends = new ArrayList<>();
        for (SessionKey each : sessions) {
            InMemoryQueueSession session = bucket(bucket).sessions.get(each.clientId());
            ends.add(
                    session == null || session.generation != each.generation()
                            ? QueueEnds.UNKNOWN
                            : new QueueEnds(session.head(), session.tail));
        }
        return answer(ends);
    }

    @Override
    public synchronized CompletionStage<QueueView> view(
            int bucket, ClientId clientId, long generation, long from, int maximumMessages, int maximumBytes) {
        InMemoryQueueSession session = bucket(bucket).sessions.get(clientId);
        return answer(
                session == null || session.generation != generation
                        ? QueueView.UNKNOWN
                        : session.view(from, maximumMessages, maximumBytes));
    }

    @Override
    public synchronized CompletionStage<Registration> connect(
            int bucket, ClientId clientId, long generation, long previousEpoch, long epoch, String owner) {
        Map<ClientId, InMemoryQueueSession> sessions = bucket(bucket).sessions;
        InMemoryQueueSession session = sessions.get(clientId);
        if (session != null && (session.epoch > epoch || session.generation > epoch)) {
            return answer(registration(
                    session,
                    Math.max(session.epoch, session.generation),
                    session.owner,
                    session.epoch,
                    UNKNOWN,
                    bucket));
        }
        boolean isNew = generation == epoch;
        String previousOwner = session == null ? "" : session.owner;
        long ownedSince = session == null || previousOwner.isEmpty() ? 0 : session.epoch;
        boolean isReported = previousOwner.isEmpty();
        if (session == null || session.generation != generation) {
            session = new InMemoryQueueSession(generation);
            session.sentUpTo = isNew ? 0 : UNKNOWN;
            session.complete = isNew;
            sessions.put(clientId, session);
            isReported = true;
        }
        if (!isNew && session.epoch < previousEpoch) {
            session.sentUpTo = UNKNOWN;
        }
        Registration registration = registration(
                session, epoch, previousOwner, ownedSince, isReported ? session.sentUpTo : UNKNOWN, bucket);
        session.owned(epoch, owner);
        return answer(registration);
    }

    private Registration registration(
            InMemoryQueueSession session,
            long epoch,
            String previousOwner,
            long previousEpoch,
            long sentUpTo,
            int bucket) {
        return new Registration(
                session.generation,
                epoch,
                previousOwner,
                previousEpoch,
                session.head(),
                session.tail,
                sentUpTo,
                session.inboundReceived,
                List.copyOf(session.outboundReceived),
                bucket(bucket).position());
    }

    @Override
    public synchronized CompletionStage<Void> disconnect(int bucket, ClientId clientId, long epoch, long sentUpTo) {
        InMemoryQueueSession session = bucket(bucket).sessions.get(clientId);
        if (session != null && session.epoch == epoch) {
            session.owner = "";
            session.sentUpTo = sentUpTo;
        }
        return done();
    }

    @Override
    public synchronized CompletionStage<Integer> end(int bucket, ClientId clientId, long generation) {
        InMemoryQueueSession session = bucket(bucket).sessions.get(clientId);
        if (session == null || session.generation != generation) {
            return answer(0);
        }
        bucket(bucket).sessions.remove(clientId);
        return answer(session.entries.size());
    }

    @Override
    public synchronized CompletionStage<Void> restore(int bucket, List<Known> sessions) {
        for (Known known : sessions) {
            Map<ClientId, InMemoryQueueSession> stored = bucket(bucket).sessions;
            InMemoryQueueSession session = stored.get(known.clientId());
            if (session == null || session.generation < known.generation()) {
                session = new InMemoryQueueSession(known.generation());
                stored.put(known.clientId(), session);
            } else if (session.generation > known.generation() || session.epoch > known.epoch()) {
                continue;
            }
            if (session.epoch == known.epoch()) {
                session.sentUpTo = session.owner.isEmpty() ? session.sentUpTo : UNKNOWN;
                continue;
            }
            session.sentUpTo = UNKNOWN;
            session.owned(known.epoch(), known.owner());
        }
        return done();
    }

    /** The payloads in a client's queue, in order; empty for an unknown client. */
    public synchronized List<String> payloads(int bucket, ClientId clientId) {
        InMemoryQueueSession session = bucket(bucket).sessions.get(clientId);
        return session == null
                ? List.of()
                : session.entries.values().stream()
                        .map(entry -> PublishMessages.text(entry.message()))
                        .toList();
    }

    /** Loses the position of a bucket and nothing else. */
    public synchronized void losePosition(int bucket) {
        bucket(bucket).begin(++viewIds);
    }

    /** Loses everything. */
    public synchronized void loseEverything() {
        buckets.clear();
    }

    /** Returns a copy of the contents, to roll back to. */
    public synchronized Snapshot snapshot() {
        Map<Integer, Bucket> copy = new HashMap<>();
        buckets.forEach((number, bucket) -> copy.put(number, bucket.copy()));
        return new Snapshot(copy);
    }

    /** Loses all writes since a snapshot was taken. A bucket that it does not know is lost. */
    public synchronized void rollBack(Snapshot snapshot) {
        buckets.clear();
        snapshot.buckets.forEach((number, bucket) -> buckets.put(number, bucket.copy()));
    }

    /** The contents at one moment. */
    public static final class Snapshot {
        private final Map<Integer, Bucket> buckets;

        private Snapshot(Map<Integer, Bucket> buckets) {
            this.buckets = buckets;
        }
    }

    private Bucket bucket(int number) {
        return buckets.computeIfAbsent(number, _ -> new Bucket(++viewIds));
    }

    private static <T> CompletionStage<T> answer(T value) {
        return CompletableFuture.completedStage(value);
    }

    private static CompletionStage<Void> done() {
        return CompletableFuture.completedStage(null);
    }

    /** One bucket. */
    private static final class Bucket {
        private final Map<ClientId, InMemoryQueueSession> sessions = new HashMap<>();
        private long viewId;
        private long applied;

        Bucket(long viewId) {
            begin(viewId);
        }

        void begin(long newViewId) {
            viewId = newViewId;
            applied = BucketBatch.NOTHING;
        }

        Bucket copy() {
            Bucket copy = new Bucket(viewId);
            copy.applied = applied;
            sessions.forEach((clientId, session) -> copy.sessions.put(clientId, session.copy()));
            return copy;
        }

        BucketPosition position() {
            return new BucketPosition(viewId, applied);
        }

        @Nullable
        InMemoryQueueSession known(QueueRecipient recipient) {
            InMemoryQueueSession session = sessions.get(recipient.clientId());
            return session != null && session.generation == recipient.generation() ? session : null;
        }

        /** The session of a command, or null when a later session has replaced it. */
        @Nullable
        InMemoryQueueSession addressed(ClientId clientId, long generation) {
            InMemoryQueueSession session = sessions.get(clientId);
            if (session != null && session.generation > generation) {
                return null;
            }
            if (session == null || session.generation < generation) {
                session = new InMemoryQueueSession(generation);
                sessions.put(clientId, session);
            }
            return session;
        }

        void applyMarker(long offset, ClientId clientId, long generation, BucketCommand command) {
            InMemoryQueueSession session = addressed(clientId, generation);
            if (session == null || offset <= session.lastOffset) {
                return;
            }
            session.lastOffset = offset;
            switch (command) {
                case OutboundReceived marker -> {
                    if (session.entries.containsKey(marker.sequence())) {
                        session.outboundReceived.add(marker.sequence());
                    }
                }
                case InboundReceived marker -> session.inboundReceived.put(marker.packetId(), marker.name());
                case InboundReleased release -> session.inboundReceived.remove(release.packetId());
                case Enqueue _, Acknowledged _, Cleared _ -> throw new IllegalArgumentException("not a marker command");
            }
        }
    }
}
