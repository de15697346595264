package io.heddle.transport.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.node.operation.CertificateStatus;
import io.heddle.transport.certificate.TrialCertificates.Issued;
import io.heddle.transport.tls.ClientCertificates;
import io.heddle.transport.tls.KeyFiles;
import io.heddle.transport.tls.Revocations;
import io.heddle.transport.tls.TlsFixture;
import io.heddle.transport.tls.TlsProvider;
import io.heddle.transport.tls.TlsSettings;
import io.micrometer.core.instrument.Gauge;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Certificates that are replaced while a server runs. */
class CertificatesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private Path directory;

    @AutoClose
    private TlsFixture fixture;

    @BeforeEach
    void open() {
        fixture = new TlsFixture(directory);
    }

    private Certificates certificates(TlsSettings settings) {
        return fixture.certificates(fixture.handshakes(100, PATIENCE), settings);
    }

    private static String subject(SSLSocket socket) throws IOException {
        X509Certificate certificate = (X509Certificate) socket.getSession().getPeerCertificates()[0];
        return certificate.getSubjectX500Principal().getName();
    }

    private double reloads(String result) {
        return fixture.count("heddle.tls.reloads", "result", result);
    }

    /** A change is used when it is seen twice. */
    private static void checkTwice(Certificates certificates) {
        certificates.check();
        certificates.check();
    }

    @ParameterizedTest
    @EnumSource(names = {"OPENSSL", "JDK"})
    void changedFilesAreUsedForNewConnectionsOnly(TlsProvider provider) throws Exception {
        Certificates certificates = certificates(TlsFixture.with(provider, fixture.serverKey("a", "old")));
        InetSocketAddress address = fixture.serve(certificates.tls("mqtts"));
        SSLSocket open = fixture.connect(address, fixture.clients(null), null);
        assertThat(TlsFixture.echoes(open)).isTrue();

        var _ = fixture.serverKey("a", "new");
        certificates.check();
        assertThat(subject(fixture.connect(address, fixture.clients(null), null)))
                .isEqualTo("CN=old");
        certificates.check();

        assertThat(subject(fixture.connect(address, fixture.clients(null), null)))
                .isEqualTo("CN=new");
        assertThat(TlsFixture.echoes(open)).isTrue();
        assertThat(reloads("success")).isEqualTo(1);
        checkTwice(certificates);
        assertThat(reloads("success")).isEqualTo(1);
    }

    @Test
    void aFileThatCannotBeUsedChangesNothingAndIsCountedOnce() throws Exception {
        Certificates certificates = certificates(TlsFixture.with(TlsProvider.AUTO, fixture.serverKey("a", "old")));
        InetSocketAddress address = fixture.serve(certificates.tls("mqtts"));

        fixture.write("a.pem", "-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----\n");
        checkTwice(certificates);
        checkTwice(certificates);

        assertThat(reloads("failure")).isEqualTo(1);
        assertThat(subject(fixture.connect(address, fixture.clients(null), null)))
                .isEqualTo("CN=old");
        assertThatThrownBy(certificates::reload)
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("heddle.mqtt.tls.certificate is " + directory.resolve("a.pem"));
        assertThat(reloads("failure")).isEqualTo(2);

        var _ = fixture.serverKey("a", "new");
        checkTwice(certificates);
        assertThat(subject(fixture.connect(address, fixture.clients(null), null)))
                .isEqualTo("CN=new");
    }

    @Test
    void filesThatBecomeUsableWithoutAnotherChangeAreUsed() throws Exception {
        Certificates certificates = certificates(TlsFixture.with(TlsProvider.AUTO, fixture.serverKey("a", "old")));
        InetSocketAddress address = fixture.serve(certificates.tls("mqtts"));
        var _ = fixture.serverKey("a", "new");
        Path file = directory.resolve("a.pem");
        String text = Files.readString(file);
        FileTime time = Files.getLastModifiedTime(file);
        // Stands for a file that the node may not read: of the same size and time.
        Files.writeString(file, text.replace("BEGIN", "WRONG"));
        Files.setLastModifiedTime(file, time);
        checkTwice(certificates);
        checkTwice(certificates);
        assertThat(reloads("failure")).isEqualTo(1);

        Files.writeString(file, text);
        Files.setLastModifiedTime(file, time);
        certificates.check();

        assertThat(subject(fixture.connect(address, fixture.clients(null), null)))
                .isEqualTo("CN=new");
        checkTwice(certificates);
        assertThat(reloads("success")).isEqualTo(1);
        assertThat(reloads("failure")).isEqualTo(1);
    }

    @Test
    void aDeletedFileChangesNothing() throws Exception {
        Certificates certificates = certificates(TlsFixture.with(TlsProvider.AUTO, fixture.serverKey("a", "old")));
        InetSocketAddress address = fixture.serve(certificates.tls("mqtts"));

        Files.delete(directory.resolve("a-key.pem"));
        checkTwice(certificates);

        assertThat(reloads("failure")).isEqualTo(1);
        assertThat(subject(fixture.connect(address, fixture.clients(null), null)))
                .isEqualTo("CN=old");
    }

    @Test
    void aMountedSecretOfKubernetesIsReloaded() throws Exception {
        // Files are links to ..data/FILE, and ..data is a link to a directory, which is replaced at once.
        Path first = secret("..2026_11_23_1", "old");
        Path data = Files.createSymbolicLink(directory.resolve("..data"), first.getFileName());
        Path certificate = Files.createSymbolicLink(directory.resolve("tls.crt"), Path.of("..data/tls.crt"));
        Path key = Files.createSymbolicLink(directory.resolve("tls.key"), Path.of("..data/tls.key"));
        Certificates certificates =
                certificates(TlsFixture.with(TlsProvider.AUTO, new KeyFiles("heddle.mqtt.tls", certificate, key, "")));
        InetSocketAddress address = fixture.serve(certificates.tls("mqtts"));

        Path second = secret("..2026_11_23_2", "new");
        Path next = Files.createSymbolicLink(directory.resolve("..data_tmp"), second.getFileName());
        Files.move(next, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        Files.delete(first.resolve("tls.crt"));
        checkTwice(certificates);

        assertThat(subject(fixture.connect(address, fixture.clients(null), null)))
                .isEqualTo("CN=new");
    }

    private Path secret(String name, String host) throws IOException {
        Path secret = Files.createDirectory(directory.resolve(name));
        Issued issued = fixture.trial().server(fixture.authority(), List.of(host));
        Files.writeString(secret.resolve("tls.crt"), issued.certificatePem());
        Files.writeString(secret.resolve("tls.key"), issued.keyPem());
        return secret;
    }

    @Test
    void theCommandReloadsAtOnceAndReportsTheCertificates() throws Exception {
        Certificates certificates = certificates(TlsFixture.with(TlsProvider.AUTO, fixture.serverKey("a", "old")));

        var _ = fixture.serverKey("a", "new");
        List<CertificateStatus> reported = certificates.reload();

        assertThat(reported).hasSize(1);
        assertThat(reported.getFirst().subject()).isEqualTo("CN=new");
        assertThat(reported.getFirst().listener()).isEqualTo("mqtts");
        assertThat(reported).isEqualTo(certificates.status());
        checkTwice(certificates);
        assertThat(reloads("success")).isEqualTo(1);
    }

    @Test
    void sessionsAreResumedAfterAReloadUnlessTheRulesForClientsHaveChanged() throws Exception {
        KeyFiles key = fixture.serverKey("a", "localhost");
        Path list = fixture.write("list.pem", Revocations.list(fixture.authority(), Duration.ofDays(1)));
        Certificates certificates =
                certificates(fixture.withClients(ClientCertificates.REQUIRED, key, TlsProvider.OPENSSL, list));
        InetSocketAddress address = fixture.serve(certificates.tls("mqtts"));
        Issued client = fixture.trial().client(fixture.authority(), "sensor-1", List.of());
        SSLContext clients = fixture.clients(client);
        long created = connected(address, clients);

        var _ = fixture.serverKey("a", "localhost");
        var _ = certificates.reload();
        assertThat(connected(address, clients)).isEqualTo(created);

        fixture.write("list.pem", Revocations.list(fixture.authority(), Duration.ofDays(1), client.certificate()));
        var _ = certificates.reload();
        assertThatThrownBy(() -> connected(address, clients)).isInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @CsvSource({"OPENSSL,TLSv1.2", "OPENSSL,TLSv1.3", "JDK,TLSv1.2", "JDK,TLSv1.3"})
    void connectedClientsWhoseCertificatesAreRevokedAreDisconnected(TlsProvider provider, String protocol)
            throws Exception {
        KeyFiles key = fixture.serverKey("a", "localhost");
        Path list = fixture.write("list.pem", Revocations.list(fixture.authority(), Duration.ofDays(1)));
        Certificates certificates = certificates(fixture.withClients(ClientCertificates.REQUIRED, key, provider, list));
        InetSocketAddress address = fixture.serve(certificates.tls("mqtts"));
        Issued revoked = fixture.trial().client(fixture.authority(), "sensor-1", List.of());
        SSLContext clients = fixture.clients(revoked);
        SSLSocket full = connect(address, clients, protocol);
        SSLSocket resumed = connect(address, clients, protocol);
        SSLSocket other = connect(
                address, fixture.clients(fixture.trial().client(fixture.authority(), "sensor-2", List.of())), protocol);

        fixture.write("list.pem", Revocations.list(fixture.authority(), Duration.ofDays(1), revoked.certificate()));
        var _ = certificates.reload();

        assertThat(full.getInputStream().read()).isEqualTo(-1);
        assertThat(resumed.getInputStream().read()).isEqualTo(-1);
        assertThat(TlsFixture.echoes(other)).isTrue();
        assertThat(fixture.count("heddle.tls.clients.disconnected", "reason", "certificate_revoked"))
                .isEqualTo(2);
    }

    @Test
    void aListThatIsOutOfDateDisconnectsNobody() throws Exception {
        KeyFiles key = fixture.serverKey("a", "localhost");
        Path list = fixture.write("list.pem", Revocations.list(fixture.authority(), Duration.ofDays(1)));
        Certificates certificates =
                certificates(fixture.withClients(ClientCertificates.REQUIRED, key, TlsProvider.AUTO, list));
        InetSocketAddress address = fixture.serve(certificates.tls("mqtts"));
        Issued client = fixture.trial().client(fixture.authority(), "sensor-1", List.of());
        Issued revoked = fixture.trial().client(fixture.authority(), "sensor-2", List.of());
        SSLSocket first = connect(address, fixture.clients(client), "TLSv1.3");
        SSLSocket second = connect(address, fixture.clients(revoked), "TLSv1.3");

        fixture.write("list.pem", Revocations.list(fixture.authority(), Duration.ofMinutes(-1)));
        var _ = certificates.reload();
        fixture.write("list.pem", Revocations.list(fixture.authority(), Duration.ofDays(1), revoked.certificate()));
        var _ = certificates.reload();

        assertThat(second.getInputStream().read()).isEqualTo(-1);
        assertThat(TlsFixture.echoes(first)).isTrue();
    }

    private SSLSocket connect(InetSocketAddress address, SSLContext clients, String protocol) throws IOException {
        SSLSocket socket = fixture.connect(address, clients, null, protocol);
        assertThat(TlsFixture.echoes(socket)).isTrue();
        return socket;
    }

    /** Returns when the session of the client was created. */
    private long connected(InetSocketAddress address, SSLContext clients) throws IOException {
        SSLSocket socket = fixture.connect(address, clients, null);
        assertThat(TlsFixture.echoes(socket)).isTrue();
        long created = socket.getSession().getCreationTime();
        socket.close();
        return created;
    }

    @Test
    void sessionsAreResumedAfterTheKeysOfTicketsHaveChanged() throws Exception {
        Certificates certificates =
                certificates(TlsFixture.with(TlsProvider.OPENSSL, fixture.serverKey("a", "localhost")));
        InetSocketAddress address = fixture.serve(certificates.tls("mqtts"));
        SSLContext clients = fixture.clients(null);
        long created = connected(address, clients);

        certificates.tls("mqtts").rotateTicketKeys();

        assertThat(connected(address, clients)).isEqualTo(created);
    }

    /** A clock that the test moves. */
    private static final class MovedClock extends Clock {
        private final AtomicReference<Instant> now;

        MovedClock(AtomicReference<Instant> now) {
            this.now = now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now.get();
        }
    }

    @Test
    void ticketsAreInvalidAfterTwiceTheSessionTimeout() throws Exception {
        Duration timeout = Duration.ofMinutes(10);
        TlsSettings usual = TlsFixture.with(TlsProvider.OPENSSL, fixture.serverKey("a", "localhost"));
        TlsSettings settings = new TlsSettings(
                usual.listener(),
                usual.setting(),
                usual.keys(),
                usual.clientCertificates(),
                usual.trust(),
                usual.protocols(),
                usual.ciphers(),
                usual.provider(),
                timeout);
        AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
        try (Certificates certificates = new Certificates(
                List.of(settings),
                fixture.handshakes(100, PATIENCE),
                null,
                Duration.ofDays(30),
                new MovedClock(now),
                fixture.registry())) {
            InetSocketAddress address = fixture.serve(certificates.tls("mqtts"));
            SSLContext clients = fixture.clients(null);
            long created = connected(address, clients);

            now.set(now.get().plus(timeout.dividedBy(2)));
            checkTwice(certificates);
            assertThat(connected(address, clients)).isEqualTo(created);

            for (int i = 0; i < 2; i++) {
                now.set(now.get().plus(timeout));
                certificates.check();
            }
            assertThat(connected(address, clients)).isNotEqualTo(created);
        }
    }

    @Test
    void theSecondsUntilACertificateExpiresAreShown() throws Exception {
        Certificates certificates =
                certificates(TlsFixture.with(TlsProvider.AUTO, fixture.serverKey("a", "localhost")));

        assertThat(expiry("CN=localhost")).isBetween(89.0 * 86_400, 90.0 * 86_400);
        var _ = fixture.serverKey("a", "other");
        var _ = certificates.reload();
        assertThat(expiry("CN=other")).isPositive();
        assertThat(fixture.registry().find("heddle.tls.expiry").gauges()).hasSize(1);
    }

    private double expiry(String subject) {
        Gauge gauge = fixture.registry()
                .find("heddle.tls.expiry")
                .tags("listener", "mqtts", "kind", "certificate", "subject", subject)
                .gauge();
        return Objects.requireNonNull(gauge, subject).value();
    }

    @Test
    void aCipherSuiteThatNobodySupportsIsNamed() throws Exception {
        KeyFiles key = fixture.serverKey("a", "localhost");
        TlsSettings settings = new TlsSettings(
                "mqtts",
                "heddle.mqtt.tls",
                List.of(key),
                ClientCertificates.OFF,
                null,
                TlsSettings.PROTOCOLS,
                List.of("TLS_ROT13"),
                TlsProvider.AUTO,
                TlsSettings.SESSION_TIMEOUT);

        assertThatThrownBy(() -> certificates(settings))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("heddle.mqtt.tls.ciphers names TLS_ROT13");
    }
}
