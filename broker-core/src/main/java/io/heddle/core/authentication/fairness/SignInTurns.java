package io.heddle.core.authentication.fairness;

import io.heddle.core.Limit;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Lets a few sign-ins at once do something expensive, such as computing a password hash; the others wait in a {@link FairQueue}. Thread-safe;
 * blocks. Bound: the waiting time. A caller whose client has gone leaves the queue. Callers bound their number.
 */
public final class SignInTurns {
    /** The interval at which a waiting caller checks whether its client has disconnected. */
    private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final long maximumWaitNanos;
    private final Limit waitLimit;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by the lock. The queue is empty while a turn is free.
    private final FairQueue<Waiter> queue;
    private int free;

    /** A caller that waits for its turn; guarded by the lock. */
    private static final class Waiter {
        final CountDownLatch turn = new CountDownLatch(1);
        boolean granted;
    }

    /**
     * Creates free turns.
     *
     * @param concurrency the number of callers that may have a turn at once, at least 1
     * @param maximumWait the maximum waiting time of a caller
     * @param waitLimit what the exception of a caller that has waited so long names
     * @param isFailing whether a network has recent failures, and thus lower priority; evaluated at each of its turns
     * @param nanoTime the monotonic clock, in nanoseconds
     */
    public SignInTurns(
            int concurrency,
            Duration maximumWait,
            Limit waitLimit,
            Predicate<String> isFailing,
            LongSupplier nanoTime) {
        if (concurrency < 1) {
            throw new IllegalArgumentException("concurrency is " + concurrency + ": use 1 or more");
        }
        this.maximumWaitNanos = maximumWait.toNanos();
        this.waitLimit = waitLimit;
        this.nanoTime = nanoTime;
        this.queue = new FairQueue<>(isFailing);
        this.free = concurrency;
    }

    /** Returns the number of callers that wait. */
    public int waiting() {
        lock.lock();
        try {
            return queue.size();
        } finally {
            lock.unlock();
        }
    }

    /** Takes a turn if one is free. Call {@link #end} afterwards. */
    public boolean tryBegin() {
        lock.lock();
        try {
            if (free == 0) {
                return false;
            }
            free--;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for a turn. Call {@link #end} afterwards.
     *
     * @throws SignInBusyException if the caller waits too long, its client disconnects, or the thread is interrupted
     */
    public void begin(SignInSource source) {
        Waiter waiter = new Waiter();
        lock.lock();
        try {
            if (free > 0) {
                free--;
                return;
            }
            queue.add(source, waiter);
        } finally {
            lock.unlock();
        }
        try {
            long endNanos = nanoTime.getAsLong() + maximumWaitNanos;
            for (long left = maximumWaitNanos; left > 0 && !source.isGone(); left = endNanos - nanoTime.getAsLong()) {
                if (waiter.turn.await(Math.min(left, CHECK_NANOS), TimeUnit.NANOSECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
        giveUp(source, waiter);
    }

    /** Leaves the queue and throws, unless the turn was granted meanwhile. */
    private void giveUp(SignInSource source, Waiter waiter) {
        lock.lock();
        try {
            if (waiter.granted) {
                return;
            }
            queue.remove(source, waiter);
        } finally {
            lock.unlock();
        }
        throw new SignInBusyException("timed out waiting for a turn", waitLimit);
    }

    /** Passes a turn on. */
    public void end() {
        lock.lock();
        try {
            Waiter next = queue.poll();
            if (next == null) {
                free++;
            } else {
                next.granted = true;
                next.turn.countDown();
            }
        } finally {
            lock.unlock();
        }
    }
}
