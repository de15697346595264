package io.heddle.core.quota;

import io.heddle.core.Limit;
import io.heddle.core.client.EventLoop;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayDeque;

/**
 * Admits changes of subscriptions to the log, so that the changes of many clients never use the memory that publishers need. A
 * request is admitted while the admitted ones leave room; others wait and are admitted in arrival order. A request larger than
 * the limit is admitted alone and uses at most three quarters of the waiting room. Thread-safe: one lock, held for one step or
 * while a task is handed to an event loop.
 *
 * <p>Bounds: the bytes of admitted requests and the bytes of waiting ones. When the waiting room is full, requests are refused;
 * its last quarter is reserved for small requests.
 *
 * <p>Metrics: {@code heddle.subscriptions.pending.bytes}, {@code heddle.subscriptions.waiting.bytes}.
 */
public final class AppendAdmission {
    /** The largest request that may wait in the last quarter of the waiting room. */
    private static final int SMALL_BYTES = 16 << 10;

    private final long pendingLimitBytes;
    private final long waitingLimitBytes;
    private final long clientLimitBytes;
    // Guarded by this.
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private long pendingBytes;
    private long waitingBytes;

    public enum Answer {
        /** The caller may append now and releases its bytes when the append completes. */
        ADMITTED,
        /**
         * The task runs once the request is admitted; the caller then appends and releases its bytes when the append completes.
         */
        WAITING,
        /** The waiting room is full; the task never runs. */
        REFUSED
    }

    /** @param waitingBytes the bytes that it uses of the waiting room */
    private record Waiting(long bytes, long waitingBytes, EventLoop owner, Runnable admitted) {}

    /**
     * Creates an admission without requests.
     *
     * @param pendingLimitBytes of admitted requests, at least 1
     * @param waitingLimitBytes of waiting requests, at least 1
     * @param clientLimitBytes of one client's admitted and waiting requests, at least 1; a client above the limit is not read
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
     * Requests room for an append. Any thread.
     *
     * @param inOrder whether the request must wait even if there is room, because an earlier one of its caller is waiting
     * @param owner the event loop that runs the task of a waiting request
     */
    public synchronized Answer request(long bytes, boolean inOrder, EventLoop owner, Runnable admitted) {
        if (!inOrder && waiting.isEmpty() && hasRoom(bytes)) {
            pendingBytes += bytes;
            return Answer.ADMITTED;
        }
        long sharedRoom = waitingLimitBytes / 4 * 3;
        long room = bytes <= SMALL_BYTES ? waitingLimitBytes : sharedRoom;
        // Otherwise a request larger than the waiting room could never be admitted. Small requests keep their quarter.
        long counted = Math.min(bytes, sharedRoom);
        // One request may always wait.
        if (waitingBytes > 0 && waitingBytes + counted > room) {
            return Answer.REFUSED;
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

    /** Called with the lock held, so that the tasks of one client keep their order. */
    private void admitFirst() {
        Waiting first = waiting.remove();
        waitingBytes -= first.waitingBytes();
        pendingBytes += first.bytes();
        first.owner().execute(first.admitted());
    }

    /** Releases a completed append and admits the next requests. Any thread. */
    public synchronized void release(long bytes) {
        pendingBytes -= bytes;
        while (!waiting.isEmpty() && hasRoom(waiting.element().bytes())) {
            admitFirst();
        }
    }

    /** Returns whether the admitted bytes have reached their limit. */
    public synchronized boolean isFull() {
        return pendingBytes >= pendingLimitBytes;
    }

    /** Takes room for an append that results from a subscription and must not wait. The caller has checked {@link #isFull}. */
    public synchronized void take(long bytes) {
        pendingBytes += bytes;
    }

    /** Returns the limit of one client's requests, above which the client is not read. */
    public long clientLimitBytes() {
        return clientLimitBytes;
    }

    public Limit waitingLimit() {
        return new Limit("heddle.subscription.waiting-limit", waitingLimitBytes);
    }

    public synchronized long pendingBytes() {
        return pendingBytes;
    }

    /** Returns the bytes charged to the waiting room. */
    public synchronized long waitingBytes() {
        return waitingBytes;
    }
}
