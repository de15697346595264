package io.heddle.core.authentication;

import io.heddle.core.Limit;
import io.heddle.core.mqtt.BinaryData;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Schedules password hash computations fairly: a few run concurrently, the others wait in a {@link FairQueue}. Thread-safe;
 * blocks like the delegate. Bounds: the waiting time, after which the client is refused with "server busy"; the number of waiting
 * clients is bounded by the pending authentications. A client that disconnects leaves the queue, and nothing is computed for it.
 *
 * <p>Metric: {@code heddle.password.waiting}.
 */
public final class QueuedPasswordHash implements PasswordHash {
    /** The interval at which a waiting caller checks whether its client has disconnected. */
    private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final PasswordHash delegate;
    private final Duration maximumWait;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by the lock. The queue is empty while a permit is free.
    private final FairQueue<Waiter> queue;
    private int freePermits;

    /** A caller that waits for a permit; guarded by the lock. */
    private static final class Waiter {
        final CountDownLatch turn = new CountDownLatch(1);
        boolean granted;
    }

    /**
     * Creates a queue in front of a hash.
     *
     * @param concurrency the maximum number of concurrent computations, at least 1
     * @param maximumWait the maximum waiting time of a client
     * @param failures the networks that have lower priority
     * @param nanoTime the monotonic clock, in nanoseconds
     */
    public QueuedPasswordHash(
            PasswordHash delegate,
            int concurrency,
            Duration maximumWait,
            SignInFailures failures,
            LongSupplier nanoTime,
            MeterRegistry registry) {
        if (concurrency < 1) {
            throw new IllegalArgumentException("concurrency is " + concurrency + ": use 1 or more");
        }
        this.delegate = delegate;
        this.maximumWait = maximumWait;
        this.nanoTime = nanoTime;
        this.queue = new FairQueue<>(failures::isFailing);
        this.freePermits = concurrency;
        Gauge.builder("heddle.password.waiting", this, QueuedPasswordHash::waiting)
                .description("Clients waiting for their password to be verified")
                .register(registry);
    }

    /** Computes the hash without queueing, because clients cannot trigger it. */
    @Override
    public String hash(BinaryData password) {
        return delegate.hash(password);
    }

    /** @throws SignInBusyException if the caller may not wait, waits too long, or its client disconnects */
    @Override
    public boolean matches(BinaryData password, String hash, SignInSource source) {
        if (!source.mayWait()) {
            throw new SignInBusyException("too many clients are waiting for authentication");
        }
        enter(source);
        try {
            if (source.isGone()) {
                throw new SignInBusyException("the client disconnected");
            }
            return delegate.matches(password, hash, source);
        } finally {
            leave();
        }
    }

    /** Computes the hash only if nobody waits for a computation. */
    @Override
    public @Nullable String renew(BinaryData password, String hash) {
        lock.lock();
        try {
            if (freePermits == 0) {
                return null;
            }
            freePermits--;
        } finally {
            lock.unlock();
        }
        try {
            return delegate.renew(password, hash);
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
            long endNanos = nanoTime.getAsLong() + maximumWait.toNanos();
            for (long left = maximumWait.toNanos();
                    left > 0 && !source.isGone();
                    left = endNanos - nanoTime.getAsLong()) {
                if (waiter.turn.await(Math.min(left, CHECK_NANOS), TimeUnit.NANOSECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
        giveUp(source, waiter);
    }

    /** Leaves the queue and throws, unless the permit was granted meanwhile. */
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
        throw new SignInBusyException(
                "timed out waiting for password verification",
                new Limit("heddle.authentication.maximum-password-wait in seconds", maximumWait.toSeconds()));
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
