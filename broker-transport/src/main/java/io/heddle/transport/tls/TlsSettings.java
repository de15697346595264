package io.heddle.transport.tls;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * @param listener its name, for logs and metrics
 * @param setting prefix of the keys of the settings, for errors, such as heddle.mqtt.tls
 * @param keys at least one; the first is for clients that name no server, or one that no certificate has
 * @param clientCertificates whether clients have certificates
 * @param trust null only if clients have none
 * @param protocols TLSv1.2, TLSv1.3 or both
 * @param ciphers names as of the JDK; for TLS 1.3, the provider OPENSSL always uses its own. Empty means {@link #DEFAULT_CIPHERS}
 * @param provider the implementation
 * @param sessionTimeout how long after a handshake a client may resume its session without a full one, with TLS 1.3 up to twice as
 *     long; at least one second
 */
public record TlsSettings(
        String listener,
        String setting,
        List<KeyFiles> keys,
        ClientCertificates clientCertificates,
        @Nullable TrustFiles trust,
        List<String> protocols,
        List<String> ciphers,
        TlsProvider provider,
        Duration sessionTimeout) {
    public static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");

    /** Only with forward secrecy and authenticated encryption. */
    public static final List<String> DEFAULT_CIPHERS = List.of(
            "TLS_AES_128_GCM_SHA256",
            "TLS_AES_256_GCM_SHA384",
            "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

    public static final Duration SESSION_TIMEOUT = Duration.ofHours(1);

    public TlsSettings {
        keys = List.copyOf(keys);
        protocols = List.copyOf(protocols);
        ciphers = ciphers.isEmpty() ? DEFAULT_CIPHERS : List.copyOf(ciphers);
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("a listener with TLS needs a certificate");
        }
        if (clientCertificates != ClientCertificates.OFF && trust == null) {
            throw new IllegalArgumentException("certificates of clients need a trust store");
        }
        if (protocols.isEmpty() || !PROTOCOLS.containsAll(protocols)) {
            throw new IllegalArgumentException("protocols are " + protocols + ": use " + PROTOCOLS);
        }
        if (sessionTimeout.toSeconds() < 1) {
            throw new IllegalArgumentException("the session timeout must be at least one second");
        }
    }

    /** Returns defaults for a listener with one certificate, which asks clients for none. */
    public static TlsSettings of(String listener, KeyFiles key) {
        return new TlsSettings(
                listener,
                key.setting(),
                List.of(key),
                ClientCertificates.OFF,
                null,
                PROTOCOLS,
                List.of(),
                TlsProvider.AUTO,
                SESSION_TIMEOUT);
    }
}
