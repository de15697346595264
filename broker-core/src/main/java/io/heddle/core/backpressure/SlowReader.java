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
 * <p>States: keeping up → holding publishers, while the connection is congested → keeping up when it is writable again, or given up when
 * the patience has elapsed. Given up, publishers continue and messages without room are dropped until the connection is writable. Bound:
 * each publisher is held once.
 */
@HotPath
public final class SlowReader {
    private final Connection connection;
    private final Duration patience;
    private final Set<Inflow> held = new LinkedHashSet<>(2);
    private EventLoop.@Nullable Timer limit;
    private boolean givenUp;

    /** @param patience the maximum time for which publishers are held */
    public SlowReader(Connection connection, Duration patience) {
        this.connection = connection;
        this.patience = patience;
    }

    /** Returns whether further publishers must be {@linkplain #hold held}. */
    public boolean isHolding() {
        connection.eventLoop().assertCurrent();
        return !givenUp && connection.isCongested();
    }

    /** Holds a publisher of the congested client. Returns false when the publisher is already held. */
    public boolean hold(Inflow publisher) {
        connection.eventLoop().assertCurrent();
        if (!held.add(publisher)) {
            return false;
        }
        if (limit == null) {
            limit = connection.eventLoop().schedule(patience, this::giveUp);
        }
        run(publisher, publisher::hold);
        return true;
    }

    /** Releases the publishers, because the connection is writable again. */
    public void becameWritable() {
        connection.eventLoop().assertCurrent();
        givenUp = false;
        releaseAll();
    }

    /** Releases the publishers after the connection has closed. */
    public void end() {
        connection.eventLoop().assertCurrent();
        givenUp = true;
        releaseAll();
    }

    private void releaseAll() {
        if (limit != null) {
            limit.cancel();
            limit = null;
        }
        for (Inflow publisher : held) {
            run(publisher, publisher::release);
        }
        held.clear();
    }

    private void giveUp() {
        if (limit == null) {
            return;
        }
        limit = null;
        givenUp = true;
        long heldNanos = patience.toNanos();
        for (Inflow publisher : held) {
            run(publisher, () -> publisher.releaseTimedOut(heldNanos));
        }
        held.clear();
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
