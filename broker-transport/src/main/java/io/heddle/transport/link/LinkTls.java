package io.heddle.transport.link;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.transport.tls.TlsProvider;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.security.GeneralSecurityException;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * TLS 1.3 of the links. The handshake accepts every certificate, and proves that each side has the key of its certificate. The handlers of
 * both sides compare the fingerprint afterwards, before the first frame: a receiver learns the incarnation from {@link Hello}. Thread-safe.
 */
final class LinkTls {
    private static final String PROTOCOL = "TLSv1.3";

    static {
        // The JDK reads it once, with the first handshake, which may be that of a link.
        TlsProvider.refuseRenegotiation();
    }

    private final SslContext client;
    private final SslContext server;
    private final Executor handshakes;

    /** @param handshakes runs the costly steps of handshakes, which would delay the clients of an event loop */
    LinkTls(LinkIdentity identity, Executor handshakes) {
        this.handshakes = handshakes;
        try {
            client = SslContextBuilder.forClient()
                    .keyManager(identity.key(), identity.certificate())
                    .trustManager(InsecureTrustManagerFactory.INSTANCE)
                    .endpointIdentificationAlgorithm("")
                    .sslProvider(SslProvider.JDK)
                    .protocols(PROTOCOL)
                    .build();
            server = SslContextBuilder.forServer(identity.key(), identity.certificate())
                    .trustManager(InsecureTrustManagerFactory.INSTANCE)
                    .clientAuth(ClientAuth.REQUIRE)
                    .sslProvider(SslProvider.JDK)
                    .protocols(PROTOCOL)
                    .build();
        } catch (SSLException e) {
            throw new StartupException(
                    "This Java cannot use TLS 1.3 for the links between nodes (" + e.getMessage()
                            + "): remove TLSv1.3 from jdk.tls.disabledAlgorithms.",
                    e);
        }
    }

    SslHandler client(ByteBufAllocator allocator) {
        return withoutTimeout(client.newHandler(allocator, handshakes));
    }

    SslHandler server(ByteBufAllocator allocator) {
        return withoutTimeout(server.newHandler(allocator, handshakes));
    }

    /** The deadlines of both sides include the handshake. */
    private static SslHandler withoutTimeout(SslHandler handler) {
        handler.setHandshakeTimeoutMillis(0);
        return handler;
    }

    /** Returns the fingerprint of the certificate of the peer whose handshake is complete, or an empty text. */
    static String peerFingerprint(Channel channel) {
        SslHandler handler = channel.pipeline().get(SslHandler.class);
        if (handler == null) {
            return "";
        }
        try {
            return LinkIdentity.fingerprint(handler.engine().getSession().getPeerCertificates()[0]);
        } catch (SSLPeerUnverifiedException | GeneralSecurityException unverified) {
            return "";
        }
    }
}
