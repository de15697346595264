package io.heddle.core.authentication.fairness;

import io.heddle.core.Limit;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Lets a few sign-ins at once do something expensive, such as computing a password hash; the others wait in a {@link FairQueue}. Networks with
 * recent failures have at most half of the turns (or the only one), even if no other network waits. If the turns cost processors, such a network pauses
 * after each one for as long as it took, while others may have the turn: with a turn for each processor, its guesses use a quarter of them.
 * Thread-safe; blocks. Bound: the waiting time. A caller whose client has gone leaves the queue. Callers bound their number.
 */
public final class SignInTurns {
    /** The interval at which a waiting caller checks whether its client has disconnected. */
    private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final long maximumWaitNanos;
    private final Limit waitLimit;
    private final Predicate<String> isFailing;
    private final boolean pausesFailing;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by the lock. While a turn is free, the queue has only networks with recent failures, and those have their
    // part.
    private final FairQueue<Waiter> queue;
    private int free;
    private int freeForFailing;

    /** A caller that waits for its turn; guarded by the lock. */
    private static final class Waiter {
        final CountDownLatch granted = new CountDownLatch(1);
        final SignInSource source;

        @Nullable
        Turn turn;

        Waiter(SignInSource source) {
            this.source = source;
        }
    }

    /** The permission to do something expensive. Close it once. */
    public final class Turn implements AutoCloseable {
        private final boolean failing;
        private final long begunNanos = nanoTime.getAsLong();

        private Turn(boolean failing) {
            this.failing = failing;
            free--;
            if (failing) {
                freeForFailing--;
            }
        }

        /** Passes the turn on. Networks with recent failures may have it only after the pause. */
        @Override
        public void close() {
            if (failing && pausesFailing) {
                passOn(1, 0);
                CompletableFuture.delayedExecutor(nanoTime.getAsLong() - begunNanos, TimeUnit.NANOSECONDS)
                        .execute(() -> passOn(0, 1));
            } else {
                passOn(1, failing ? 1 : 0);
            }
        }
    }

    /**
     * Creates free turns.
     *
     * @param concurrency the number of callers that may have a turn at once, at least 1
     * @param maximumWait the maximum waiting time of a caller
     * @param waitLimit what the exception of a caller that has waited so long names
     * @param isFailing whether a network has recent failures, and thus lower priority; evaluated at each of its turns
     * @param pausesFailing whether such networks pause after each turn, because turns cost processors
     * @param nanoTime the monotonic clock, in nanoseconds
     */
    public SignInTurns(
            int concurrency,
            Duration maximumWait,
            Limit waitLimit,
            Predicate<String> isFailing,
            boolean pausesFailing,
            LongSupplier nanoTime) {
        if (concurrency < 1) {
            throw new IllegalArgumentException("concurrency is " + concurrency + ": use 1 or more");
        }
        this.maximumWaitNanos = maximumWait.toNanos();
        this.waitLimit = waitLimit;
        this.isFailing = isFailing;
        this.pausesFailing = pausesFailing;
        this.nanoTime = nanoTime;
        this.queue = new FairQueue<>(isFailing);
        this.free = concurrency;
        this.freeForFailing = Math.max(1, concurrency / 2);
    }

    public int waiting() {
        lock.lock();
        try {
            return queue.size();
        } finally {
            lock.unlock();
        }
    }

    /** Returns a turn for the broker itself, or null if none is free. */
    public @Nullable Turn tryBegin() {
        lock.lock();
        try {
            return free > 0 ? new Turn(false) : null;
        } finally {
            lock.unlock();
        }
    }

    /** Returns a turn, or null if the network would have to wait. */
    public @Nullable Turn tryBegin(SignInSource source) {
        lock.lock();
        try {
            boolean failing = isFailing.test(source.network());
            return free > 0 && (!failing || freeForFailing > 0) ? new Turn(failing) : null;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for a turn.
     *
     * @throws SignInBusyException if the caller waits too long, its client disconnects, or the thread is interrupted
     */
    public Turn begin(SignInSource source) {
        Waiter waiter = new Waiter(source);
        lock.lock();
        try {
            Turn turn = tryBegin(source);
            if (turn != null) {
                return turn;
            }
            queue.add(source, waiter);
        } finally {
            lock.unlock();
        }
        try {
            long endNanos = nanoTime.getAsLong() + maximumWaitNanos;
            for (long left = maximumWaitNanos; left > 0 && !source.isGone(); left = endNanos - nanoTime.getAsLong()) {
                if (waiter.granted.await(Math.min(left, CHECK_NANOS), TimeUnit.NANOSECONDS)) {
                    break;
                }
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
        return turnOf(waiter);
    }

    /** Returns the granted turn, or leaves the queue and throws. */
    private Turn turnOf(Waiter waiter) {
        lock.lock();
        try {
            if (waiter.turn != null) {
                return waiter.turn;
            }
            queue.remove(waiter.source, waiter);
        } finally {
            lock.unlock();
        }
        throw new SignInBusyException("timed out waiting for a turn", waitLimit);
    }

    private void passOn(int turns, int turnsForFailing) {
        lock.lock();
        try {
            free += turns;
            freeForFailing += turnsForFailing;
            while (free > 0) {
                Waiter next = queue.poll(freeForFailing > 0);
                if (next == null) {
                    return;
                }
                next.turn = new Turn(isFailing.test(next.source.network()));
                next.granted.countDown();
            }
        } finally {
            lock.unlock();
        }
    }
}
