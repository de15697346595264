package io.heddle.core.client.ledger;

import io.heddle.core.HotPath;
import io.heddle.core.client.EventLoop;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The copies of messages at the connections of one event loop, which alone changes this. Between two tasks of the loop its account is
 * balanced: each copy that has come was delivered, was dropped, is held, or has gone elsewhere.
 */
@HotPath
public final class LoopLedger {
    // Apart from the objects of other loops, so that their threads don't contend for a cache line.
    private static final int ROUTED = 8;
    private static final int TAKEN = 9;
    private static final int RETAINED = 10;
    private static final int READ = 11;
    private static final int DELIVERED = 12;
    private static final int DROPPED = 13;
    private static final int RETURNED = 14;
    private static final int PASSED_ON = 15;
    private static final int WAITING = 16;
    private static final int IN_FLIGHT = 17;
    private static final int RECEIVED = 18;
    private static final int LENGTH = 27;

    private final EventLoop loop;
    private final AtomicLongArray counts = new AtomicLongArray(LENGTH);

    LoopLedger(EventLoop loop) {
        this.loop = loop;
    }

    /** Other threads read the counts. One thread writes them, so that no atomic operation is needed. */
    private void add(int index, long copies) {
        counts.setRelease(index, counts.getPlain(index) + copies);
    }

    /** Messages of this event loop's own turn have come. */
    public void routed(int copies) {
        add(ROUTED, copies);
    }

    /**
     * Messages have come that another thread has handed over ({@link Flow#HANDED_OVER}).
     *
     * @param received whether another node has sent them
     */
    public void taken(int copies, boolean received) {
        add(received ? RECEIVED : ROUTED, copies);
        add(TAKEN, copies);
    }

    /** A retained message has come for a new subscription. */
    public void retained() {
        add(RETAINED, 1);
    }

    /** A message was taken from a queue or log. */
    public void read() {
        add(READ, 1);
    }

    /** Messages were sent at QoS 0, or one was acknowledged. */
    public void delivered(int copies) {
        add(DELIVERED, copies);
    }

    /** A message was dropped; its reason is counted elsewhere. */
    public void dropped() {
        add(DROPPED, 1);
    }

    /** The connection has ended, and the message stays in its queue or log. */
    public void returned() {
        add(RETURNED, 1);
    }

    /** Another member of the shared subscription was given the message. */
    public void passedOn() {
        add(PASSED_ON, 1);
    }

    /** One message more, or with -1 one message less, waits in memory. */
    public void waiting(int change) {
        add(WAITING, change);
    }

    /** One message more, or with -1 one message less, was sent and is not acknowledged. */
    public void inFlight(int change) {
        add(IN_FLIGHT, change);
    }

    long delivered() {
        return counts.getAcquire(DELIVERED);
    }

    long waiting() {
        return counts.getAcquire(WAITING);
    }

    long inFlight() {
        return counts.getAcquire(IN_FLIGHT);
    }

    /** Returns the counts between two tasks of the loop. Any thread; completes on the loop, after the tasks that it has been given before. */
    CompletionStage<Map<Flow, Long>> read(Map<Flow, Long> others) {
        CompletableFuture<Map<Flow, Long>> result = new CompletableFuture<>();
        loop.execute(() -> result.complete(plus(others)));
        return result;
    }

    private Map<Flow, Long> plus(Map<Flow, Long> others) {
        Map<Flow, Long> sums = new EnumMap<>(Flow.class);
        sums.putAll(others);
        add(sums, Flow.ROUTED, ROUTED);
        add(sums, Flow.RECEIVED, RECEIVED);
        add(sums, Flow.TAKEN, TAKEN);
        add(sums, Flow.RETAINED, RETAINED);
        add(sums, Flow.READ, READ);
        add(sums, Flow.DELIVERED, DELIVERED);
        add(sums, Flow.DROPPED, DROPPED);
        add(sums, Flow.RETURNED, RETURNED);
        add(sums, Flow.PASSED_ON, PASSED_ON);
        add(sums, Flow.WAITING, WAITING);
        add(sums, Flow.IN_FLIGHT, IN_FLIGHT);
        return sums;
    }

    private void add(Map<Flow, Long> sums, Flow flow, int index) {
        sums.merge(flow, counts.getPlain(index), Long::sum);
    }
}
