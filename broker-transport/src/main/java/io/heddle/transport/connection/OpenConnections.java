package io.heddle.transport.connection;

import io.heddle.core.Limit;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.SocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The open connections of this node. Thread-safe. Bound: the maximum number of connections, above which a new one is refused and
 * counted. States: open; open for selected addresses only, before the start is complete; closed for new connections.
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
     * Creates an empty set.
     *
     * @param maximum the maximum number of connections, at least 1
     */
    public OpenConnections(int maximum, TransportMetrics metrics, MeterRegistry registry) {
        this.maximum = maximum;
        this.metrics = metrics;
        registry.gauge("heddle.connections", count);
    }

    /** Admits a new connection until it leaves. If this returns false, the caller must close its channel. */
    public boolean admit(NettyConnection connection) {
        if (!admitted.test(connection.remoteAddress())) {
            metrics.connectionTooEarly();
            connection.acceptedBy().refuse(ConnectionRefusal.STARTING);
            return false;
        }
        if (!connection.acceptedBy().enter()) {
            refuse(connection, connection.acceptedBy().maximum());
            return false;
        }
        if (count.incrementAndGet() > maximum) {
            connection.acceptedBy().refuse(ConnectionRefusal.MAXIMUM_CONNECTIONS);
            connection.acceptedBy().leave();
            refuse(connection, new Limit("heddle.mqtt.maximum-connections", maximum));
            release();
            return false;
        }
        connections.add(connection);
        metrics.connectionOpened();
        connection.acceptedBy().admitted();
        // Checked after the add, so that either close() sees this connection or this sees the close.
        if (closed) {
            leave(connection);
            return false;
        }
        return true;
    }

    private void refuse(NettyConnection connection, Limit limit) {
        metrics.connectionRefused();
        metrics.incidents().refused(limit, "a connection", "", null, connection.remoteAddress());
    }

    /** Removes a closed connection whose session has been notified. */
    void leave(NettyConnection connection) {
        if (connections.remove(connection)) {
            metrics.connectionClosed();
            connection.acceptedBy().leave();
            release();
        }
    }

    private void release() {
        if (count.decrementAndGet() == 0 && closed) {
            emptied.countDown();
        }
    }

    /** Admits only connections from these addresses from now on; others are refused and counted. */
    public void admitOnly(Predicate<SocketAddress> addresses) {
        admitted = addresses;
    }

    public int count() {
        return count.get();
    }

    /** Admits no more connections; the returned latch opens when the last one has left. */
    public CountDownLatch close() {
        closed = true;
        if (count.get() == 0) {
            emptied.countDown();
        }
        return emptied;
    }

    /** Runs an action for each open connection, asynchronously on that connection's event loop. */
    public void forEach(Consumer<NettyConnection> action) {
        for (NettyConnection connection : connections) {
            connection.eventLoop().execute(() -> action.accept(connection));
        }
    }

    /** Returns the connections that are open now. */
    List<NettyConnection> snapshot() {
        return List.copyOf(connections);
    }

    /** Closes every connection without waiting for its client. */
    public void abortAll() {
        forEach(NettyConnection::abort);
    }
}
