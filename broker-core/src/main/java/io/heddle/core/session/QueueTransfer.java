package io.heddle.core.session;

import io.heddle.core.delivery.device.DeviceQueues.Acknowledgement;
import io.heddle.core.delivery.device.DeviceQueues.BucketPosition;
import io.heddle.core.delivery.device.QueuePage;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.delivery.log.SequenceRange;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.publish.RepublishOutcome;
import io.heddle.core.session.SessionRegistry.Registration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way of one ending session's queue to other members of its shared subscriptions: takes the queue over, reads it page by page, and
 * removes what is durable elsewhere. One step at a time, on the threads of the stores or of the housekeeping. Bound: one page, and none
 * while the transfer pauses.
 *
 * <p>States: registering → (reading → handing over → removing)* → over. A step that a store refuses is repeated. Entries that a full log
 * has no room for, or that it failed to append, are read again after a pause; those that fail {@value #MAXIMUM_FAILURES} times in a row
 * end with the session.
 */
final class QueueTransfer {
    private static final Logger log = LoggerFactory.getLogger(QueueTransfer.class);

    private static final int PAGE_MESSAGES = 64;
    private static final int PAGE_BYTES = 1 << 20;

    /** More than a minute of the housekeeping: an entry that nothing can append must not keep its session for ever. */
    private static final int MAXIMUM_FAILURES = 1_000;

    private final QueueRedelivery all;
    private final PersistentSession session;
    private final Runnable over;
    // Of the step under way.
    private long epoch;
    private long next = 1;
    // Pages of which an append failed and nothing became durable.
    private int failuresInARow;

    QueueTransfer(QueueRedelivery all, PersistentSession session, Runnable over) {
        this.all = all;
        this.session = session;
        this.over = over;
    }

    /** What was appended for the session is in its queue first. */
    void begin() {
        all.positions().whenApplied(session.bucket(), this::register);
    }

    private void register() {
        BucketPosition before = all.positions().lastPosition(session.bucket());
        all.registry()
                .connect(
                        session.bucket(),
                        session.clientId(),
                        session.generation(),
                        session.record().epoch(),
                        all.sessions().incarnation())
                .whenComplete((registered, failure) -> {
                    if (failure != null) {
                        pause(this::register, failure);
                    } else if (all.watch().detect(session.bucket(), before, registered.position())) {
                        all.pause(this::begin);
                    } else {
                        registered(registered);
                    }
                });
    }

    private void registered(Registration registered) {
        all.sessions().highestEpoch().accumulate(registered.epoch());
        if (registered.generation() != session.generation()) {
            over.run();
            return;
        }
        epoch = registered.epoch();
        next = registered.head();
        read();
    }

    private void read() {
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
                        // The store has forgotten something.
                        all.pause(this::begin);
                    } else if (page.entries().isEmpty()) {
                        over.run();
                    } else {
                        new Page(page.entries()).handOver();
                    }
                });
    }

    /** Reads on, at once or after a pause. */
    private void proceed(boolean now) {
        if (now) {
            read();
        } else {
            all.pause(this::read);
        }
    }

    private void pause(Runnable step, Throwable failure) {
        log.debug("clientId={}: the queue of its ending session could not be read", session.clientId(), failure);
        all.pause(step);
    }

    /** Some entries on their way. */
    private final class Page {
        private final List<QueuePage.Entry> entries;
        private int handled;
        // Those without an outcome, and the handing over itself.
        private final AtomicInteger open = new AtomicInteger(1);
        private final ConcurrentSkipListSet<Long> durable = new ConcurrentSkipListSet<>();
        // The first entry that could not be appended.
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

        /** Says whether it is dealt with; otherwise there is no room at this moment. */
        private boolean handOver(QueuePage.Entry entry) {
            String filter = entry.sharedFilter();
            if (filter == null
                    || entry.qos() != QoS.AT_LEAST_ONCE
                    || entry.message().isExpiredAt(all.clock().millis())) {
                return true;
            }
            open.incrementAndGet();
            RepublishOutcome outcome = all.publishService()
                    .redispatch(
                            entry.message(), TopicFilter.parse(filter, Integer.MAX_VALUE), outcomeOf(entry.sequence()));
            if (outcome != RepublishOutcome.TAKEN) {
                open.decrementAndGet();
            }
            return outcome != RepublishOutcome.NO_ROOM;
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
                            "clientId={}: a message of its ending session could not be appended",
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

        /** Decides where to read on; says whether all of this page is dealt with. */
        private boolean advance() {
            long failed = firstFailed.get();
            failuresInARow = failed == Long.MAX_VALUE || !durable.isEmpty() ? 0 : failuresInARow + 1;
            if (failuresInARow > MAXIMUM_FAILURES) {
                log.warn("clientId={}: messages of its ended session could not be given to others", session.clientId());
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
                            List.of(new Acknowledgement(session.clientId(), session.generation(), 0, runs)))
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
