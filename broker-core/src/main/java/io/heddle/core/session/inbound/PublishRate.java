package io.heddle.core.session.inbound;

import io.heddle.core.HotPath;
import io.heddle.core.Limit;
import io.heddle.core.backpressure.Inflow;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.Connection;
import io.heddle.core.client.EventLoop;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.quota.MessageRate;
import io.heddle.core.quota.RateLimits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Slows a publisher down to the limits that the rules set for it: above one, it is not read for a while, also over its next connection. A client
 * that has gone is not slowed down, because nothing more can arrive. Owned by the event loop of its connection. Bound: a pause lasts {@value
 * MessageRate#LONGEST_PAUSE_SECONDS} s at most.
 */
@HotPath
final class PublishRate {
    private final ClientId clientId;
    private final Connection connection;
    private final EventLoop eventLoop;
    private final Inflow inflow;
    private final InboundServices services;
    private final MessageRate rate;
    // The end of the present pause.
    private EventLoop.@Nullable Timer pause;

    PublishRate(ClientId clientId, Connection connection, Inflow inflow, InboundServices services) {
        this.clientId = clientId;
        this.connection = connection;
        this.eventLoop = connection.eventLoop();
        this.inflow = inflow;
        this.services = services;
        this.rate = services.usedRates().resume(clientId);
    }

    /** The client has connected: it is not read until it has paid for what it has published over an earlier connection. */
    void begin(RateLimits limits) {
        pause(rate.pauseNanos(limits, eventLoop.nanoTime()), limits);
    }

    /** Counts a message, and pauses the publisher if it is above a limit. */
    void received(PublishMessage message, RateLimits limits) {
        pause(rate.count(message, limits, eventLoop.nanoTime()), limits);
    }

    private void pause(long pauseNanos, RateLimits limits) {
        if (pauseNanos <= 0 || pause != null || connection.isDraining()) {
            return;
        }
        services.metrics().publishersPaused.increment();
        Limit limit = rate.areMessagesAhead()
                ? new Limit("limit messages of the rules", limits.messages())
                : new Limit("limit bytes of the rules", limits.bytes());
        services.metrics().incidents().overflowed(limit, "to be read, for a while", clientId);
        inflow.pause();
        pause = eventLoop.schedule(Duration.ofNanos(pauseNanos), this::resume);
    }

    /** The connection is lost. */
    void end() {
        resume();
        services.usedRates().leave(clientId, rate, eventLoop.nanoTime());
    }

    /** Ends a pause. */
    void resume() {
        EventLoop.Timer present = pause;
        if (present != null) {
            pause = null;
            present.cancel();
            inflow.resume();
        }
    }
}
