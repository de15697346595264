package io.heddle.transport.connection;

import io.micrometer.core.instrument.MeterRegistry;
import java.net.SocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The open connections of this node. Any thread may use it. Bound: the maximum number of connections, beyond which a new one
 * is refused and counted. States: open; open for one address only, before the start is complete; closed for new ones.
 */
public final class OpenConnections {
    private final int maximum;
    private final TransportMetrics metrics;
    private final Set<NettyConnection> connections = ConcurrentHashMap.newKeySet();
    private final AtomicInteger count = new AtomicInteger();
    private final CountDownLatch emptied = new CountDownLatch(1);
    private volatile boolean closed;
    private volatile Predicate<SocketAddress> admitted = _ -> true;

    /**
     * No connections.
     *
     * @param maximum how many there may be, at least 1
     */
    public OpenConnections(int maximum, TransportMetrics metrics, MeterRegistry registry) {
        this.maximum = maximum;
        this.metrics = metrics;
        registry.gauge("heddle.connections", count);
    }

    /** Takes a new connection in until it leaves, or says no: its channel is then to be closed. */
    public boolean admit(NettyConnection connection) {
        if (!admitted.test(connection.remoteAddress())) {
            metrics.connectionTooEarly();
            return false;
        }
        if (count.incrementAndGet() > maximum) {
            metrics.connectionRefused();
            release();
            return false;
        }
        connections.add(connection);
        metrics.connectionOpened();
        // Checked behind the add, so that close() either sees this connection or is seen here.
        if (closed) {
            leave(connection);
            return false;
        }
        return true;
    }

    /** An admitted connection is gone, and its session knows. */
    void leave(NettyConnection connection) {
        if (connections.remove(connection)) {
            metrics.connectionClosed();
            release();
        }
    }

    private void release() {
        if (count.decrementAndGet() == 0 && closed) {
            emptied.countDown();
        }
    }

    /** From now on only connections from these addresses are admitted; the others are refused and counted. */
    public void admitOnly(Predicate<SocketAddress> addresses) {
        admitted = addresses;
    }

    /** How many there are. */
    public int count() {
        return count.get();
    }

    /** From now on none is admitted. */
    public CountDownLatch close() {
        closed = true;
        if (count.get() == 0) {
            emptied.countDown();
        }
        return emptied;
    }

    /** Calls something for each open connection, on that connection's event loop, soon. */
    public void forEach(Consumer<NettyConnection> action) {
        for (NettyConnection connection : connections) {
            connection.eventLoop().execute(() -> action.accept(connection));
        }
    }

    /** Closes every connection without waiting for its client. */
    public void abortAll() {
        forEach(NettyConnection::abort);
    }
}
