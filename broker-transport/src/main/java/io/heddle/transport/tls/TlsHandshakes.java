package io.heddle.transport.tls;

import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.EventLoop;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The handshakes in progress of a node, and the threads for their costly steps ({@code heddle-tls-N}). Bound: a maximum number of handshakes. At
 * the bound a new connection is closed, unless the event loop has an old handshake whose client has had time enough, which is closed instead:
 * clients that never complete a handshake then do not keep out the others. Each event loop owns its handshakes; the rest is thread-safe.
 */
public final class TlsHandshakes implements AutoCloseable {
    /** The part of the timeout after which a handshake may be closed for a new one. */
    private static final int PATIENCE_DIVISOR = 10;

    private final int maximum;
    private final Duration timeout;
    private final LongSupplier nanoTime;
    private final AtomicInteger inProgress = new AtomicInteger();
    private final TlsMetrics metrics;
    private final HandshakeLog log;
    private final ExecutorService threads;
    // Oldest first. Each set belongs to its event loop.
    private final Map<EventLoop, Set<HandshakeHandler>> byLoop = new ConcurrentHashMap<>();

    /**
     * Creates the threads, which start with the first handshake.
     *
     * @param maximum number of handshakes in progress, at least 1
     * @param timeout of a handshake from the opening of the connection; positive
     * @param threads number of threads for costly steps, at least 1
     */
    public TlsHandshakes(int maximum, Duration timeout, int threads, LongSupplier nanoTime, MeterRegistry registry) {
        if (maximum < 1 || !timeout.isPositive()) {
            throw new IllegalArgumentException("maximum and timeout of handshakes must be positive");
        }
        this.maximum = maximum;
        this.timeout = timeout;
        this.nanoTime = nanoTime;
        this.metrics = new TlsMetrics(registry, inProgress);
        this.log = new HandshakeLog(nanoTime);
        // The queue is bounded by the number of handshakes, each of which has one task at a time.
        this.threads = Executors.newFixedThreadPool(
                threads, Thread.ofPlatform().daemon().name("heddle-tls-", 0).factory());
    }

    Executor threads() {
        return threads;
    }

    Duration timeout() {
        return timeout;
    }

    long nanoTime() {
        return nanoTime.getAsLong();
    }

    /** Returns the number of handshakes in progress. */
    public int inProgress() {
        return inProgress.get();
    }

    /** Begins a handshake; returns false if the connection must be closed. On its event loop. */
    boolean begin(EventLoop loop, HandshakeHandler handshake) {
        Set<HandshakeHandler> own = byLoop.computeIfAbsent(loop, _ -> new LinkedHashSet<>());
        if (!hasTakenPlace() && !(closeOldest(own) && hasTakenPlace())) {
            return false;
        }
        own.add(handshake);
        return true;
    }

    private boolean hasTakenPlace() {
        int count = inProgress.get();
        while (count < maximum) {
            if (inProgress.compareAndSet(count, count + 1)) {
                return true;
            }
            count = inProgress.get();
        }
        return false;
    }

    private boolean closeOldest(Set<HandshakeHandler> own) {
        Iterator<HandshakeHandler> oldestFirst = own.iterator();
        if (!oldestFirst.hasNext()) {
            return false;
        }
        HandshakeHandler oldest = oldestFirst.next();
        if (nanoTime() - oldest.startedNanos() < timeout.toNanos() / PATIENCE_DIVISOR) {
            return false;
        }
        oldest.close(HandshakeFailure.TOO_MANY);
        return true;
    }

    /** Ends a handshake that has begun. On the event loop of its connection; may be called again. */
    void end(EventLoop loop, HandshakeHandler handshake) {
        Set<HandshakeHandler> own = byLoop.get(loop);
        if (own != null && own.remove(handshake)) {
            inProgress.decrementAndGet();
        }
    }

    void completed(String protocol) {
        metrics.completed(protocol);
    }

    void failed(HandshakeFailure reason, String listener, @Nullable SocketAddress address, @Nullable Throwable cause) {
        metrics.failed(reason);
        var _ = log.failed(reason, listener, address, cause);
    }

    /** Ends the threads. After the last connection. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
