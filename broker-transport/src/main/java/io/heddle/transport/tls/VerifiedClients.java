package io.heddle.transport.tls;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open connections of a listener whose clients have shown certificates. When other authorities or lists of revoked certificates come into use,
 * it checks these certificates again and fires {@link CertificateRefused} for those that are revoked, or that no authority has issued. A list that is
 * missing or out of date disconnects no client. Thread-safe. Bound: the connections of the listener.
 */
final class VerifiedClients {
    private static final Logger log = LoggerFactory.getLogger(VerifiedClients.class);
    /** The number of certificates that are checked before the threads serve handshakes again. */
    private static final int BATCH = 32;

    private final String listener;
    private final TlsHandshakes handshakes;
    private final Set<Channel> channels = ConcurrentHashMap.newKeySet();
    // Null if clients have no certificates.
    private volatile @Nullable X509TrustManager rules;

    /** @param trust checks the certificates of clients, or null if they have none */
    VerifiedClients(String listener, TlsHandshakes handshakes, @Nullable TrustManagerFactory trust) {
        this.listener = listener;
        this.handshakes = handshakes;
        this.rules = trust == null ? null : rules(trust);
    }

    private static X509TrustManager rules(TrustManagerFactory trust) {
        return Stream.of(trust.getTrustManagers())
                .filter(X509TrustManager.class::isInstance)
                .map(X509TrustManager.class::cast)
                .findFirst()
                .orElseThrow();
    }

    /** Returns what identifies the rules in use; null if clients have no certificates. */
    @Nullable
    Object rules() {
        return rules;
    }

    /**
     * Adds a connection until it is closed.
     *
     * @param before the rules in use before its handshake began
     */
    void add(Channel channel, @Nullable Object before) {
        channels.add(channel);
        channel.closeFuture().addListener(_ -> channels.remove(channel));
        if (!Objects.equals(rules, before)) {
            check(Set.of(channel).iterator(), new Outcome());
        }
    }

    /** Uses other rules, also for the clients that are connected. */
    void use(TrustManagerFactory trust) {
        rules = rules(trust);
        check(channels.iterator(), new Outcome());
    }

    private static final class Outcome {
        private int checked;
        private int undecided;
        private int disconnected;
    }

    /** Checks some certificates, and the others later: a check takes as long as a part of a handshake. */
    private void check(Iterator<Channel> unchecked, Outcome outcome) {
        try {
            handshakes.threads().execute(() -> {
                for (int i = 0; i < BATCH && unchecked.hasNext(); i++) {
                    check(unchecked.next(), outcome);
                }
                if (unchecked.hasNext()) {
                    check(unchecked, outcome);
                } else if (outcome.checked > 0) {
                    log.info(
                            "Checked the certificates of connected clients again, because the authorities or lists have"
                                    + " changed: listener={}, clients={}, disconnected={}, undecided={}",
                            listener,
                            outcome.checked,
                            outcome.disconnected,
                            outcome.undecided);
                }
            });
        } catch (RejectedExecutionException stopping) {
            log.debug("The node stops, and checks no more certificates: listener={}", listener);
        }
    }

    private void check(Channel channel, Outcome outcome) {
        outcome.checked++;
        HandshakeFailure fault = fault(channel);
        if (fault == HandshakeFailure.CERTIFICATE_REVOKED || fault == HandshakeFailure.UNKNOWN_AUTHORITY) {
            if (channels.remove(channel)) {
                outcome.disconnected++;
                handshakes.disconnected(fault);
                channel.pipeline().fireUserEventTriggered(new CertificateRefused(fault.sentence()));
            }
        } else if (fault != null) {
            outcome.undecided++;
        }
    }

    /** Returns why a certificate does not count; null if it does. A fault of the check itself must not end it for the others. */
    private @Nullable HandshakeFailure fault(Channel channel) {
        X509TrustManager current = rules;
        SslHandler handler = channel.pipeline().get(SslHandler.class);
        if (handler == null || current == null) {
            return null;
        }
        try {
            Certificate[] shown = handler.engine().getSession().getPeerCertificates();
            X509Certificate[] chain = Arrays.copyOf(shown, shown.length, X509Certificate[].class);
            current.checkClientTrusted(chain, chain[0].getPublicKey().getAlgorithm());
            return null;
        } catch (SSLPeerUnverifiedException closed) {
            return null;
        } catch (CertificateException refused) {
            return HandshakeFailure.of(refused);
        } catch (RuntimeException unexpected) {
            log.warn("Cannot check the certificate of a connected client again: listener={}", listener, unexpected);
            return HandshakeFailure.OTHER;
        }
    }
}
