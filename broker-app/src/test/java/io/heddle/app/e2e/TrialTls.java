package io.heddle.app.e2e;

import io.heddle.transport.certificate.TrialCertificates;
import io.heddle.transport.certificate.TrialCertificates.Issued;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** An authority, the certificate of a broker on this machine in files that a test replaces, and what clients need to trust it. */
final class TrialTls {
    private static final String CERTIFICATE = "server.pem";
    private static final String KEY = "server-key.pem";
    private static final String DOMAIN = ".example.org";

    private final Path directory;
    private final TrialCertificates trial =
            new TrialCertificates(new SecureRandom(), Instant.now(), Duration.ofDays(60));
    private final Issued authority = trial.authority("Trial authority");
    private final Issued secondAuthority = trial.authority("Second authority");

    /** Creates the authority, and the first certificate in the directory. */
    TrialTls(Path directory) throws IOException {
        this.directory = directory;
        write("ca.pem", authority.certificatePem());
        replaceCertificate("first");
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(directory.resolve(name), text);
    }

    /** Returns the settings of a broker. */
    List<String> settings() {
        return List.of(
                "--heddle.mqtt.tls.certificate=" + directory.resolve(CERTIFICATE),
                "--heddle.mqtt.tls.key=" + directory.resolve(KEY));
    }

    Issued authority() {
        return authority;
    }

    /** Replaces the certificate of the broker and its key, one file after the other. */
    void replaceCertificate(String name) throws IOException {
        replaceCertificate(trial.server(authority, List.of(name + DOMAIN, "localhost", ListenerAddress.HOST)));
    }

    void replaceCertificate(Issued server) throws IOException {
        write(CERTIFICATE, server.certificatePem() + authority.certificatePem());
        write(KEY, server.keyPem());
    }

    /** Writes a file with the certificate of the broker and its key, as HAProxy reads it. */
    Path certificateWithKey() throws IOException {
        Path both = directory.resolve("both.pem");
        return Files.writeString(
                both, Files.readString(directory.resolve(CERTIFICATE)) + Files.readString(directory.resolve(KEY)));
    }

    Path certificateFile() {
        return directory.resolve(CERTIFICATE);
    }

    Path keyFile() {
        return directory.resolve(KEY);
    }

    Path authorityFile() {
        return directory.resolve("ca.pem");
    }

    /** Writes a file with the authorities of clients. */
    Path authoritiesOfClients(boolean withSecond) throws IOException {
        write("clients.pem", authority.certificatePem() + (withSecond ? secondAuthority.certificatePem() : ""));
        return directory.resolve("clients.pem");
    }

    /** Issues a certificate for a client by the second authority. */
    Issued clientOfSecondAuthority(String name) {
        return trial.client(secondAuthority, name, List.of());
    }

    /** Issues a certificate for a client, and writes it and its key to {@code NAME.pem} and {@code NAME-key.pem}. */
    Issued client(String name) throws IOException {
        Issued client = trial.client(authority, name, List.of());
        write(name + ".pem", client.certificatePem());
        write(name + "-key.pem", client.keyPem());
        return client;
    }

    TrustManagerFactory trust() {
        return ofJdk(() -> {
            KeyStore trusted = emptyStore();
            trusted.setCertificateEntry("authority", authority.certificate());
            TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            factory.init(trusted);
            return factory;
        });
    }

    static KeyManagerFactory key(Issued client) {
        return ofJdk(() -> {
            KeyStore store = emptyStore();
            store.setKeyEntry("client", client.key(), new char[0], new X509Certificate[] {client.certificate()});
            KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
            factory.init(store, new char[0]);
            return factory;
        });
    }

    private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    /** Returns a context of clients without sessions. */
    SSLContext context() {
        return ofJdk(() -> {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust().getTrustManagers(), null);
            return context;
        });
    }

    @FunctionalInterface
    private interface Creation<T> {
        T create() throws GeneralSecurityException, IOException;
    }

    private static <T> T ofJdk(Creation<T> creation) {
        try {
            return creation.create();
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("every JDK can do this", e);
        }
    }

    /** Returns the name of the certificate that a new connection to a port gets. */
    String nameAt(int port) throws IOException {
        try (SSLSocket socket = (SSLSocket) context().getSocketFactory().createSocket(ListenerAddress.HOST, port)) {
            socket.startHandshake();
            X509Certificate certificate = (X509Certificate) socket.getSession().getPeerCertificates()[0];
            String subject = certificate.getSubjectX500Principal().getName();
            return subject.substring("CN=".length(), subject.length() - DOMAIN.length());
        }
    }
}
