package io.heddle.transport.admission;

import io.heddle.transport.admission.Places.OfNetwork;
import io.netty.channel.EventLoop;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The place of one connection. Owned by the connection's event loop, except for its state, which {@link Places} guard.
 *
 * <p>States: outside → unheard (the peer has sent nothing yet) → heard → settled (the peer has said who it is, and keeps the place as long
 * as it is connected). A place is evicted from the states unheard and heard.
 */
public final class Place {
    /** The part of the timeout after which a sweep closes a silent connection. */
    private static final int PATIENCE_DIVISOR = 20;

    private static final int SWEEPS_IN_PATIENCE = 5;

    /** The part of the timeout after which a sweep closes a connection although its peer goes on to send. */
    private static final int SLOW_DIVISOR = 4;

    enum State {
        OUTSIDE,
        UNHEARD,
        HEARD,
        SETTLED
    }

    private final Places places;
    private final EventLoop loop;
    private final long timeoutNanos;
    private final Runnable onEvicted;
    private long startedNanos;
    private long heardNanos;
    private long heardAtLastSweep;
    private boolean excused;
    private long excusedNanos;
    // Guarded by the places.
    State state = State.OUTSIDE;

    @Nullable
    OfNetwork network;

    /**
     * Creates a place that is not taken yet.
     *
     * @param timeout of the time before the peer says who it is, which the holder of the place enforces; sweeps use parts of it
     * @param onEvicted closes the connection; runs on its event loop. The connection has no place any more
     */
    public Place(Places places, EventLoop loop, Duration timeout, Runnable onEvicted) {
        this.places = places;
        this.loop = loop;
        this.timeoutNanos = timeout.toNanos();
        this.onEvicted = onEvicted;
        this.startedNanos = nanoTime();
        this.heardNanos = startedNanos;
        this.heardAtLastSweep = startedNanos - 1;
    }

    private long nanoTime() {
        return loop.ticker().nanoTime();
    }

    EventLoop loop() {
        return loop;
    }

    /** Takes the place of a new connection; returns whether there is one. */
    public Places.Answer enter(@Nullable String newNetwork) {
        return places.enter(this, newNetwork);
    }

    /**
     * The peer has sent something.
     *
     * @param currentNetwork that of the peer, which may have become known only now
     * @return another answer than {@code TAKEN} if the connection has lost its place: it must be closed
     */
    public Places.Answer heard(@Nullable String currentNetwork) {
        heardNanos = nanoTime();
        return places.heard(this, currentNetwork);
    }

    /** The peer has said who it is. Returns false if its place has been given to another connection, so that it must be closed. */
    public boolean settle() {
        return places.settle(this);
    }

    /** The connection ends, or is no longer one of these. May be called again. */
    public void leave() {
        places.leave(this);
    }

    /** The peer waits for this node, so that it is neither silent nor slow until {@link #expect}. */
    public void excuse() {
        if (!excused) {
            excused = true;
            excusedNanos = nanoTime();
        }
    }

    /** This node waits for the peer from now on. */
    public void expect() {
        if (excused) {
            excused = false;
            heardNanos = nanoTime();
            startedNanos += heardNanos - excusedNanos;
        }
    }

    void evict() {
        loop.execute(onEvicted);
    }

    long sweepNanos() {
        return timeoutNanos / PATIENCE_DIVISOR / SWEEPS_IN_PATIENCE;
    }

    /**
     * Returns whether a sweep may evict the connection. Between two sweeps the event loop has read what the peers have sent, so a peer that
     * is silent at both of them waits for nothing from this node.
     */
    boolean isIdle() {
        long now = nanoTime();
        boolean isSilent = heardAtLastSweep == heardNanos && now - heardNanos >= timeoutNanos / PATIENCE_DIVISOR;
        heardAtLastSweep = heardNanos;
        return !excused && (isSilent || now - startedNanos >= timeoutNanos / SLOW_DIVISOR);
    }
}
