package io.heddle.core.session.queue;

import io.heddle.core.delivery.device.DeviceQueues.Acknowledgement;
import io.heddle.core.delivery.device.DeviceQueues.BucketPosition;
import io.heddle.core.delivery.device.QueuePage;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.JoinedAppends;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.delivery.log.OrderFence;
import io.heddle.core.delivery.log.SequenceRange;
import io.heddle.core.delivery.node.SharedRedispatch;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.persistent.SessionRegistry.Registration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transfer of one ending session's queue to other members of its shared subscriptions: registers as the owner of the queue, reads it
 * page by page, redelivers, and removes the messages that are durable elsewhere. One step at a time, on threads of the stores, of the
 * housekeeping, or on the loop that owns the session. Bound: one page, and none while the transfer pauses.
 *
 * <p>States: waiting for its turn → leaving the groups at all nodes → waiting for the queue → registering → (reading → redelivering →
 * removing)* → ended; or abandoned between two steps. A step that fails in a store is repeated.
 *
 * <p>Entries for which the log has no room, or whose append failed, are read again after a pause; entries that fail {@value #MAXIMUM_FAILURES}
 * times in a row are dropped with the session.
 */
final class QueueTransfer {
    private static final Logger log = LoggerFactory.getLogger(QueueTransfer.class);

    private static final int PAGE_MESSAGES = 64;
    private static final int PAGE_BYTES = 1 << 20;

    /** More than a minute of the housekeeping: a failing entry must not keep its session for ever. */
    private static final int MAXIMUM_FAILURES = 1_000;

    /** A log that rejects the command rejects messages too: none of them is on its way any more. */
    private static final int MAXIMUM_FAILED_BARRIERS = 50;

    private final QueueRedelivery all;
    private final PersistentSession session;
    private final Runnable over;
    private final Runnable abandoned;
    // Of the current step.
    private long previousEpoch;
    private long epoch;
    private long viewId;
    private long next = 1;
    // Failed commands that follow the messages on their way.
    private int failedBarriers;
    // Consecutive pages with a failed append and without a durable one.
    private int failuresInARow;

    /** @param abandoned runs instead of {@code over} when this node does not decide about the session any more */
    QueueTransfer(QueueRedelivery all, PersistentSession session, Runnable over, Runnable abandoned) {
        this.all = all;
        this.session = session;
        this.over = over;
        this.abandoned = abandoned;
    }

    /** Returns whether the session is that of a bucket which this node releases or has released. */
    boolean hasMoved() {
        return !all.sessions().held().isHeld(session.bucket());
    }

    /** Ends a transfer that {@link #hasMoved}. The next holder of the bucket begins it anew. */
    void abandon() {
        abandoned.run();
    }

    void begin() {
        if (hasMoved()) {
            abandon();
        } else {
            session.decideInBackground(this::leaveGroups);
        }
    }

    private void leaveGroups() {
        previousEpoch = session.record().epoch();
        epoch = all.sessions().epochs().next();
        all.sessions()
                .beginEnd(session, epoch)
                .thenCompose(_ -> all.memberships().whenLeft(session))
                .whenComplete((_, failure) -> {
                    if (failure == null) {
                        awaitQueue();
                    } else {
                        pause(this::begin, failure);
                    }
                });
    }

    /**
     * Waits until the messages for the session are in its queue, including those that were on their way to the log when the session left its
     * groups. A command without effect follows them, behind the appends and behind the commits.
     */
    private void awaitQueue() {
        if (hasMoved()) {
            abandon();
            return;
        }
        List<LogAppend> last = List.of(new LogAppend.ToBucket(
                session.bucket(),
                new BucketCommand.Acknowledged(List.of(new BucketCommand.ClientAcknowledgement(
                        session.clientId(), session.generation(), 0, List.of())))));
        MessageLog.AppendCallback both = new JoinedAppends(2, new MessageLog.AppendCallback() {
            @Override
            public void onAppended() {
                registerWhenApplied();
            }

            @Override
            public void onFailed(Throwable reason) {
                failedBarriers++;
                if (failedBarriers < MAXIMUM_FAILED_BARRIERS) {
                    pause(QueueTransfer.this::awaitQueue, reason);
                } else {
                    registerWhenApplied();
                }
            }
        });
        all.log().append(last, both);
        all.log().commit(last, new OrderFence(), both);
    }

    private void registerWhenApplied() {
        if (hasMoved()) {
            abandon();
            return;
        }
        all.positions()
                .whenApplied(
                        session.bucket(),
                        () -> session.registrarLoop().execute(this::register),
                        () -> all.pause(this::registerWhenApplied));
    }

    private void register() {
        if (hasMoved()) {
            abandon();
            return;
        }
        BucketPosition before = all.positions().lastPosition(session.bucket());
        if (before == null) {
            // The bucket has just been released.
            all.pause(this::register);
            return;
        }
        all.registry()
                .connect(
                        session.bucket(),
                        session.clientId(),
                        session.generation(),
                        previousEpoch,
                        epoch,
                        all.sessions().incarnation())
                .whenComplete((registered, failure) -> {
                    if (failure != null) {
                        pause(this::register, failure);
                    } else if (all.rollbackDetector().detect(session.bucket(), before, registered.position())) {
                        all.pause(this::begin);
                    } else {
                        registered(registered);
                    }
                });
    }

    private void registered(Registration registered) {
        all.sessions().epochs().onSeen(registered.epoch());
        if (registered.epoch() != epoch) {
            all.pause(this::begin);
            return;
        }
        viewId = registered.position().viewId();
        next = registered.head();
        read();
    }

    private void read() {
        if (hasMoved()) {
            abandon();
            return;
        }
        all.queues()
                .page(
                        session.bucket(),
                        session.clientId(),
                        session.generation(),
                        epoch,
                        next,
                        PAGE_MESSAGES,
                        PAGE_BYTES)
                .whenComplete((page, failure) -> {
                    if (failure != null) {
                        pause(this::read, failure);
                    } else if (!page.isOwned()) {
                        // The store has rolled back.
                        all.pause(this::begin);
                    } else if (page.entries().isEmpty()) {
                        over.run();
                    } else {
                        new Page(page.entries()).handOver();
                    }
                });
    }

    /** Reads on, immediately or after a pause. */
    private void proceed(boolean now) {
        if (now) {
            read();
        } else {
            all.pause(this::read);
        }
    }

    private void pause(Runnable step, Throwable failure) {
        log.debug(
                "A step of the transfer of an ending session's queue has failed; it is retried: clientId={}",
                session.clientId(),
                failure);
        all.pause(step);
    }

    /** One page of entries that are being redelivered. */
    private final class Page {
        private final List<QueuePage.Entry> entries;
        private int handled;
        // The entries without an outcome, and the loop that hands them over.
        private final AtomicInteger open = new AtomicInteger(1);
        private final ConcurrentSkipListSet<Long> durable = new ConcurrentSkipListSet<>();
        // The first entry whose append failed.
        private final AtomicLong firstFailed = new AtomicLong(Long.MAX_VALUE);

        Page(List<QueuePage.Entry> entries) {
            this.entries = entries;
        }

        void handOver() {
            while (handled < entries.size() && handOver(entries.get(handled))) {
                handled++;
            }
            settled();
        }

        /** Hands an entry over; false when there is no room for it at this moment. */
        private boolean handOver(QueuePage.Entry entry) {
            String filter = entry.sharedFilter();
            if (filter == null
                    || entry.qos() != QoS.AT_LEAST_ONCE
                    || entry.message().isExpiredAt(all.clock().millis())) {
                return true;
            }
            open.incrementAndGet();
            SharedRedispatch.Outcome outcome = all.publishService()
                    .redispatch(
                            entry.message(), TopicFilter.parse(filter, Integer.MAX_VALUE), outcomeOf(entry.sequence()));
            if (outcome != SharedRedispatch.Outcome.TAKEN) {
                open.decrementAndGet();
            }
            return outcome != SharedRedispatch.Outcome.NO_ROOM;
        }

        private MessageLog.AppendCallback outcomeOf(long sequence) {
            return new MessageLog.AppendCallback() {
                @Override
                public void onAppended() {
                    all.metrics().sharedRedelivered.increment();
                    durable.add(sequence);
                    settled();
                }

                @Override
                public void onFailed(Throwable reason) {
                    log.debug(
                            "Could not append a message of an ending session; it is retried: clientId={}",
                            session.clientId(),
                            reason);
                    firstFailed.accumulateAndGet(sequence, Math::min);
                    settled();
                }
            };
        }

        private void settled() {
            if (open.decrementAndGet() == 0) {
                boolean isWhole = advance();
                remove(isWhole);
            }
        }

        /** Decides where to read on; returns whether the whole page is done. */
        private boolean advance() {
            long failed = firstFailed.get();
            failuresInARow = failed == Long.MAX_VALUE || !durable.isEmpty() ? 0 : failuresInARow + 1;
            if (failuresInARow > MAXIMUM_FAILURES) {
                log.warn(
                        "Dropping messages of an ending session that could not be redelivered to other members of its shared"
                                + " subscriptions: clientId={}",
                        session.clientId());
                failed = Long.MAX_VALUE;
                failuresInARow = 0;
            }
            long unhandled = handled == entries.size()
                    ? Long.MAX_VALUE
                    : entries.get(handled).sequence();
            long first = Math.min(failed, unhandled);
            next = first == Long.MAX_VALUE ? entries.getLast().sequence() + 1 : first;
            return first == Long.MAX_VALUE;
        }

        private void remove(boolean isWhole) {
            if (durable.isEmpty()) {
                proceed(isWhole);
                return;
            }
            List<SequenceRange> runs = new ArrayList<>();
            for (long sequence : durable) {
                SequenceRange last = runs.isEmpty() ? null : runs.getLast();
                if (last != null && last.end() == sequence) {
                    runs.set(runs.size() - 1, new SequenceRange(last.first(), sequence + 1));
                } else {
                    runs.add(new SequenceRange(sequence, sequence + 1));
                }
            }
            all.queues()
                    .acknowledge(
                            session.bucket(),
                            List.of(new Acknowledgement(session.clientId(), session.generation(), viewId, 0, runs)))
                    .whenComplete((_, failure) -> {
                        if (failure != null) {
                            pause(() -> remove(isWhole), failure);
                        } else {
                            proceed(isWhole);
                        }
                    });
        }
    }
}
