package io.heddle.persistence.http;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.mqtt.ControlCharacters;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A file with the authorities that issue the certificates of servers. */
public final class TrustFile {
    private TrustFile() {}

    /**
     * Trusts the authorities of a file, and a certificate in it.
     *
     * @param option that names the file
     * @throws StartupException if the file has no certificate in PEM
     */
    public static SSLContext read(String option, Path file) {
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
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, factory.getTrustManagers(), null);
            return context;
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
}
