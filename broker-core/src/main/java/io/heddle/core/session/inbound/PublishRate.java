package io.heddle.core.session.inbound;

import io.heddle.core.HotPath;
import io.heddle.core.Limit;
import io.heddle.core.authorization.ClientLimits;
import io.heddle.core.backpressure.Inflow;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.Connection;
import io.heddle.core.client.EventLoop;
import io.heddle.core.message.PublishMessage;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Slows a publisher down to the limits that the rules set for it: above one, it is not read for a while. What it has not used in the last second,
 * it may publish at once. A client that has gone is not slowed down: nothing more can arrive. Owned by the event loop of its connection. Bound: a
 * pause lasts {@value #LONGEST_PAUSE_SECONDS} s at most.
 */
@HotPath
final class PublishRate {
    static final int LONGEST_PAUSE_SECONDS = 60;

    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long LONGEST_PAUSE = LONGEST_PAUSE_SECONDS * SECOND;

    private final ClientId clientId;
    private final Connection connection;
    private final EventLoop eventLoop;
    private final Inflow inflow;
    private final InboundServices services;
    // When the messages and bytes so far would have been published at the rates of the limits.
    private long messagesNanos;
    private long bytesNanos;
    private ClientLimits limits = ClientLimits.NONE;
    // The end of the present pause.
    private EventLoop.@Nullable Timer pause;

    PublishRate(ClientId clientId, Connection connection, Inflow inflow, InboundServices services) {
        this.clientId = clientId;
        this.connection = connection;
        this.eventLoop = connection.eventLoop();
        this.inflow = inflow;
        this.services = services;
    }

    /** Counts a message, and pauses the publisher if it is above a limit. */
    void received(PublishMessage message, ClientLimits present) {
        long now = eventLoop.nanoTime();
        if (!limits.equals(present)) {
            limits = present;
            messagesNanos = now - SECOND;
            bytesNanos = messagesNanos;
        }
        messagesNanos = next(messagesNanos, now, 1, limits.messages());
        int bytes = message.payload().length()
                + message.topic().value().length()
                + message.properties().heldBytes();
        bytesNanos = next(bytesNanos, now, bytes, limits.bytes());
        boolean areMessagesAhead = messagesNanos - bytesNanos > 0;
        long aheadNanos = (areMessagesAhead ? messagesNanos : bytesNanos) - now;
        if (aheadNanos <= 0 || pause != null || connection.isDraining()) {
            return;
        }
        services.metrics().publishersPaused.increment();
        Limit limit = areMessagesAhead
                ? new Limit("limit messages of the rules", limits.messages())
                : new Limit("limit bytes of the rules", limits.bytes());
        services.metrics().incidents().overflowed(limit, "to be read, for a while", clientId);
        inflow.pause();
        pause = eventLoop.schedule(Duration.ofNanos(Math.min(aheadNanos, LONGEST_PAUSE)), this::resume);
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

    private static long next(long before, long now, long amount, long perSecond) {
        long unused = now - SECOND;
        return (before - unused < 0 ? unused : before) + amount * SECOND / perSecond;
    }
}
