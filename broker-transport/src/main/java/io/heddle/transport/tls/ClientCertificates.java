package io.heddle.transport.tls;

import io.netty.handler.ssl.ClientAuth;

/** Whether a listener asks clients for a certificate. */
public enum ClientCertificates {
    /** It does not ask. */
    OFF(ClientAuth.NONE),
    /** A client may have none; one that it presents must be valid. */
    OPTIONAL(ClientAuth.OPTIONAL),
    /** A client without a valid certificate is refused. */
    REQUIRED(ClientAuth.REQUIRE);

    private final ClientAuth netty;

    ClientCertificates(ClientAuth netty) {
        this.netty = netty;
    }

    ClientAuth netty() {
        return netty;
    }
}
