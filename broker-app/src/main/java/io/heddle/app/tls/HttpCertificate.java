package io.heddle.app.tls;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.transport.certificate.Certificates;
import io.heddle.transport.tls.ServerKey;
import io.heddle.transport.tls.TlsSettings;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.ssl.SslBundleRegistrar;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.SslBundleRegistry;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.boot.ssl.SslStoreBundle;

/**
 * The certificate of the HTTP listener as a bundle of Spring, which Tomcat uses for new connections whenever it is replaced. Heddle reads and
 * watches the files, so that both kinds of listeners accept the same forms, errors and commands. Thread-safe.
 */
public final class HttpCertificate implements SslBundleRegistrar {
    /** Of a store that never leaves the memory. */
    private static final String PASSWORD = "heddle";

    private final List<TlsSettings> settings;
    private volatile @Nullable SslBundleRegistry bundles;

    /** @param settings empty without TLS, else one */
    public HttpCertificate(List<TlsSettings> settings) {
        this.settings = List.copyOf(settings);
    }

    List<TlsSettings> settings() {
        return settings;
    }

    /**
     * Registers the bundle for the start of Tomcat, which precedes the phases of the broker.
     *
     * @throws StartupException if a file cannot be used
     */
    @Override
    public void registerBundles(SslBundleRegistry registry) {
        for (TlsSettings each : settings) {
            registry.registerBundle(each.listener(), bundle(each, Certificates.read(each)));
        }
        bundles = registry;
    }

    void replace(ServerKey key) {
        SslBundleRegistry registry = bundles;
        if (registry != null) {
            settings.forEach(each -> registry.updateBundle(each.listener(), bundle(each, key)));
        }
    }

    private static SslBundle bundle(TlsSettings settings, ServerKey key) {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry(
                    settings.listener(),
                    key.key(),
                    PASSWORD.toCharArray(),
                    key.chain().toArray(Certificate[]::new));
            return SslBundle.of(
                    SslStoreBundle.of(store, PASSWORD, null),
                    SslBundleKey.NONE,
                    SslOptions.of(Set.copyOf(settings.ciphers()), Set.copyOf(settings.protocols())));
        } catch (GeneralSecurityException | IOException e) {
            throw new StartupException(
                    "This Java cannot keep a certificate in memory (" + e.getMessage()
                            + "): use one with PKCS#12, such as Temurin",
                    e);
        }
    }
}
