package io.heddle.transport.admission;

import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** The other side of a connection, as far as it is known at the moment. On the event loop of the connection. */
public interface Peer {
    /** Returns the address; behind a trusted proxy, the one that the proxy reports as soon as it has. */
    SocketAddress address();

    /** Returns the network whose share of places the connection uses; null while only the address of a trusted proxy is known. */
    @Nullable
    String network();
}
