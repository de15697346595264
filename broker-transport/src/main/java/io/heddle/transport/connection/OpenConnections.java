package io.heddle.transport.connection;

import io.heddle.core.Limit;
import io.heddle.transport.admission.Places;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.SocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The open connections of this node. Thread-safe. Bound: the maximum number of connections, above which a new one is refused and
 * counted; before CONNECT also the share of its address ({@link Places}). States: open; open for selected addresses only, before the
 * start is complete; closed for new connections.
 */
public final class OpenConnections {
    private static final String MAXIMUM_CONNECTIONS = "heddle.mqtt.maximum-connections";

    private final Limit maximum;
    private final Places places;
    private final TransportMetrics metrics;
    private final Set<NettyConnection> connections = ConcurrentHashMap.newKeySet();
    // Those whose CONNECT, or its exchange, is not complete.
    private final Map<NettyConnection, NewConnection> awaited = new ConcurrentHashMap<>();
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
        this.maximum = new Limit(MAXIMUM_CONNECTIONS, maximum);
        this.places = new Places(maximum);
        this.metrics = metrics;
        registry.gauge("heddle.connections", count);
        registry.gauge("heddle.connections.awaiting.connect", places, Places::newcomers);
    }

    Places places() {
        return places;
    }

    /** Admits a new connection until it leaves. If this returns false, the caller must close its channel. */
    public boolean admit(NewConnection added) {
        NettyConnection connection = added.connection();
        if (!admitted.test(connection.remoteAddress())) {
            metrics.connectionTooEarly();
            connection.acceptedBy().refuse(ConnectionRefusal.STARTING);
            return false;
        }
        if (!hasPlaces(connection, added.enterListener(), added::enterNode)) {
            added.leave();
            return false;
        }
        count.incrementAndGet();
        awaited.put(connection, added);
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

    /** Returns whether a connection has both places. Otherwise reports why not; then the caller must close it. */
    boolean hasPlaces(NettyConnection connection, Places.Answer ofListener, Supplier<Places.Answer> ofNode) {
        ListenerConnections listener = connection.acceptedBy();
        return ofListener == Places.Answer.TAKEN
                ? hasPlace(connection, ofNode.get(), maximum, places)
                : hasPlace(connection, ofListener, listener.maximum(), listener.places());
    }

    private boolean hasPlace(NettyConnection connection, Places.Answer answer, Limit limit, Places of) {
        switch (answer) {
            case TAKEN -> {
                return true;
            }
            case FULL -> {
                connection.acceptedBy().refuse(ConnectionRefusal.MAXIMUM_CONNECTIONS);
                refuse(connection, limit, "a connection");
            }
            case SHARE_USED -> {
                connection.acceptedBy().refuse(ConnectionRefusal.ADDRESS_SHARE);
                refuse(
                        connection,
                        new Limit("half of what is free of " + limit.setting(), of.share()),
                        "a connection, because too many of its address are before CONNECT");
            }
            case EVICTED -> evicted(connection);
        }
        return false;
    }

    private void refuse(NettyConnection connection, Limit limit, String refused) {
        metrics.connectionRefused();
        metrics.incidents().refused(limit, refused, "", null, connection.remoteAddress());
    }

    /** The place of a connection without CONNECT is needed for others. */
    void evicted(NettyConnection connection) {
        connection.acceptedBy().refuse(ConnectionRefusal.SILENT);
        metrics.incidents()
                .closed(
                        ConnectionRefusal.SILENT.tag(),
                        "its client sent no CONNECT, and many connections before CONNECT compete for the free places",
                        connection.remoteAddress(),
                        connection.listener());
    }

    /** The client has not answered a challenge in time. */
    void silent(NettyConnection connection) {
        if (connection.isOpen()) {
            metrics.connectTimedOut();
            metrics.incidents()
                    .closed(
                            "connect_timeout",
                            "its client did not answer a challenge of its authentication method in time",
                            connection.remoteAddress(),
                            connection.listener());
            connection.abort();
        }
    }

    /** The CONNECT of a connection is complete, and its exchange, if it has one. */
    void settled(NettyConnection connection) {
        awaited.remove(connection);
    }

    /** Removes a closed connection whose session has been notified. */
    void leave(NettyConnection connection) {
        if (connections.remove(connection)) {
            metrics.connectionClosed();
            connection.acceptedBy().left();
            NewConnection unsettled = awaited.remove(connection);
            if (unsettled == null) {
                connection.acceptedBy().places().vacate();
                places.vacate();
            } else {
                unsettled.leave();
            }
            if (count.decrementAndGet() == 0 && closed) {
                emptied.countDown();
            }
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

    List<NettyConnection> snapshot() {
        return List.copyOf(connections);
    }

    /** Closes every connection without waiting for its client. */
    public void abortAll() {
        forEach(NettyConnection::abort);
    }
}
