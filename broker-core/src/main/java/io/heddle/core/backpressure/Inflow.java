package io.heddle.core.backpressure;

import io.heddle.core.client.Connection;
import io.heddle.core.client.EventLoop;

/**
 * Pauses and resumes reading from a client. Belongs to the event loop of its connection; other loops hold and release it through tasks.
 *
 * <p>States: flowing ⇄ paused, because too many of its packets are unfinished or because subscribers of its messages lag. Bound: after a
 * hold for a {@link SlowReader} or a congested event loop has timed out, further holds have no effect for {@value #RESPITE_FACTOR} times as
 * long, so that subscribers that do not read at all cost the publisher only a small part of its time.
 */
public final class Inflow {
    private static final int RESPITE_FACTOR = 10;

    private final Connection connection;
    private final Runnable onResumed;
    private int holds;
    private int pauses;
    private boolean paused;
    private boolean ended;
    private boolean respite;
    private long respiteEndNanos;

    /** @param onResumed called when reading resumes */
    public Inflow(Connection connection, Runnable onResumed) {
        this.connection = connection;
        this.onResumed = onResumed;
    }

    /** The owner. Any thread. */
    EventLoop eventLoop() {
        return connection.eventLoop();
    }

    /** Returns whether reading is paused. */
    public boolean isPaused() {
        eventLoop().assertCurrent();
        return paused;
    }

    /** Pauses reading because the client has too many unfinished packets. Call {@link #resume} afterwards. */
    public void pause() {
        eventLoop().assertCurrent();
        pauses++;
        apply();
    }

    /** Undoes one {@link #pause}. */
    public void resume() {
        eventLoop().assertCurrent();
        pauses--;
        apply();
    }

    /** Pauses reading because a recipient of the client's messages lags. Call {@link #release} afterwards. */
    public void hold() {
        eventLoop().assertCurrent();
        holds++;
        apply();
    }

    /** Undoes one {@link #hold}. */
    public void release() {
        eventLoop().assertCurrent();
        holds--;
        apply();
    }

    /** Undoes one {@link #hold} that timed out: the recipient did not catch up. */
    public void releaseTimedOut(long heldNanos) {
        eventLoop().assertCurrent();
        respite = true;
        respiteEndNanos = eventLoop().nanoTime() + RESPITE_FACTOR * heldNanos;
        release();
    }

    /** Stops all effects after the connection has closed. */
    public void end() {
        eventLoop().assertCurrent();
        ended = true;
    }

    /** Returns whether a {@link #hold} has no effect because an earlier one timed out. */
    public boolean hasRespite() {
        eventLoop().assertCurrent();
        if (respite && eventLoop().nanoTime() - respiteEndNanos >= 0) {
            respite = false;
        }
        return respite;
    }

    private void apply() {
        boolean pause = pauses > 0 || (holds > 0 && !hasRespite());
        if (ended || pause == paused) {
            return;
        }
        paused = pause;
        if (pause) {
            connection.pauseReading();
        } else {
            connection.resumeReading();
            onResumed.run();
        }
    }
}
