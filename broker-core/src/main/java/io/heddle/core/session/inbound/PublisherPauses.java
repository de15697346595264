package io.heddle.core.session.inbound;

import io.heddle.core.HotPath;
import io.heddle.core.backpressure.Inflow;
import io.heddle.core.client.EventLoop;
import io.heddle.core.delivery.log.MessageLog;
import java.time.Duration;

/**
 * Decides when a publisher is not read. Owned by the event loop of its connection.
 *
 * <p>Bounds: {@value #MAXIMUM_BYTES} bytes of messages without an answer of the log, or less if the log offers a publisher less
 * ({@link MessageLog#publisherShare}); {@value #MAXIMUM_HELD} pending acknowledgements, while a bucket lags or the lease has ended; in MQTT
 * 3.x, as many as the Receive Maximum. Below half of each bound, the publisher is read again;
 * while the log offers nothing, not even then. A publisher of QoS 0 messages is also not read
 * while event loops lag, at most for the patience.
 */
@HotPath
final class PublisherPauses {
    private static final long MAXIMUM_BYTES = 4L << 20;
    private static final int MAXIMUM_HELD = 64;
    private static final Duration LOOPS_PAUSE = Duration.ofMillis(5);
    private static final Duration SHARE_PAUSE = Duration.ofMillis(5);

    private final EventLoop eventLoop;
    private final Inflow inflow;
    private final int maximumPending;
    private final InboundServices services;
    private boolean paused;
    private boolean awaitsShare;
    private boolean pausedByLoops;

    /** @param countsPending whether the protocol version does not tell the client how many acknowledgements may be pending */
    PublisherPauses(EventLoop eventLoop, Inflow inflow, boolean countsPending, InboundServices services) {
        this.eventLoop = eventLoop;
        this.inflow = inflow;
        this.maximumPending = countsPending ? services.limits().receiveMaximum() : Integer.MAX_VALUE;
        this.services = services;
    }

    /** Pauses the publisher if it is above a bound. */
    void pauseAbove(PendingAcks pending) {
        if (paused || !isAbove(pending)) {
            return;
        }
        pending.wakeOnRetention(true);
        // Asked again: the log may have answered the last message before it knew that it must wake the loop.
        if (isAbove(pending)) {
            paused = true;
            if (pending.bytes() > maximumBytes()) {
                services.metrics().publishersPaused.increment();
            }
            inflow.pause();
        } else {
            pending.wakeOnRetention(false);
        }
    }

    /** Resumes the publisher if it is below half of each bound. */
    void resumeBelow(PendingAcks pending) {
        if (paused && isBelowHalf(pending)) {
            pending.wakeOnRetention(false);
            paused = false;
            inflow.resume();
        } else if (paused && pending.bytes() == 0) {
            awaitShare(pending);
        } else {
            pauseAbove(pending);
        }
    }

    /** The messages of others use the log's memory up. No answer to a message of this publisher will tell when that ends. */
    private void awaitShare(PendingAcks pending) {
        if (!awaitsShare) {
            awaitsShare = true;
            var _ = eventLoop.schedule(SHARE_PAUSE, () -> {
                awaitsShare = false;
                resumeBelow(pending);
            });
        }
    }

    private boolean isAbove(PendingAcks pending) {
        return pending.count() >= maximumPending
                || (pending.isHeld() && pending.count() >= MAXIMUM_HELD)
                || pending.bytes() > maximumBytes();
    }

    private boolean isBelowHalf(PendingAcks pending) {
        long bytes = pending.bytes();
        return pending.count() <= maximumPending / 2
                && (!pending.isHeld() || pending.count() <= MAXIMUM_HELD / 2)
                && (bytes == 0 ? maximumBytes() > 0 : bytes < maximumBytes() / 2);
    }

    private long maximumBytes() {
        return Math.min(MAXIMUM_BYTES, services.log().publisherShare());
    }

    /** Pauses the publisher of a QoS 0 message until the event loops have caught up, at most for the patience. */
    void pauseWhileLoopsLag() {
        if (services.publishService().isCongested() && !pausedByLoops && !inflow.hasRespite()) {
            pausedByLoops = true;
            services.metrics().publishersPaused.increment();
            inflow.pauseForRecipient();
            awaitLoops(eventLoop.nanoTime());
        }
    }

    private void awaitLoops(long pausedSinceNanos) {
        eventLoop.schedule(LOOPS_PAUSE, () -> {
            long pausedNanos = eventLoop.nanoTime() - pausedSinceNanos;
            if (!services.publishService().isCongested()) {
                pausedByLoops = false;
                inflow.resumeForRecipient();
            } else if (pausedNanos >= services.limits().congestionPatience().toNanos()) {
                pausedByLoops = false;
                inflow.resumeAfterTimeout(pausedNanos);
            } else {
                awaitLoops(pausedSinceNanos);
            }
        });
    }
}
