package io.heddle.transport.admission;

import io.heddle.core.RemoteNetwork;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** The other side of a connection, as far as it is known at the moment. On the event loop of the connection. */
public interface Peer {
    /** Returns the address; behind a trusted proxy, the one that the proxy reports as soon as it has. */
    SocketAddress address();

    /** Returns the network whose share of places the connection uses; null while only the address of a trusted proxy is known. */
    @Nullable
    String network();

    /** Returns a peer that no proxy reports. */
    static Peer at(SocketAddress address) {
        return new Peer() {
            @Override
            public SocketAddress address() {
                return address;
            }

            @Override
            public String network() {
                return RemoteNetwork.of(address);
            }
        };
    }
}
