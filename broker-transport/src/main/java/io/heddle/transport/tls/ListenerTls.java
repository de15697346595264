package io.heddle.transport.tls;

import io.heddle.transport.admission.Peer;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.ImmediateExecutor;
import java.util.List;
import java.util.concurrent.Executor;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * TLS of one listener, whose certificates may be replaced while it listens. Open connections keep that of the server; those of their clients are
 * checked again. Thread-safe.
 */
public final class ListenerTls {
    /** How long the node waits for a client that does not read to take the last bytes of TLS. */
    private static final long CLOSE_NOTIFY_MILLIS = 1_000;

    private final TlsSettings settings;
    private final TlsHandshakes handshakes;
    private final VerifiedClients clients;
    private final @Nullable Staples staples;
    // Guarded by this.
    private TicketKeys tickets = new TicketKeys();
    // Replaced while this is locked.
    private volatile TlsContexts contexts;

    /**
     * Creates TLS with the first certificates.
     *
     * @param keys in the order of the settings
     * @param trust checks the certificates of clients, or null if they have none
     * @param staples for clients that ask for them, or null; ignored with the provider JDK
     * @throws io.heddle.core.lifecycle.StartupException if TLS cannot use a certificate or a setting
     */
    public ListenerTls(
            TlsSettings settings,
            TlsHandshakes handshakes,
            List<ServerKey> keys,
            @Nullable TrustManagerFactory trust,
            @Nullable Staples staples) {
        TlsProvider.check(settings);
        this.settings = settings;
        this.handshakes = handshakes;
        this.clients = new VerifiedClients(settings.listener(), handshakes, trust);
        this.staples = staples;
        this.contexts = new TlsContexts(settings, keys, trust, tickets, staples);
    }

    /**
     * Checks that TLS can use certificates, without a listener.
     *
     * @throws io.heddle.core.lifecycle.StartupException if TLS cannot use a certificate or a setting
     */
    public static void check(TlsSettings settings, List<ServerKey> keys, @Nullable TrustManagerFactory trust) {
        TlsProvider.check(settings);
        new TlsContexts(settings, keys, trust, new TicketKeys(), null).release();
    }

    public TlsSettings settings() {
        return settings;
    }

    /**
     * Checks that TLS can use other certificates. Nothing changes until they are used.
     *
     * @param hasRulesOfBefore whether clients are checked as before, so that their sessions may be resumed
     * @throws io.heddle.core.lifecycle.StartupException if TLS cannot use a certificate
     */
    public synchronized Replacement prepare(
            List<ServerKey> keys, @Nullable TrustManagerFactory trust, boolean hasRulesOfBefore) {
        TicketKeys next = hasRulesOfBefore ? tickets : new TicketKeys();
        return new Replacement(
                next, new TlsContexts(settings, keys, trust, next, staples), hasRulesOfBefore ? null : trust);
    }

    /** Certificates that TLS can use, and that are either used or dropped. */
    public final class Replacement {
        private final TicketKeys nextTickets;
        private final TlsContexts next;
        // Null for the rules of before.
        private final @Nullable TrustManagerFactory nextTrust;

        private Replacement(TicketKeys nextTickets, TlsContexts next, @Nullable TrustManagerFactory nextTrust) {
            this.nextTickets = nextTickets;
            this.next = next;
            this.nextTrust = nextTrust;
        }

        /** Replaces the certificates for new connections, and the rules for the clients that are connected. */
        public void use() {
            synchronized (ListenerTls.this) {
                TlsContexts old = contexts;
                // The keys may have been rotated since.
                next.use(nextTickets);
                contexts = next;
                tickets = nextTickets;
                old.release();
                if (nextTrust != null) {
                    clients.use(nextTrust);
                }
            }
        }

        /** Frees the memory; the listener keeps its certificates. */
        public void drop() {
            next.release();
        }
    }

    /** Uses new keys for session tickets; tickets of the keys before stay valid until the next call. */
    public synchronized void rotateTicketKeys() {
        tickets.rotate();
        contexts.use(tickets);
    }

    /** Frees the memory. No connection may begin afterwards. */
    public synchronized void close() {
        contexts.release();
    }

    /**
     * Adds TLS at the end of the pipeline of a new connection. Closes the connection if too many handshakes are in progress, of
     * all clients or of its network. On the event loop of
     * the connection.
     *
     * @param peer the client
     * @param refused is called if the handshake fails and this node therefore closes the connection
     */
    public void addTo(ChannelPipeline pipeline, Peer peer, Runnable refused) {
        pipeline.addLast("tls", new ClientHelloHandler(this::newHandler))
                .addLast("handshake", new HandshakeHandler(handshakes, clients, settings.listener(), peer, refused));
    }

    private SslHandler newHandler(@Nullable String name, boolean wantsStaple, ByteBufAllocator allocator) {
        TlsContexts current = retained();
        try {
            SslHandler handler = current.newHandler(name, wantsStaple, allocator, tasks());
            // The timer of the handshake is in HandshakeHandler.
            handler.setHandshakeTimeoutMillis(0);
            handler.setCloseNotifyFlushTimeoutMillis(CLOSE_NOTIFY_MILLIS);
            return handler;
        } finally {
            current.release();
        }
    }

    private TlsContexts retained() {
        TlsContexts current = contexts;
        while (!current.retain()) {
            TlsContexts next = contexts;
            if (next == current) {
                throw new IllegalStateException("TLS of listener " + settings.listener() + " is closed");
            }
            current = next;
        }
        return current;
    }

    /**
     * OpenSSL computes on the event loop, in tenths of a millisecond, and leaves only the choice of the key to tasks, for which a change of
     * threads costs more than it saves. The check of a client's certificate takes longer, and so does everything with the JDK.
     */
    private Executor tasks() {
        boolean isShort = settings.provider().chosen() == TlsProvider.OPENSSL
                && settings.clientCertificates() == ClientCertificates.OFF;
        return isShort ? ImmediateExecutor.INSTANCE : handshakes.threads();
    }
}
