package io.heddle.core.backpressure;

import io.heddle.core.client.Connection;
import io.heddle.core.client.EventLoop;

/**
 * Pauses and resumes reading from a client. Belongs to the event loop of its connection; other loops pause and resume it through tasks.
 *
 * <p>States: flowing ⇄ paused, because too many of its packets are unfinished or because subscribers of its messages lag. Bound: after a
 * pause for a {@link SlowReader} or a congested event loop has timed out, further pauses for recipients have no effect for
 * {@value #RESPITE_FACTOR} times as long. So subscribers that do not read at all cost the publisher only a small part of its time.
 */
public final class Inflow {
    private static final int RESPITE_FACTOR = 10;

    private final Connection connection;
    private final Runnable onResumed;
    // For a recipient that lags.
    private int recipientPauses;
    // For the client's own unfinished packets.
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

    /** Pauses reading because a recipient of the client's messages lags. Call {@link #resumeForRecipient} afterwards. */
    public void pauseForRecipient() {
        eventLoop().assertCurrent();
        recipientPauses++;
        apply();
    }

    /** Undoes one {@link #pauseForRecipient}. */
    public void resumeForRecipient() {
        eventLoop().assertCurrent();
        recipientPauses--;
        apply();
    }

    /** Undoes one {@link #pauseForRecipient} that timed out: the recipient did not catch up. */
    public void resumeAfterTimeout(long pausedNanos) {
        eventLoop().assertCurrent();
        respite = true;
        respiteEndNanos = eventLoop().nanoTime() + RESPITE_FACTOR * pausedNanos;
        resumeForRecipient();
    }

    /** Stops all effects after the connection has closed. */
    public void end() {
        eventLoop().assertCurrent();
        ended = true;
    }

    /** Returns whether {@link #pauseForRecipient} has no effect because an earlier one timed out. */
    public boolean hasRespite() {
        eventLoop().assertCurrent();
        if (respite && eventLoop().nanoTime() - respiteEndNanos >= 0) {
            respite = false;
        }
        return respite;
    }

    private void apply() {
        boolean pause = pauses > 0 || (recipientPauses > 0 && !hasRespite());
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
