package io.heddle.transport.tls;

import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.EventLoop;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The handshakes in progress of a node, and the threads for their costly steps ({@code heddle-tls-N}). Bound: a maximum number of handshakes, at
 * which new connections are closed. From half of it on, each event loop sweeps its handshakes: it closes those whose clients are silent or slow. So clients
 * that never complete a handshake do not keep out the others, and handshakes that wait for a busy node are completed. Each event loop owns its
 * handshakes; the rest is thread-safe.
 */
public final class TlsHandshakes implements AutoCloseable {
    /** The part of the timeout after which a sweep closes a silent client. */
    private static final int PATIENCE_DIVISOR = 20;

    private static final int SWEEPS_IN_PATIENCE = 5;

    /** The part of the timeout after which a sweep closes a client although it goes on to send. */
    private static final int SLOW_DIVISOR = 4;

    private final int maximum;
    private final Duration timeout;
    private final LongSupplier nanoTime;
    private final AtomicInteger inProgress = new AtomicInteger();
    private final TlsMetrics metrics;
    private final HandshakeLog log;
    private final ExecutorService threads;
    // Each one belongs to its event loop.
    private final Map<EventLoop, OfLoop> byLoop = new ConcurrentHashMap<>();

    private static final class OfLoop {
        private final Set<HandshakeHandler> handshakes = new LinkedHashSet<>();
        private boolean isSweeping;
    }

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
        OfLoop own = byLoop.computeIfAbsent(loop, _ -> new OfLoop());
        boolean isAdmitted = hasTakenPlace();
        if (isCrowded()) {
            sweepLater(loop, own);
        }
        if (!isAdmitted) {
            return false;
        }
        own.handshakes.add(handshake);
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

    private boolean isCrowded() {
        return inProgress.get() > maximum / 2;
    }

    private void sweepLater(EventLoop loop, OfLoop own) {
        if (!own.isSweeping) {
            own.isSweeping = true;
            var _ = loop.schedule(() -> sweep(loop, own), patienceNanos() / SWEEPS_IN_PATIENCE, TimeUnit.NANOSECONDS);
        }
    }

    /**
     * Closes silent and slow handshakes. Between two sweeps the event loop has read what the clients have sent, so a handshake that is silent at both of
     * them waits for its client, not for this node. Sweeps go on while the node has many handshakes.
     */
    private void sweep(EventLoop loop, OfLoop own) {
        own.isSweeping = false;
        if (!isCrowded()) {
            return;
        }
        long now = nanoTime();
        for (HandshakeHandler handshake : List.copyOf(own.handshakes)) {
            boolean isSilent = handshake.isSilentSinceLastSweep() && now - handshake.heardNanos() >= patienceNanos();
            if (isSilent || now - handshake.startedNanos() >= timeout.toNanos() / SLOW_DIVISOR) {
                handshake.close(HandshakeFailure.TOO_MANY);
            }
        }
        sweepLater(loop, own);
    }

    private long patienceNanos() {
        return timeout.toNanos() / PATIENCE_DIVISOR;
    }

    /** Ends a handshake that has begun. On the event loop of its connection; may be called again. */
    void end(EventLoop loop, HandshakeHandler handshake) {
        OfLoop own = byLoop.get(loop);
        if (own != null && own.handshakes.remove(handshake)) {
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
