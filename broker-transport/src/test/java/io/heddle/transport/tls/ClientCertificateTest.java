package io.heddle.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.heddle.core.client.ClientCertificate;
import io.heddle.transport.certificate.TrialCertificates.Issued;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Certificates of clients, for both providers and protocols. */
class ClientCertificateTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private Path directory;

    @AutoClose
    private TlsFixture fixture;

    @BeforeEach
    void open() {
        fixture = new TlsFixture(directory);
    }

    private InetSocketAddress serve(ClientCertificates mode, TlsProvider provider, Path... lists) throws Exception {
        return fixture.serve(fixture.withClients(mode, fixture.serverKey("server", "localhost"), provider, lists));
    }

    private SSLSocket connect(InetSocketAddress address, @Nullable Issued client, String protocol) throws Exception {
        SSLSocket socket = fixture.connect(address, fixture.clients(client), null, protocol);
        assertThat(TlsFixture.echoes(socket)).isTrue();
        return socket;
    }

    private void assertRefused(
            InetSocketAddress address, @Nullable Issued client, String protocol, HandshakeFailure reason) {
        // A client of TLS 1.3 learns of the refusal from its first read.
        assertThatThrownBy(() -> connect(address, client, protocol)).isInstanceOf(IOException.class);
        await().atMost(TlsFixture.PATIENCE).until(() -> fixture.failures(reason) == 1);
    }

    @ParameterizedTest
    @CsvSource({"OPENSSL,TLSv1.2", "OPENSSL,TLSv1.3", "JDK,TLSv1.2", "JDK,TLSv1.3"})
    void theSubjectOfTheCertificateIsKnownAfterTheHandshake(TlsProvider provider, String protocol) throws Exception {
        InetSocketAddress address = serve(ClientCertificates.REQUIRED, provider);
        Issued client = fixture.trial().client(fixture.authority(), "sensor-1", List.of("sensor-1.example.org"));

        SSLSocket first = connect(address, client, protocol);

        ClientCertificate certificate = Objects.requireNonNull(PeerCertificate.of(fixture.accepted()));
        assertThat(certificate.subject()).isEqualTo("CN=sensor-1");
        assertThat(certificate.commonName()).isEqualTo("sensor-1");
        assertThat(certificate.dnsNames()).containsExactly("sensor-1.example.org");
        assertThat(certificate.issuer())
                .isEqualTo(client.certificate().getIssuerX500Principal().getName());
        assertThat(certificate.fingerprint())
                .isEqualTo(HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256")
                                .digest(client.certificate().getEncoded())));
        assertThat(certificate.expiry())
                .isEqualTo(client.certificate().getNotAfter().toInstant());
        first.close();
    }

    @ParameterizedTest
    @CsvSource({"OPENSSL,TLSv1.2", "OPENSSL,TLSv1.3", "JDK,TLSv1.2", "JDK,TLSv1.3"})
    void theSubjectIsKnownOfAResumedSession(TlsProvider provider, String protocol) throws Exception {
        InetSocketAddress address = serve(ClientCertificates.REQUIRED, provider);
        var clients = fixture.clients(fixture.trial().client(fixture.authority(), "sensor-1", List.of()));
        SSLSocket first = fixture.connect(address, clients, null, protocol);
        assertThat(TlsFixture.echoes(first)).isTrue();
        first.close();
        var _ = fixture.accepted();

        SSLSocket second = fixture.connect(address, clients, null, protocol);

        assertThat(TlsFixture.echoes(second)).isTrue();
        assertThat(TlsHandshakeTest.isResumed(first, second)).isTrue();
        assertThat(Objects.requireNonNull(PeerCertificate.of(fixture.accepted()))
                        .commonName())
                .isEqualTo("sensor-1");
    }

    @ParameterizedTest
    @EnumSource(names = {"OPENSSL", "JDK"})
    void anOptionalCertificateMayBeAbsent(TlsProvider provider) throws Exception {
        InetSocketAddress address = serve(ClientCertificates.OPTIONAL, provider);

        connect(address, null, "TLSv1.3").close();

        assertThat(PeerCertificate.of(fixture.accepted())).isNull();
    }

    @ParameterizedTest
    @CsvSource({"OPENSSL,TLSv1.2", "OPENSSL,TLSv1.3", "JDK,TLSv1.2", "JDK,TLSv1.3"})
    void aClientWithoutTheRequiredCertificateIsRefused(TlsProvider provider, String protocol) throws Exception {
        assertRefused(serve(ClientCertificates.REQUIRED, provider), null, protocol, HandshakeFailure.NO_CERTIFICATE);
    }

    @ParameterizedTest
    @CsvSource({"OPENSSL,REQUIRED", "OPENSSL,OPTIONAL", "JDK,REQUIRED", "JDK,OPTIONAL"})
    void aCertificateOfAnotherAuthorityIsRefused(TlsProvider provider, ClientCertificates mode) throws Exception {
        // With the name of the trusted authority: else the client of the JDK would not present it.
        Issued stranger = fixture.trial().authority("Trial authority");
        Issued client = fixture.trial().client(stranger, "sensor-1", List.of());

        assertRefused(serve(mode, provider), client, "TLSv1.3", HandshakeFailure.UNKNOWN_AUTHORITY);
    }

    @ParameterizedTest
    @EnumSource(names = {"OPENSSL", "JDK"})
    void anExpiredCertificateIsRefused(TlsProvider provider) throws Exception {
        Issued client = TlsFixture.trial(Duration.ofMinutes(-1)).client(fixture.authority(), "sensor-1", List.of());

        assertRefused(
                serve(ClientCertificates.REQUIRED, provider), client, "TLSv1.3", HandshakeFailure.CERTIFICATE_EXPIRED);
    }

    @ParameterizedTest
    @CsvSource({"OPENSSL,TLSv1.2", "OPENSSL,TLSv1.3", "JDK,TLSv1.2", "JDK,TLSv1.3"})
    void aSessionIsNotResumedAfterItsCertificateHasExpired(TlsProvider provider, String protocol) throws Exception {
        InetSocketAddress address = serve(ClientCertificates.REQUIRED, provider);
        Issued client = TlsFixture.trial(Duration.ofSeconds(8)).client(fixture.authority(), "sensor-1", List.of());
        SSLContext clients = fixture.clients(client);
        SSLSocket first = fixture.connect(address, clients, null, protocol);
        assertThat(TlsFixture.echoes(first)).isTrue();
        first.close();

        Instant expiry = client.certificate().getNotAfter().toInstant();
        await().atMost(TlsFixture.PATIENCE).until(() -> Instant.now().isAfter(expiry.plusSeconds(1)));

        assertThatThrownBy(() -> TlsFixture.echoes(fixture.connect(address, clients, null, protocol)))
                .isInstanceOf(IOException.class);
        await().atMost(TlsFixture.PATIENCE).until(() -> fixture.failures(HandshakeFailure.CERTIFICATE_EXPIRED) == 1);
    }

    @ParameterizedTest
    @EnumSource(names = {"OPENSSL", "JDK"})
    void aRevokedCertificateIsRefused(TlsProvider provider) throws Exception {
        Issued revoked = fixture.trial().client(fixture.authority(), "sensor-1", List.of());
        Issued valid = fixture.trial().client(fixture.authority(), "sensor-2", List.of());
        Path list = fixture.write(
                "revoked.pem", Revocations.list(fixture.authority(), Duration.ofDays(1), revoked.certificate()));
        InetSocketAddress address = serve(ClientCertificates.REQUIRED, provider, list);

        connect(address, valid, "TLSv1.3").close();
        assertRefused(address, revoked, "TLSv1.3", HandshakeFailure.CERTIFICATE_REVOKED);
    }

    @ParameterizedTest
    @EnumSource(names = {"OPENSSL", "JDK"})
    void withoutACurrentListOfTheAuthorityAClientIsRefused(TlsProvider provider) throws Exception {
        Issued client = fixture.trial().client(fixture.authority(), "sensor-1", List.of());
        Path other =
                fixture.write("other.pem", Revocations.list(fixture.trial().authority("Other"), Duration.ofDays(1)));

        assertRefused(
                serve(ClientCertificates.REQUIRED, provider, other),
                client,
                "TLSv1.3",
                HandshakeFailure.REVOCATION_UNKNOWN);
    }
}
