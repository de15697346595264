package io.heddle.core.session.inbound;

import io.heddle.core.HotPath;
import io.heddle.core.client.EventLoop;
import io.heddle.core.cluster.MessageName;
import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.bucket.BucketPositions.Backlog;
import io.heddle.core.delivery.bucket.BucketPositions.Hold;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.delivery.log.OrderFence;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.tracing.MessageTrace;
import io.heddle.core.publish.PublishCallback;
import io.heddle.core.publish.PublishOutcome;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The acknowledgements of one connection that wait until their messages are durable. PUBACKs leave in the order of their PUBLISH packets,
 * and so do PUBRECs [MQTT-4.6.0-2] [MQTT-4.6.0-3]. Owned by the connection's event loop, except that outcomes arrive on other threads.
 * Bound: the caller limits {@link #count} and {@link #bytes}.
 *
 * <p>The acknowledgement of a durable message still waits while a bucket of its recipients lags, and while the routing lease of the node has
 * ended; {@link #end} cancels these waits.
 */
@HotPath
final class PendingAcks {
    static final String CONNECTION_LOST = "connection_lost";

    private final EventLoop eventLoop;
    private final BucketPositions positions;
    private final RoutingLease lease;
    private final Sender sender;
    private final ArrayDeque<PendingAck> atLeastOnce = new ArrayDeque<>(2);
    private final ArrayDeque<PendingAck> exactlyOnce = new ArrayDeque<>(2);
    private final AtomicBoolean woken = new AtomicBoolean();
    // Of QoS 0 messages that are being retained. Any thread.
    private final AtomicLong retentionBytes = new AtomicLong();
    // Written by the event loop.
    private volatile boolean wakesOnRetention;
    private final OrderFence order = new OrderFence();
    private long bytes;
    private boolean held;
    private @Nullable Runnable leaseWait;
    // Completes when all outcomes are known; null while the connection lasts.
    private @Nullable CompletableFuture<Void> allKnown;

    /** Sends the acknowledgements. On the event loop. */
    interface Sender {
        /** The outcome of a message is known and its turn has come. */
        void acknowledge(PendingAck ack, PublishOutcome outcome);

        /** The outcome of a message is unknown, or the message can't be stored. */
        void onFailure(Throwable reason);

        /** All messages that can be acknowledged now are acknowledged. */
        void onDrained();
    }

    PendingAcks(EventLoop eventLoop, BucketPositions positions, RoutingLease lease, Sender sender) {
        this.eventLoop = eventLoop;
        this.positions = positions;
        this.lease = lease;
        this.sender = sender;
    }

    /** The order fence of the messages of the connection. */
    OrderFence order() {
        return order;
    }

    /** The number of pending acknowledgements. */
    int count() {
        return atLeastOnce.size() + exactlyOnce.size();
    }

    /** The approximate memory of the unacknowledged messages, and of the QoS 0 messages that are being retained. */
    long bytes() {
        return bytes + retentionBytes.get();
    }

    /** A QoS 0 message is about to be retained, or the log has answered it, if the bytes are negative. Any thread. */
    void addRetentionBytes(long more) {
        retentionBytes.addAndGet(more);
        if (more < 0 && wakesOnRetention) {
            wake();
        }
    }

    /** Sets whether an answer about a retained message leads to {@link Sender#onDrained}. */
    void wakeOnRetention(boolean wakes) {
        wakesOnRetention = wakes;
    }

    /** Returns whether the acknowledgement of this QoS 2 message is pending: then a repetition is not answered now. */
    boolean isPending(int packetId) {
        for (PendingAck ack : exactlyOnce) {
            if (ack.packetId == packetId) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether no other acknowledgement of its kind is pending, so that one may be sent at once. */
    boolean isFirst(boolean twoPhases) {
        return (twoPhases ? exactlyOnce : atLeastOnce).isEmpty();
    }

    /** Adds an acknowledgement behind the pending ones. Its outcome may be known. */
    void add(PendingAck ack) {
        ArrayDeque<PendingAck> pending = ack.twoPhases ? exactlyOnce : atLeastOnce;
        pending.add(ack);
        bytes += ack.bytes;
        if (pending.size() == 1 && ack.isKnown()) {
            wake();
        }
    }

    private void wake() {
        if (woken.compareAndSet(false, true)) {
            eventLoop.execute(this::drain);
        }
    }

    /** Returns whether the last {@link #drain} stopped at a durable message that waits for the routing lease or a lagging bucket. */
    boolean isHeld() {
        return held;
    }

    private void drain() {
        woken.set(false);
        // Asked once: each of these messages was routed on this event loop, before this turn.
        boolean isLeaseValid = lease.isValid();
        boolean acknowledgementsHeld = drain(atLeastOnce, isLeaseValid);
        boolean receiptsHeld = drain(exactlyOnce, isLeaseValid);
        held = acknowledgementsHeld || receiptsHeld;
        if (held && !isLeaseValid) {
            awaitLease();
        }
        sender.onDrained();
        completeIfKnown();
    }

    private void awaitLease() {
        Runnable wake = leaseWait;
        if (wake == null) {
            wake = this::wake;
            leaseWait = wake;
        }
        lease.whenValid(wake);
    }

    /** Sends acknowledgements in order, as far as their outcomes are known. Returns whether the next one waits although its outcome is known. */
    private boolean drain(ArrayDeque<PendingAck> pending, boolean isLeaseValid) {
        for (PendingAck first = pending.peek(); first != null && first.isKnown(); first = pending.peek()) {
            if ((!isLeaseValid && first.outcome != null) || isHeld(first)) {
                return true;
            }
            pending.remove();
            bytes -= first.bytes;
            PublishOutcome outcome = first.outcome;
            if (outcome != null) {
                sender.acknowledge(first, outcome);
            } else if (first.failure != null) {
                sender.onFailure(first.failure);
            }
        }
        return false;
    }

    /** Returns whether the bucket of an acknowledgement still lags; if so, {@link #wake} runs when the bucket has caught up. */
    private boolean isHeld(PendingAck ack) {
        Backlog backlog = ack.backlog;
        if (backlog == null || !positions.isBehind(backlog)) {
            return false;
        }
        if (ack.hold == null || ack.hold.isDone()) {
            ack.hold = positions.whenCaughtUp(backlog, this::wake);
        }
        return true;
    }

    /**
     * The connection is lost: stops waiting for buckets and for the lease.
     *
     * @return completes on the event loop when the outcome of every message is known, or will never be
     */
    CompletionStage<Void> end() {
        if (leaseWait != null) {
            lease.cancel(leaseWait);
        }
        end(atLeastOnce.peek());
        end(exactlyOnce.peek());
        atLeastOnce.forEach(ack -> ack.ended(CONNECTION_LOST));
        exactlyOnce.forEach(ack -> ack.ended(CONNECTION_LOST));
        CompletableFuture<Void> known = new CompletableFuture<>();
        allKnown = known;
        completeIfKnown();
        return known;
    }

    private void completeIfKnown() {
        CompletableFuture<Void> known = allKnown;
        if (known != null && areKnown(atLeastOnce) && areKnown(exactlyOnce)) {
            known.complete(null);
        }
    }

    private static boolean areKnown(ArrayDeque<PendingAck> pending) {
        for (PendingAck ack : pending) {
            if (!ack.isKnown()) {
                return false;
            }
        }
        return true;
    }

    private static void end(@Nullable PendingAck first) {
        if (first != null && first.hold != null) {
            first.hold.cancel();
        }
    }

    /** The acknowledgement of one message. */
    static final class PendingAck implements PublishCallback {
        private final PendingAcks acks;
        private final int packetId;
        private final boolean twoPhases;
        private final @Nullable ReceivedMarker marker;
        private final @Nullable MessageName name;
        private final int bytes;
        private final @Nullable MessageTrace trace;
        // Written before the volatile outcome.
        private @Nullable Backlog backlog;
        // Owned by the event loop.
        private @Nullable Hold hold;
        private volatile @Nullable PublishOutcome outcome;
        private volatile @Nullable Throwable failure;

        /**
         * An acknowledgement whose outcome is unknown.
         *
         * @param twoPhases whether it is PUBREC, otherwise it is PUBACK
         * @param marker the QoS 2 marker that is committed with the message, or null
         * @param name of a QoS 2 message with a marker, or of one that an earlier connection has stored; null for others
         */
        PendingAck(
                PendingAcks acks,
                int packetId,
                boolean twoPhases,
                @Nullable ReceivedMarker marker,
                @Nullable MessageName name,
                PublishMessage message) {
            this.acks = acks;
            this.packetId = packetId;
            this.twoPhases = twoPhases;
            this.marker = marker;
            this.name = name;
            this.bytes = message.heldBytes();
            this.trace = message.arrivedTrace();
            if (marker != null) {
                marker.commits().begin();
            }
        }

        int packetId() {
            return packetId;
        }

        boolean twoPhases() {
            return twoPhases;
        }

        /** The message is answered, or will not be, see {@link MessageTrace#publishEnded}. */
        void ended(@Nullable String failure) {
            if (trace != null) {
                trace.publishEnded(failure);
            }
        }

        private boolean isKnown() {
            return outcome != null || failure != null;
        }

        /** Sets an outcome that is known at once. On the event loop; the acknowledgement may have to wait for its turn. */
        void setOutcome(PublishOutcome known) {
            outcome = known;
            committed();
        }

        private void committed() {
            if (marker != null) {
                marker.commits().end();
            }
        }

        @Override
        public @Nullable LogAppend marker() {
            return marker == null ? null : marker.append();
        }

        @Override
        public @Nullable MessageName name() {
            return name;
        }

        @Override
        public OrderFence order() {
            return acks.order;
        }

        @Override
        public void onDurable(PublishOutcome known, @Nullable Backlog lagging) {
            backlog = lagging;
            outcome = known;
            acks.wake();
            committed();
        }

        @Override
        public void onFailed(Throwable reason) {
            ended("append_failed");
            failure = reason;
            acks.order.breakOff();
            acks.wake();
            committed();
        }
    }
}
