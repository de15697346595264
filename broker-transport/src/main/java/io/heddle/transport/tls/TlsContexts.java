package io.heddle.transport.tls;

import io.heddle.core.lifecycle.StartupException;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The certificates of one listener, ready for handshakes: one context for each, chosen by the name of the server that the client asks for
 * (SNI). Immutable apart from the keys of session tickets. Counts its users, because the memory of OpenSSL is not collected: the creator is the
 * first, and connections keep what they need. Thread-safe.
 */
final class TlsContexts {
    /** Sessions that are resumed without a ticket, for clients of TLS 1.2 that do not support tickets. */
    private static final int MAXIMUM_CACHED_SESSIONS = 4_096;

    private final List<Served> all = new ArrayList<>();
    private final Map<String, Served> byName = new HashMap<>();
    private final @Nullable Staples staples;
    private final AtomicInteger users = new AtomicInteger(1);

    record Served(SslContext context, X509Certificate certificate) {}

    /**
     * @param keys in the order of the settings
     * @param trust checks the certificates of clients, or null if they have none
     * @param staples for clients that ask for them, or null
     * @throws StartupException if TLS cannot use a certificate or a setting
     */
    TlsContexts(
            TlsSettings settings,
            List<ServerKey> keys,
            @Nullable TrustManagerFactory trust,
            TicketKeys tickets,
            @Nullable Staples staples) {
        this.staples = staples;
        boolean complete = false;
        try {
            for (ServerKey key : keys) {
                Served served = new Served(build(settings, key, trust, staples != null), key.certificate());
                all.add(served);
                key.names().forEach(name -> byName.putIfAbsent(name, served));
            }
            use(tickets);
            complete = true;
        } finally {
            if (!complete) {
                release();
            }
        }
    }

    private static SslContext build(
            TlsSettings settings, ServerKey key, @Nullable TrustManagerFactory trust, boolean isStapling) {
        try {
            return SslContextBuilder.forServer(key.key(), key.chain())
                    .sslProvider(settings.provider().netty())
                    .protocols(settings.protocols())
                    .ciphers(settings.ciphers())
                    .clientAuth(settings.clientCertificates().netty())
                    .trustManager(trust)
                    .sessionCacheSize(MAXIMUM_CACHED_SESSIONS)
                    .sessionTimeout(settings.sessionTimeout().toSeconds())
                    .enableOcsp(isStapling && settings.provider().chosen() == TlsProvider.OPENSSL)
                    .build();
        } catch (SSLException | IllegalArgumentException e) {
            throw new StartupException(
                    key.files().setting() + ".certificate: " + key.files().certificate() + " cannot be used for TLS ("
                            + reason(e) + "): replace it, or correct " + settings.setting() + ".protocols and "
                            + settings.setting() + ".ciphers",
                    e);
        }
    }

    private static String reason(Exception failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage());
    }

    /** Uses the current keys of session tickets. */
    void use(TicketKeys tickets) {
        for (Served each : all) {
            if (each.context.sessionContext() instanceof OpenSslSessionContext openSsl) {
                tickets.use(openSsl);
            }
        }
    }

    /** Becomes a user until {@link #release}; returns false if there is none left. */
    boolean retain() {
        int count = users.get();
        while (count > 0) {
            if (users.compareAndSet(count, count + 1)) {
                return true;
            }
            count = users.get();
        }
        return false;
    }

    /** Frees the memory after the last user; connections keep what they need. */
    void release() {
        if (users.decrementAndGet() == 0) {
            all.forEach(each -> ReferenceCountUtil.release(each.context));
        }
    }

    /**
     * Returns a handler for a new connection. Only for a user.
     *
     * @param name of the server that the client asks for, in lower case, with or without the dot at its end, or null
     * @param wantsStaple whether the client asks for an OCSP response; OpenSSL keeps a copy of it as long as the connection lasts
     * @param tasks runs the costly steps of the handshake
     */
    SslHandler newHandler(@Nullable String name, boolean wantsStaple, ByteBufAllocator allocator, Executor tasks) {
        Served served = context(name);
        SslHandler handler = served.context.newHandler(allocator, tasks);
        byte[] staple = staples == null || !wantsStaple ? null : staples.of(served.certificate);
        if (staple != null && handler.engine() instanceof ReferenceCountedOpenSslEngine engine) {
            engine.setOcspResponse(staple);
        }
        return handler;
    }

    Served context(@Nullable String asked) {
        Served served = null;
        if (asked != null) {
            String name = asked.endsWith(".") ? asked.substring(0, asked.length() - 1) : asked;
            served = byName.get(name);
            int dot = name.indexOf('.');
            if (served == null && dot > 0) {
                served = byName.get("*" + name.substring(dot));
            }
        }
        return served == null ? all.getFirst() : served;
    }
}
