package io.heddle.transport.connection;

import io.heddle.core.RemoteNetwork;
import io.heddle.transport.admission.Peer;
import io.heddle.transport.admission.Place;
import io.heddle.transport.admission.Places;
import io.netty.channel.EventLoop;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A connection before its CONNECT is complete: while a PROXY protocol header, the handshakes of TLS and WebSocket, and the packet itself are
 * awaited. It has a place of the node and one of its listener. Owned by the connection's event loop.
 */
public final class NewConnection implements Peer {
    private final NettyConnection connection;
    private final OpenConnections open;
    private final Predicate<SocketAddress> proxies;
    private final Place ofNode;
    private final Place ofListener;
    private @Nullable SocketAddress known;
    private @Nullable String network;

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

    /** CONNECT is complete. Returns false if the connection has lost its place and is being closed. */
    public boolean connected() {
        if (!ofListener.settle() || !ofNode.settle()) {
            evicted();
            return false;
        }
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
