package io.heddle.core.backpressure;

import io.heddle.core.HotPath;
import io.heddle.core.client.Connection;
import io.heddle.core.client.EventLoop;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Slows the publishers of QoS 0 messages to a client that reads too slowly. Belongs to the event loop of that client's connection.
 *
 * <p>States: keeping up → pausing publishers, while the connection is congested → keeping up when it is writable again, or given up when
 * the patience has elapsed. Given up, publishers continue and messages without room are dropped until the connection is writable. Bound:
 * each publisher is paused once.
 */
@HotPath
public final class SlowReader {
    private final Connection connection;
    private final Duration patience;
    private final Set<Inflow> paused = new LinkedHashSet<>(2);
    private EventLoop.@Nullable Timer limit;
    private boolean givenUp;

    /** @param patience the maximum time for which publishers are paused */
    public SlowReader(Connection connection, Duration patience) {
        this.connection = connection;
        this.patience = patience;
    }

    /** Returns whether further publishers must be {@linkplain #pause paused}. */
    public boolean isPausing() {
        connection.eventLoop().assertCurrent();
        return !givenUp && connection.isCongested();
    }

    /** Pauses a publisher of the congested client. Returns false when the publisher is already paused. */
    public boolean pause(Inflow publisher) {
        connection.eventLoop().assertCurrent();
        if (!paused.add(publisher)) {
            return false;
        }
        if (limit == null) {
            limit = connection.eventLoop().schedule(patience, this::giveUp);
        }
        run(publisher, publisher::pauseForRecipient);
        return true;
    }

    /** Resumes the publishers, because the connection is writable again. */
    public void onWritable() {
        connection.eventLoop().assertCurrent();
        givenUp = false;
        resumeAll();
    }

    /** Resumes the publishers after the connection has closed. */
    public void end() {
        connection.eventLoop().assertCurrent();
        givenUp = true;
        resumeAll();
    }

    private void resumeAll() {
        if (limit != null) {
            limit.cancel();
            limit = null;
        }
        for (Inflow publisher : paused) {
            run(publisher, publisher::resumeForRecipient);
        }
        paused.clear();
    }

    private void giveUp() {
        if (limit == null) {
            return;
        }
        limit = null;
        givenUp = true;
        long pausedNanos = patience.toNanos();
        for (Inflow publisher : paused) {
            run(publisher, () -> publisher.resumeAfterTimeout(pausedNanos));
        }
        paused.clear();
    }

    /** Runs the change at once if both clients share a loop, so that a flooding publisher stops with this message. */
    private static void run(Inflow publisher, Runnable change) {
        EventLoop owner = publisher.eventLoop();
        if (owner.isCurrent()) {
            change.run();
        } else {
            owner.execute(change);
        }
    }
}
