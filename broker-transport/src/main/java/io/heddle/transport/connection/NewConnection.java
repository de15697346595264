package io.heddle.transport.connection;

import io.heddle.core.RemoteNetwork;
import io.heddle.transport.admission.Peer;
import io.heddle.transport.admission.Place;
import io.heddle.transport.admission.Places;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A connection before its CONNECT is complete: while a PROXY protocol header, the handshakes of TLS and WebSocket, and the packet itself are
 * awaited. It has a place of the node and one of its listener. Owned by the connection's event loop.
 *
 * <p>A client with an authentication method remains new until its exchange has ended: a silent one loses its place or is closed at the
 * timeout like one without CONNECT, but not while the broker decides about its answer.
 */
public final class NewConnection implements Peer {
    private final NettyConnection connection;
    private final OpenConnections open;
    private final Predicate<SocketAddress> proxies;
    private final EventLoop loop;
    private final long endNanos;
    private final Place ofNode;
    private final Place ofListener;
    private @Nullable SocketAddress known;
    private @Nullable String network;
    private boolean settled;
    // While the client has to answer a challenge.
    private @Nullable Future<?> timer;

    /**
     * Creates a connection that is not admitted yet.
     *
     * @param proxies tests whether an address is that of a proxy that may report the address of the client; until they do, the connection uses no address's share of places
     * @param timeout from the opening of the connection to its complete CONNECT
     */
    public NewConnection(
            NettyConnection connection,
            OpenConnections open,
            EventLoop loop,
            Predicate<SocketAddress> proxies,
            Duration timeout) {
        this.connection = connection;
        this.open = open;
        this.proxies = proxies;
        this.loop = loop;
        this.endNanos = loop.ticker().nanoTime() + timeout.toNanos();
        this.ofNode = new Place(open.places(), loop, timeout, this::evicted);
        this.ofListener = new Place(connection.acceptedBy().places(), loop, timeout, this::evicted);
    }

    NettyConnection connection() {
        return connection;
    }

    @Override
    public SocketAddress address() {
        return connection.remoteAddress();
    }

    @Override
    public @Nullable String network() {
        SocketAddress current = connection.remoteAddress();
        if (!Objects.equals(current, known)) {
            known = current;
            network = proxies.test(current) ? null : RemoteNetwork.of(current);
        }
        return network;
    }

    Places.Answer enterListener() {
        return ofListener.enter(network());
    }

    Places.Answer enterNode() {
        return ofNode.enter(network());
    }

    void leave() {
        stopTimer();
        ofListener.leave();
        ofNode.leave();
    }

    /** The client has sent something. Closes the connection if it has lost its places. */
    public void heard() {
        if (connection.isOpen()
                && !open.hasPlaces(connection, ofListener.heard(network()), () -> ofNode.heard(network()))) {
            connection.abort();
        }
    }

    /** The client must answer a challenge in the time that is left. */
    void challenged() {
        ofListener.expect();
        ofNode.expect();
        long leftNanos = Math.max(0, endNanos - loop.ticker().nanoTime());
        timer = loop.schedule(() -> open.silent(connection), leftNanos, TimeUnit.NANOSECONDS);
    }

    /** The broker decides about CONNECT or about the answer to a challenge. Closes the connection if it has lost its places. */
    public void answered() {
        heard();
        ofListener.excuse();
        ofNode.excuse();
        stopTimer();
    }

    private void stopTimer() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }

    /**
     * CONNECT is complete, and its exchange, if it has one. May be called again. Returns false if the connection has lost its place and is being
     * closed.
     */
    public boolean connected() {
        if (settled) {
            return true;
        }
        stopTimer();
        if (!ofListener.settle() || !ofNode.settle()) {
            evicted();
            return false;
        }
        settled = true;
        open.settled(connection);
        return true;
    }

    private void evicted() {
        if (connection.isOpen()) {
            open.evicted(connection);
            connection.abort();
        }
    }
}
