package io.heddle.transport.tls;

import io.heddle.transport.admission.Place;
import io.heddle.transport.admission.Places;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.EventLoop;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The handshakes in progress of a node, and the threads for their costly steps ({@code heddle-tls-N}). Bound: a maximum number of handshakes,
 * whose {@link Places} also limit those of one network. Thread-safe.
 */
public final class TlsHandshakes implements AutoCloseable {
    private final Places places;
    private final Duration timeout;
    private final TlsMetrics metrics;
    private final HandshakeLog log;
    private final ExecutorService threads;

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
        this.places = new Places(maximum);
        this.timeout = timeout;
        this.metrics = new TlsMetrics(registry, places);
        this.log = new HandshakeLog(nanoTime);
        // The queue is bounded by the number of handshakes, each of which has one task at a time, and by changes of
        // certificates.
        this.threads = Executors.newFixedThreadPool(
                threads, Thread.ofPlatform().daemon().name("heddle-tls-", 0).factory());
    }

    Executor threads() {
        return threads;
    }

    Duration timeout() {
        return timeout;
    }

    public int inProgress() {
        return places.newcomers();
    }

    /** Returns the number of those whose clients have sent nothing yet. */
    int unheard() {
        return places.unheard();
    }

    /**
     * Returns a place for a handshake, which is not taken yet. On the event loop of its connection.
     *
     * @param onEvicted closes the connection
     */
    Place place(EventLoop loop, Runnable onEvicted) {
        return new Place(places, loop, timeout, onEvicted);
    }

    void completed(String protocol) {
        metrics.completed(protocol);
    }

    /** Counts a client that is disconnected because of its certificate. */
    void disconnected(HandshakeFailure reason) {
        metrics.disconnected(reason);
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
