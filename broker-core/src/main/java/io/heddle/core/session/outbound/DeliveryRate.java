package io.heddle.core.session.outbound;

import io.heddle.core.HotPath;
import io.heddle.core.Limit;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.EventLoop;
import io.heddle.core.delivery.log.OutboundQueue;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.quota.MessageRate;
import io.heddle.core.quota.RateLimits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Slows the deliveries to a client down to the limits that the rules set for it: above one, no PUBLISH is sent for a while. Owned by the event
 * loop of its connection. Bound: a pause lasts {@value MessageRate#LONGEST_PAUSE_SECONDS} s at most.
 */
@HotPath
final class DeliveryRate {
    private final ClientId clientId;
    private final EventLoop eventLoop;
    private final OutboundQueue.Listener listener;
    private final SessionMetrics metrics;
    private final MessageRate rate = new MessageRate();
    // The end of the present pause.
    private EventLoop.@Nullable Timer pause;

    /** @param listener has waiting messages sent at the end of a pause */
    DeliveryRate(ClientId clientId, EventLoop eventLoop, OutboundQueue.Listener listener, SessionMetrics metrics) {
        this.clientId = clientId;
        this.eventLoop = eventLoop;
        this.listener = listener;
        this.metrics = metrics;
    }

    /** Counts a message that was sent, and pauses the deliveries if the client is above a limit. */
    void sent(PublishMessage message, RateLimits limits) {
        long pauseNanos = rate.count(message, limits, eventLoop.nanoTime());
        if (pauseNanos <= 0 || pause != null) {
            return;
        }
        Limit limit = rate.areMessagesAhead()
                ? new Limit("limit messages-out of the rules", limits.messages())
                : new Limit("limit bytes-out of the rules", limits.bytes());
        metrics.incidents().overflowed(limit, "further messages, for a while", clientId);
        pause = eventLoop.schedule(Duration.ofNanos(pauseNanos), this::resume);
    }

    /** Returns whether nothing may be sent now. */
    boolean isPaused() {
        return pause != null;
    }

    void resume() {
        if (pause != null) {
            end();
            listener.onMessageAvailable();
        }
    }

    /** The connection is lost. */
    void end() {
        if (pause != null) {
            pause.cancel();
            pause = null;
        }
    }
}
