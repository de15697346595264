package io.heddle.core.session;

import io.heddle.core.HotPath;
import io.heddle.core.client.EventLoop;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.bucket.BucketPositions.Backlog;
import io.heddle.core.delivery.bucket.BucketPositions.Hold;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.delivery.log.OrderFence;
import io.heddle.core.publish.PublishCallback;
import io.heddle.core.publish.PublishOutcome;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The answers that one connection still owes to QoS 1 and 2 messages of its client, because what was published is on its way to
 * where it must survive. PUBACKs leave in the order of their PUBLISH packets, and so do PUBRECs [MQTT-4.6.0-2] [MQTT-4.6.0-3].
 * Belongs to the connection's event loop, except that answers become known on other threads. Bound: whoever adds looks at {@link
 * #count} and {@link #bytes}.
 *
 * <p>An answer whose message is safe still waits while a bucket that the message is for lags; {@link #end} releases it.
 */
@HotPath
final class PendingAcks {
    private final EventLoop eventLoop;
    private final BucketPositions positions;
    private final Sender sender;
    private final ArrayDeque<Answer> atLeastOnce = new ArrayDeque<>(2);
    private final ArrayDeque<Answer> exactlyOnce = new ArrayDeque<>(2);
    private final AtomicBoolean woken = new AtomicBoolean();
    private final OrderFence order = new OrderFence();
    private long bytes;
    private boolean held;

    /** Sends what is owed. On the event loop. */
    interface Sender {
        /** The outcome of a message is known and its turn has come. */
        void answer(Answer answer, PublishOutcome outcome);

        /** Nobody knows what became of a message, or it can't be kept. */
        void unanswerable(Throwable reason);

        /** All that could be answered now is. */
        void answered();
    }

    PendingAcks(EventLoop eventLoop, BucketPositions positions, Sender sender) {
        this.eventLoop = eventLoop;
        this.positions = positions;
        this.sender = sender;
    }

    /** In which what is answered is written. */
    OrderFence order() {
        return order;
    }

    /** How many are owed. */
    int count() {
        return atLeastOnce.size() + exactlyOnce.size();
    }

    /** About how much memory the messages take that are not safe yet. */
    long bytes() {
        return bytes;
    }

    /** Whether an answer to this QoS 2 message is owed: then it was received already and is not answered now. */
    boolean owes(int packetId) {
        for (Answer answer : exactlyOnce) {
            if (answer.packetId == packetId) {
                return true;
            }
        }
        return false;
    }

    /** Whether an answer may be sent before others are: it is the only one of its kind. */
    boolean isFirst(boolean twoPhases) {
        return (twoPhases ? exactlyOnce : atLeastOnce).isEmpty();
    }

    /** Owes an answer, behind those that are owed already. Its outcome may be known. */
    void add(Answer answer) {
        (answer.twoPhases ? exactlyOnce : atLeastOnce).add(answer);
        bytes += answer.bytes;
    }

    private void wake() {
        if (woken.compareAndSet(false, true)) {
            eventLoop.execute(this::drain);
        }
    }

    /** Whether an answer to a safe message waited for a bucket that lags when answers were sent last. */
    boolean isHeld() {
        return held;
    }

    private void drain() {
        woken.set(false);
        boolean acknowledgementsHeld = drain(atLeastOnce);
        boolean receiptsHeld = drain(exactlyOnce);
        held = acknowledgementsHeld || receiptsHeld;
        sender.answered();
    }

    /** Sends what can be sent. Returns whether the first of the others waits for a bucket. */
    private boolean drain(ArrayDeque<Answer> owed) {
        for (Answer first = owed.peek(); first != null && first.isKnown(); first = owed.peek()) {
            if (isHeld(first)) {
                return true;
            }
            owed.remove();
            bytes -= first.bytes;
            PublishOutcome outcome = first.outcome;
            if (outcome != null) {
                sender.answer(first, outcome);
            } else if (first.failure != null) {
                sender.unanswerable(first.failure);
            }
        }
        return false;
    }

    /** Whether the bucket that an answer waits for is still behind: then this is woken when it has caught up. */
    private boolean isHeld(Answer answer) {
        Backlog backlog = answer.backlog;
        if (backlog == null || !positions.isBehind(backlog)) {
            return false;
        }
        if (answer.hold == null || answer.hold.isDone()) {
            answer.hold = positions.whenCaughtUp(backlog, this::wake);
        }
        return true;
    }

    /** The connection is gone: nothing waits for a bucket any more. */
    void end() {
        end(atLeastOnce.peek());
        end(exactlyOnce.peek());
    }

    private static void end(@Nullable Answer first) {
        if (first != null && first.hold != null) {
            first.hold.cancel();
        }
    }

    /** The answer to one message. */
    static final class Answer implements PublishCallback {
        private final PendingAcks answers;
        private final int packetId;
        private final boolean twoPhases;
        private final @Nullable LogAppend mark;
        private final @Nullable PendingCommits uncommitted;
        private final int bytes;
        // Written before the outcome.
        private @Nullable Backlog backlog;
        // Of the event loop.
        private @Nullable Hold hold;
        private volatile @Nullable PublishOutcome outcome;
        private volatile @Nullable Throwable failure;

        /**
         * An answer that is not known.
         *
         * @param twoPhases whether it is PUBREC, otherwise it is PUBACK
         * @param mark what is written together with the message, or null
         * @param uncommitted counts it while it is on its way, or null
         */
        Answer(
                PendingAcks answers,
                int packetId,
                boolean twoPhases,
                @Nullable LogAppend mark,
                @Nullable PendingCommits uncommitted,
                int bytes) {
            this.answers = answers;
            this.packetId = packetId;
            this.twoPhases = twoPhases;
            this.mark = mark;
            this.uncommitted = uncommitted;
            this.bytes = bytes;
            if (uncommitted != null) {
                uncommitted.begin();
            }
        }

        int packetId() {
            return packetId;
        }

        boolean twoPhases() {
            return twoPhases;
        }

        private boolean isKnown() {
            return outcome != null || failure != null;
        }

        /** The outcome is known at once. On the event loop; the answer may still have to wait for its turn. */
        void known(PublishOutcome known) {
            outcome = known;
            committed();
        }

        private void committed() {
            if (uncommitted != null) {
                uncommitted.end();
            }
        }

        @Override
        public @Nullable LogAppend mark() {
            return mark;
        }

        @Override
        public OrderFence order() {
            return answers.order;
        }

        @Override
        public void onDurable(PublishOutcome known, @Nullable Backlog lagging) {
            backlog = lagging;
            outcome = known;
            answers.wake();
            committed();
        }

        @Override
        public void onFailed(Throwable reason) {
            failure = reason;
            answers.order.breakOff();
            answers.wake();
            committed();
        }
    }
}
