package io.heddle.core.backpressure;

import io.heddle.core.HotPath;
import io.heddle.core.client.Connection;
import io.heddle.core.client.EventLoop;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Slows the publishers of QoS 0 messages for a client that does not keep up. Belongs to the event loop of that client's connection.
 *
 * <p>States: keeping up; holding publishers, from the moment the connection is congested until it is writable again; given up, when
 * it was not writable again within the patience: its publishers go on, and messages without room are dropped, until it is writable.
 * Bound: each publisher is held once.
 */
@HotPath
public final class SlowReader {
    private final Connection connection;
    private final Duration patience;
    private final Set<Inflow> held = new LinkedHashSet<>(2);
    private EventLoop.@Nullable Timer limit;
    private boolean givenUp;

    /**
     * A client that keeps up.
     *
     * @param patience how long its publishers wait for it
     */
    public SlowReader(Connection connection, Duration patience) {
        this.connection = connection;
        this.patience = patience;
    }

    /** Whether messages of further publishers are worth a {@link #hold}. */
    public boolean isHolding() {
        return !givenUp && connection.isCongested();
    }

    /** The client is congested: holds a publisher of a message for it. Returns false when it did already. */
    public boolean hold(Inflow publisher) {
        if (!held.add(publisher)) {
            return false;
        }
        if (limit == null) {
            limit = connection.eventLoop().schedule(patience, this::giveUp);
        }
        run(publisher, publisher::hold);
        return true;
    }

    /** The connection is writable again. */
    public void becameWritable() {
        givenUp = false;
        releaseAll();
    }

    /** The connection is lost. */
    public void end() {
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
            run(publisher, () -> publisher.releaseInVain(heldNanos));
        }
        held.clear();
    }

    /** At once on the publisher's own loop, so that a publisher that floods the client stops with this message. */
    private static void run(Inflow publisher, Runnable change) {
        EventLoop owner = publisher.eventLoop();
        if (owner.isCurrent()) {
            change.run();
        } else {
            owner.execute(change);
        }
    }
}
