package io.heddle.app.tls;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.mqtt.ControlCharacters;
import io.heddle.persistence.SettingRule;
import io.heddle.transport.tls.ClientCertificates;
import io.heddle.transport.tls.KeyFiles;
import io.heddle.transport.tls.TlsProvider;
import io.heddle.transport.tls.TlsSettings;
import io.heddle.transport.tls.TrustFiles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * TLS of the listeners for MQTT.
 *
 * @param certificate PEM file with the certificate of the server, followed by those of its intermediate authorities; or PKCS#12 file with these
 *     and the key. Listeners with TLS need one
 * @param key PEM file with the private key (PKCS#8 or of OpenSSL); empty if the key is in the file of the certificate
 * @param keyPassword password of the key, or of the PKCS#12 file
 * @param additionalCertificates further certificates, each with certificate, key and key-password. A client gets the first one that has the
 *     server's name for which it asks (SNI), or else that of heddle.mqtt.tls.certificate or of its listener
 * @param clientCertificates whether clients have certificates: off, optional (a client may have none) or required
 * @param trustStore PEM or PKCS#12 file with the certificates of the authorities that issue the certificates of clients
 * @param trustStorePassword password of the PKCS#12 file
 * @param revocationLists files with lists of revoked certificates (CRL, PEM or DER), separated by commas. If there are any, each authority in
 *     the chain of a client's certificate needs a list that is not out of date
 * @param protocols TLSv1.3, TLSv1.2 or both, separated by commas
 * @param ciphers cipher suites by their names in Java, separated by commas; if empty, those with forward secrecy and authenticated encryption
 * @param provider implementation: openssl (BoringSSL, a native library), jdk, or auto, which is openssl if it can be loaded
 * @param ocspStapling whether clients that ask for it get proof that the certificate of the server is not revoked: the node fetches it from the
 *     responder that the certificate names. Not with the provider jdk
 * @param sessionTimeout how long after a handshake a client may connect again without a full one (session resumption), with TLS 1.3 up to
 *     twice as long
 * @param handshakeTimeout maximum duration of a handshake, from the opening of the connection
 * @param maximumHandshakes maximum number of handshakes in progress of this node; further connections are closed. One address (of IPv6: a /64)
 *     has at most half of what is free. For a new connection, the oldest one that has sent nothing is closed. From half of the maximum on, or
 *     a quarter for one address, handshakes are closed whose clients have been silent for a twentieth of the timeout, or that have lasted
 *     for a quarter of it
 * @param reloadInterval how often the files of certificates are checked for changes; changed files are used after two checks
 * @param expiryWarning how long before a certificate expires a warning is logged each day
 */
public record MqttTlsSettings(
        @DefaultValue("") String certificate,
        @DefaultValue("") String key,
        @DefaultValue("") String keyPassword,
        @DefaultValue List<KeySettings> additionalCertificates,
        @DefaultValue("off") ClientCertificates clientCertificates,
        @DefaultValue("") String trustStore,
        @DefaultValue("") String trustStorePassword,
        @DefaultValue List<String> revocationLists,
        @DefaultValue({"TLSv1.3", "TLSv1.2"}) List<String> protocols,
        @DefaultValue List<String> ciphers,
        @DefaultValue("auto") TlsProvider provider,
        @DefaultValue("false") boolean ocspStapling,
        @DefaultValue("1h") Duration sessionTimeout,
        @DefaultValue("10s") Duration handshakeTimeout,
        @DefaultValue("1000") int maximumHandshakes,
        @DefaultValue("5s") Duration reloadInterval,
        @DefaultValue("30d") Duration expiryWarning) {
    public static final String PREFIX = "heddle.mqtt.tls";

    public MqttTlsSettings {
        additionalCertificates = List.copyOf(additionalCertificates);
        revocationLists = List.copyOf(revocationLists);
        protocols = List.copyOf(protocols);
        ciphers = List.copyOf(ciphers);
        new KeySettings(certificate, key, keyPassword).requireCertificate(PREFIX);
        for (int i = 0; i < additionalCertificates.size(); i++) {
            additionalCertificates.get(i).requireCertificate(KeySettings.PREFIX + "[" + i + "]");
        }
        checkProtocols(PREFIX, protocols);
        if (ocspStapling && provider.chosen() == TlsProvider.JDK) {
            throw new StartupException(
                    PREFIX + ".ocsp-stapling is true, but the implementation of TLS is that of the JDK: set " + PREFIX
                            + ".provider to openssl, or " + PREFIX + ".ocsp-stapling to false",
                    null);
        }
        SettingRule.between(PREFIX + ".session-timeout", sessionTimeout, Duration.ofSeconds(1), Duration.ofDays(7));
        SettingRule.between(
                PREFIX + ".handshake-timeout", handshakeTimeout, Duration.ofMillis(100), Duration.ofMinutes(5));
        SettingRule.between(PREFIX + ".maximum-handshakes", maximumHandshakes, 1, 1_000_000);
        SettingRule.between(PREFIX + ".reload-interval", reloadInterval, Duration.ofMillis(100), Duration.ofHours(24));
        SettingRule.between(PREFIX + ".expiry-warning", expiryWarning, Duration.ZERO, Duration.ofDays(3_650));
    }

    private static void checkProtocols(String prefix, List<String> protocols) {
        if (protocols.isEmpty() || !TlsSettings.PROTOCOLS.containsAll(protocols)) {
            throw new StartupException(
                    prefix + ".protocols is " + ControlCharacters.escaped(String.join(",", protocols))
                            + ": set it to TLSv1.3, TLSv1.2, or both separated by a comma",
                    null);
        }
    }

    /**
     * Returns TLS of a listener.
     *
     * @throws StartupException if a setting is missing
     */
    public TlsSettings of(String listener) {
        return of(listener, ListenerTlsSettings.NONE, PREFIX);
    }

    /**
     * Returns TLS of a listener with settings of its own, which come before these.
     *
     * @param prefix of the keys of the listener's settings
     * @throws StartupException if a setting is missing
     */
    public TlsSettings of(String listener, ListenerTlsSettings own, String prefix) {
        KeySettings ownKey = new KeySettings(own.certificate(), own.key(), own.keyPassword());
        ownKey.requireCertificate(prefix);
        boolean hasOwnKey = !own.certificate().isEmpty();
        List<KeyFiles> keys = new ArrayList<>();
        keys.add(hasOwnKey ? files(prefix, ownKey) : files(PREFIX, new KeySettings(certificate, key, keyPassword)));
        for (int i = 0; i < additionalCertificates.size(); i++) {
            keys.add(files(KeySettings.PREFIX + "[" + i + "]", additionalCertificates.get(i)));
        }
        ClientCertificates mode = own.clientCertificates() == null ? clientCertificates : own.clientCertificates();
        TrustFiles trust = own.trustStore().isEmpty()
                ? trust(PREFIX, mode, trustStore, trustStorePassword, revocationLists)
                : trust(prefix, mode, own.trustStore(), own.trustStorePassword(), own.revocationLists());
        List<String> allowed = own.protocols().isEmpty() ? protocols : own.protocols();
        checkProtocols(prefix, allowed);
        return new TlsSettings(
                listener, hasOwnKey ? prefix : PREFIX, keys, mode, trust, allowed, ciphers, provider, sessionTimeout);
    }

    private static KeyFiles files(String prefix, KeySettings key) {
        if (key.certificate().isEmpty()) {
            throw new StartupException(
                    prefix + ".certificate is missing, but a listener uses TLS: set it to a PEM or PKCS#12 file;"
                            + " ./heddle tls self-signed creates one for trials",
                    null);
        }
        return key.toFiles(prefix);
    }

    private static @Nullable TrustFiles trust(
            String prefix, ClientCertificates mode, String store, String password, List<String> lists) {
        if (mode == ClientCertificates.OFF) {
            return null;
        }
        if (store.isEmpty()) {
            throw new StartupException(
                    prefix + ".trust-store is missing, but clients have certificates: set it to a PEM file with the"
                            + " certificates of the authorities that issue them, or "
                            + prefix + ".client-certificates to off",
                    null);
        }
        return new TrustFiles(
                prefix,
                KeySettings.path(prefix + ".trust-store", store),
                password,
                lists.stream()
                        .map(list -> KeySettings.path(prefix + ".revocation-lists", list))
                        .toList());
    }

    /** Without the passwords. */
    @Override
    public String toString() {
        return "MqttTlsSettings[certificate=" + certificate + ", key=" + key + ", clientCertificates="
                + clientCertificates + ", trustStore=" + trustStore + "]";
    }
}
