package io.heddle.app.admin.request;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.mqtt.ControlCharacters;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** The certificates of nodes that a command trusts. */
final class NodeTrust {
    private NodeTrust() {}

    /**
     * Trusts the authorities of a file, and a certificate in it.
     *
     * @param option that names the file
     * @throws StartupException if the file has no certificate in PEM
     */
    static SSLContext of(String option, Path file) {
        String name = option + " is " + ControlCharacters.escaped(file.toString());
        try (InputStream in = Files.newInputStream(file)) {
            Collection<? extends Certificate> authorities =
                    CertificateFactory.getInstance("X.509").generateCertificates(in);
            if (authorities.isEmpty()) {
                throw new StartupException(name + ", which has no certificate: name a PEM file with authorities", null);
            }
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            for (Certificate each : authorities) {
                store.setCertificateEntry("authority-" + store.size(), each);
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            factory.init(store);
            return context(factory.getTrustManagers());
        } catch (IOException e) {
            throw new StartupException(
                    name + ", which cannot be read (" + e.getMessage() + "): correct the path, or its permissions", e);
        } catch (GeneralSecurityException e) {
            throw new StartupException(
                    name + ", which has no certificates that Java can read (" + e.getMessage()
                            + "): name a PEM file with authorities",
                    e);
        }
    }

    /** Trusts each certificate with any name, for an address of which another proof exists. */
    static SSLContext ofAnyCertificate() {
        try {
            return context(new AnyCertificate());
        } catch (GeneralSecurityException e) {
            throw new StartupException("This Java does not support TLS (" + e.getMessage() + "): use another one", e);
        }
    }

    private static SSLContext context(TrustManager... trust) throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust, null);
        return context;
    }

    private static final class AnyCertificate extends X509ExtendedTrustManager {
        @Override
        public void checkServerTrusted(
                X509Certificate @Nullable [] chain, @Nullable String type, @Nullable SSLEngine engine) {}

        @Override
        public void checkServerTrusted(
                X509Certificate @Nullable [] chain, @Nullable String type, @Nullable Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate @Nullable [] chain, @Nullable String type) {}

        @Override
        public void checkClientTrusted(
                X509Certificate @Nullable [] chain, @Nullable String type, @Nullable SSLEngine engine) {}

        @Override
        public void checkClientTrusted(
                X509Certificate @Nullable [] chain, @Nullable String type, @Nullable Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate @Nullable [] chain, @Nullable String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
