package io.heddle.core.sys;

import io.heddle.core.client.ClientIdentity;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/** The clients that may read the topics of the broker. */
public enum SysReaders {
    /** All clients, also anonymous ones from anywhere. */
    EVERYONE,
    /** Clients that have proved who they are, and anonymous ones on this machine. */
    AUTHENTICATED,
    /** No client. */
    NOBODY;

    /** Returns whether a client may read. */
    boolean include(ClientIdentity identity, SocketAddress address) {
        return switch (this) {
            case EVERYONE -> true;
            case AUTHENTICATED -> identity.userName() != null || identity.ownsClientId() || isLoopback(address);
            case NOBODY -> false;
        };
    }

    private static boolean isLoopback(SocketAddress address) {
        return address instanceof InetSocketAddress internet
                && internet.getAddress() != null
                && internet.getAddress().isLoopbackAddress();
    }
}
