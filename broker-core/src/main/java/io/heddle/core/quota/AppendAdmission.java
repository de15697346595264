package io.heddle.core.quota;

import io.heddle.core.client.EventLoop;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayDeque;

/**
 * Admits changes of subscriptions to the log, so that the changes of many clients never take the memory that publishers need. A request
 * is admitted while the admitted ones leave room; the others wait and are admitted in the order in which they arrived. A request
 * larger than the limit is admitted alone, and counts as at most three quarters of the room to wait. Thread-safe; one lock, held for one
 * step or while a task is handed to an event loop.
 *
 * <p>Bounds: the bytes of admitted requests and the bytes of waiting ones. A request that finds no room to wait is rejected; small
 * requests have the last quarter of that room for themselves.
 *
 * <p>Metrics: {@code heddle.subscriptions.pending.bytes}, {@code heddle.subscriptions.waiting.bytes}.
 */
public final class AppendAdmission {
    /** What a request may ask for and still wait in the last quarter of the room. */
    private static final int SMALL_BYTES = 16 << 10;

    private final long pendingLimitBytes;
    private final long waitingLimitBytes;
    private final long clientLimitBytes;
    // Guarded by this.
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private long pendingBytes;
    private long waitingBytes;

    /** The answer to a request. */
    public enum Answer {
        /** The caller may append now, and releases its bytes when that is over. */
        ADMITTED,
        /** The task runs later; then the caller may append, and releases its bytes when that is over. */
        WAITING,
        /** There is no room to wait: nothing follows. */
        REJECTED
    }

    /** @param waitingBytes what it takes of the room to wait */
    private record Waiting(long bytes, long waitingBytes, EventLoop owner, Runnable admitted) {}

    /**
     * Nothing is admitted yet.
     *
     * @param pendingLimitBytes of admitted requests, at least 1
     * @param waitingLimitBytes of waiting requests, at least 1
     * @param clientLimitBytes of the requests of one client, admitted or waiting, at least 1; a client above it is not read
     */
    public AppendAdmission(
            long pendingLimitBytes, long waitingLimitBytes, long clientLimitBytes, MeterRegistry metrics) {
        this.pendingLimitBytes = pendingLimitBytes;
        this.waitingLimitBytes = waitingLimitBytes;
        this.clientLimitBytes = clientLimitBytes;
        Gauge.builder("heddle.subscriptions.pending.bytes", this, AppendAdmission::pendingBytes)
                .register(metrics);
        Gauge.builder("heddle.subscriptions.waiting.bytes", this, AppendAdmission::waitingBytes)
                .register(metrics);
    }

    /**
     * Asks for room for an append. Any thread.
     *
     * @param inOrder whether the request must wait even if there is room, because its caller has another one that waits
     * @param owner runs the task of a request that waited
     */
    public synchronized Answer request(long bytes, boolean inOrder, EventLoop owner, Runnable admitted) {
        if (!inOrder && waiting.isEmpty() && hasRoom(bytes)) {
            pendingBytes += bytes;
            return Answer.ADMITTED;
        }
        long sharedRoom = waitingLimitBytes / 4 * 3;
        long room = bytes <= SMALL_BYTES ? waitingLimitBytes : sharedRoom;
        // Nothing larger than the room would ever be admitted otherwise, and small requests keep theirs.
        long counted = Math.min(bytes, sharedRoom);
        // One may always wait.
        if (waitingBytes > 0 && waitingBytes + counted > room) {
            return Answer.REJECTED;
        }
        waiting.add(new Waiting(bytes, counted, owner, admitted));
        waitingBytes += counted;
        if (hasRoom(waiting.element().bytes())) {
            admitFirst();
        }
        return Answer.WAITING;
    }

    private boolean hasRoom(long bytes) {
        return pendingBytes == 0 || pendingBytes + bytes <= pendingLimitBytes;
    }

    /** Only with the lock, so that the tasks of one client keep their order. */
    private void admitFirst() {
        Waiting first = waiting.remove();
        waitingBytes -= first.waitingBytes();
        pendingBytes += first.bytes();
        first.owner().execute(first.admitted());
    }

    /** An admitted append is over: admits the next requests. Any thread. */
    public synchronized void release(long bytes) {
        pendingBytes -= bytes;
        while (!waiting.isEmpty() && hasRoom(waiting.element().bytes())) {
            admitFirst();
        }
    }

    /** Whether so much is admitted that nothing more should follow from it. */
    public synchronized boolean isFull() {
        return pendingBytes >= pendingLimitBytes;
    }

    /** Takes room for an append that follows from a subscription and does not wait; its caller has asked {@link #isFull}. */
    public synchronized void take(long bytes) {
        pendingBytes += bytes;
    }

    /** How much the requests of one client may hold before the client is not read. */
    public long clientLimitBytes() {
        return clientLimitBytes;
    }

    /** Of admitted requests. */
    public synchronized long pendingBytes() {
        return pendingBytes;
    }

    /** Of waiting requests, as they count. */
    public synchronized long waitingBytes() {
        return waitingBytes;
    }
}
