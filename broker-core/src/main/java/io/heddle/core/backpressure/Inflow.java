package io.heddle.core.backpressure;

import io.heddle.core.client.Connection;
import io.heddle.core.client.EventLoop;

/**
 * Decides whether a client is read. Belongs to the event loop of its connection; other loops hold and release it through tasks.
 *
 * <p>States: flowing; paused, because too many of its packets are unfinished or because clients that get its messages do not keep up. Bound: after a {@link SlowReader} or a congested event loop has held it in vain, nothing can hold it for {@value #RESPITE_FACTOR} times as long, so
 * clients that do not read at all cost it a small part of its time only.
 */
public final class Inflow {
    private static final int RESPITE_FACTOR = 10;

    private final Connection connection;
    private final Runnable resumed;
    private int holds;
    private int pauses;
    private boolean paused;
    private boolean ended;
    private boolean respite;
    private long respiteEndNanos;

    /**
     * A client that is read.
     *
     * @param resumed called when it is read again
     */
    public Inflow(Connection connection, Runnable resumed) {
        this.connection = connection;
        this.resumed = resumed;
    }

    /** The owner thread. Any thread may ask. */
    EventLoop eventLoop() {
        return connection.eventLoop();
    }

    /** Whether the client is not read at this moment. */
    public boolean isPaused() {
        return paused;
    }

    /** Too much that the client sent is unfinished. {@link #resume} follows. */
    public void pause() {
        pauses++;
        apply();
    }

    /** Undoes one {@link #pause}. */
    public void resume() {
        pauses--;
        apply();
    }

    /** Something that its messages are for does not keep up. {@link #release} follows. */
    public void hold() {
        holds++;
        apply();
    }

    /** Undoes one {@link #hold}. */
    public void release() {
        holds--;
        apply();
    }

    /** Undoes one {@link #hold} that lasted so long without any effect. */
    public void releaseInVain(long heldNanos) {
        respite = true;
        respiteEndNanos = eventLoop().nanoTime() + RESPITE_FACTOR * heldNanos;
        release();
    }

    /** The connection is lost. */
    public void end() {
        ended = true;
    }

    /** Whether a {@link #hold} has no effect because an earlier one was in vain. */
    public boolean hasRespite() {
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
            resumed.run();
        }
    }
}
