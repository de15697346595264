package io.heddle.core.authentication;

import io.heddle.core.mqtt.BinaryData;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Shares the computation of password hashes fairly among the clients that show passwords: a few are computed at once, the others
 * wait in a {@link FairQueue}. Thread-safe; blocks like the hash that it computes. Bounds: the wait, after which the client is refused
 * as "server busy"; the number of waiting clients is bounded by those whose authentication is pending. A client that has gone gives up
 * its turn, so nothing is computed for it.
 *
 * <p>Metric: {@code heddle.password.waiting}.
 */
public final class QueuedPasswordHash implements PasswordHash {
    /** How often a waiting caller looks whether its client has gone. */
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final PasswordHash slow;
    private final Duration maximumWait;
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by the lock. While a permit is free nothing is queued.
    private final FairQueue<Waiter> queue;
    private int freePermits;

    /** A caller that waits for a permit; its fields belong to the lock. */
    private static final class Waiter {
        final CountDownLatch turn = new CountDownLatch(1);
        boolean granted;
    }

    /**
     * Shares a hash.
     *
     * @param concurrency how many are computed at once, at least 1
     * @param maximumWait how long a client waits at most
     * @param failures the networks that yield to others
     */
    public QueuedPasswordHash(
            PasswordHash slow, int concurrency, Duration maximumWait, SignInFailures failures, MeterRegistry registry) {
        if (concurrency < 1) {
            throw new IllegalArgumentException("at least one hash must be computed at once, not " + concurrency);
        }
        this.slow = slow;
        this.maximumWait = maximumWait;
        this.queue = new FairQueue<>(failures::isFailing);
        this.freePermits = concurrency;
        Gauge.builder("heddle.password.waiting", this, QueuedPasswordHash::waiting)
                .description("Clients that wait for their password to be checked")
                .register(registry);
    }

    /** Does not wait: not for clients. */
    @Override
    public String hash(BinaryData password) {
        return slow.hash(password);
    }

    /** @throws SignInBusyException when the caller's turn does not come in time, or it may not wait, or its client has gone */
    @Override
    public boolean matches(BinaryData password, String hash, SignInSource source) {
        if (!source.mayWait()) {
            throw new SignInBusyException("too many clients wait for authentication");
        }
        enter(source);
        try {
            if (source.isGone()) {
                throw new SignInBusyException("the client has gone");
            }
            return slow.matches(password, hash, source);
        } finally {
            leave();
        }
    }

    int waiting() {
        lock.lock();
        try {
            return queue.size();
        } finally {
            lock.unlock();
        }
    }

    private void enter(SignInSource source) {
        Waiter waiter = new Waiter();
        lock.lock();
        try {
            if (freePermits > 0) {
                freePermits--;
                return;
            }
            queue.add(source, waiter);
        } finally {
            lock.unlock();
        }
        try {
            long endNanos = System.nanoTime() + maximumWait.toNanos();
            for (long left = maximumWait.toNanos(); left > 0 && !source.isGone(); left = endNanos - System.nanoTime()) {
                if (waiter.turn.await(Math.min(left, LOOK_NANOS), TimeUnit.NANOSECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
        giveUp(source, waiter);
    }

    /** Returns when the permit was granted at the last moment. */
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
        throw new SignInBusyException("its turn to have its password checked did not come in time");
    }

    private void leave() {
        lock.lock();
        try {
            Waiter next = queue.poll();
            if (next == null) {
                freePermits++;
            } else {
                next.granted = true;
                next.turn.countDown();
            }
        } finally {
            lock.unlock();
        }
    }
}
