package io.heddle.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Handshakes with clients of the JDK, for both providers. */
class TlsHandshakeTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private Path directory;

    @AutoClose
    private TlsFixture fixture;

    @BeforeEach
    void open() {
        fixture = new TlsFixture(directory);
    }

    @Test
    void theNativeProviderIsAvailableAndChosen() {
        assertThat(TlsProvider.OPENSSL.isAvailable()).isTrue();
        assertThat(TlsProvider.AUTO.chosen()).isEqualTo(TlsProvider.OPENSSL);
    }

    @ParameterizedTest
    @CsvSource({"OPENSSL,TLSv1.2", "OPENSSL,TLSv1.3", "JDK,TLSv1.2", "JDK,TLSv1.3"})
    void bytesPassInBothDirections(TlsProvider provider, String protocol) throws Exception {
        InetSocketAddress address = fixture.serve(TlsFixture.with(provider, fixture.serverKey("a", "localhost")));

        SSLSocket socket = fixture.connect(address, fixture.clients(null), null, protocol);

        assertThat(TlsFixture.echoes(socket)).isTrue();
        assertThat(socket.getSession().getProtocol()).isEqualTo(protocol);
        assertThat(fixture.count("heddle.tls.handshakes", "protocol", protocol)).isEqualTo(1);
        assertThat(PeerCertificate.of(fixture.accepted())).isNull();
    }

    @ParameterizedTest
    @EnumSource(names = {"OPENSSL", "JDK"})
    void theNameOfTheServerSelectsTheCertificate(TlsProvider provider) throws Exception {
        InetSocketAddress address = fixture.serve(TlsFixture.with(
                provider,
                fixture.serverKey("default", "default.example.org"),
                fixture.serverKey("exact", "mqtt.example.org"),
                fixture.serverKey("wildcard", "*.example.org")));

        assertThat(subject(address, null)).isEqualTo("CN=default.example.org");
        assertThat(subject(address, "elsewhere.org")).isEqualTo("CN=default.example.org");
        assertThat(subject(address, "MQTT.example.org")).isEqualTo("CN=mqtt.example.org");
        assertThat(subject(address, "b.example.org")).isEqualTo("CN=*.example.org");
        // A wildcard stands for one label.
        assertThat(subject(address, "a.b.example.org")).isEqualTo("CN=default.example.org");
    }

    /** With a context of its own: the client of the JDK would resume the session with another name. */
    private String subject(InetSocketAddress address, @Nullable String name) throws Exception {
        return TlsFixture.subject(fixture.connect(address, fixture.clients(null), name));
    }

    @ParameterizedTest
    @EnumSource(names = {"OPENSSL", "JDK"})
    void aClientWithoutTlsIsClosedAndCounted(TlsProvider provider) throws Exception {
        InetSocketAddress address = fixture.serve(TlsFixture.with(provider, fixture.serverKey("a", "localhost")));

        try (Socket plain = new Socket(address.getAddress(), address.getPort())) {
            plain.setSoTimeout((int) TlsFixture.PATIENCE.toMillis());
            // CONNECT of MQTT 3.1.1 with the client id "a".
            plain.getOutputStream().write(HexFormat.of().parseHex("100d00044d5154540402000a000161"));

            assertThat(ended(plain)).isTrue();
        }
        assertThat(fixture.failures(HandshakeFailure.NOT_TLS)).isEqualTo(1);
    }

    /** OpenSSL sends this alert without encryption, although its handshake keys are known. */
    @ParameterizedTest
    @EnumSource(names = {"OPENSSL", "JDK"})
    void anAlertWithoutEncryptionSaysThatTheClientDoesNotTrustTheServer(TlsProvider provider) throws Exception {
        InetSocketAddress address = fixture.serve(TlsFixture.with(provider, fixture.serverKey("a", "localhost")));
        SSLEngine engine = fixture.clients(null).createSSLEngine();
        engine.setUseClientMode(true);
        engine.setEnabledProtocols(new String[] {"TLSv1.3"});
        ByteBuffer hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), hello);

        try (Socket plain = new Socket()) {
            plain.connect(address);
            plain.getOutputStream().write(hello.array(), 0, hello.position());
            assertThat(plain.getInputStream().read()).as("a handshake record").isEqualTo(0x16);
            plain.getOutputStream().write(HexFormat.of().parseHex("15030300020230"));

            awaitFailure(HandshakeFailure.REJECTED_BY_CLIENT);
        }
    }

    private static boolean ended(Socket socket) {
        try {
            return socket.getInputStream().readAllBytes().length < 64;
        } catch (IOException reset) {
            return true;
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"OPENSSL", "JDK"})
    void aClientWithAnOlderProtocolIsRefusedAndCounted(TlsProvider provider) throws Exception {
        KeyFiles key = fixture.serverKey("a", "localhost");
        InetSocketAddress address = fixture.serve(new TlsSettings(
                TlsFixture.LISTENER,
                TlsFixture.SETTING,
                List.of(key),
                ClientCertificates.OFF,
                null,
                List.of("TLSv1.3"),
                List.of(),
                provider,
                TlsSettings.SESSION_TIMEOUT));

        assertThatThrownBy(() -> fixture.connect(address, fixture.clients(null), null, "TLSv1.2"))
                .isInstanceOf(IOException.class);

        awaitFailure(HandshakeFailure.PROTOCOL_VERSION);
    }

    @ParameterizedTest
    @CsvSource({"OPENSSL,TLSv1.2", "OPENSSL,TLSv1.3", "JDK,TLSv1.2", "JDK,TLSv1.3"})
    void aClientThatDoesNotTrustTheServerIsCounted(TlsProvider provider, String protocol) throws Exception {
        InetSocketAddress address = fixture.serve(TlsFixture.with(provider, fixture.serverKey("a", "localhost")));
        SSLContext strangers =
                TlsFixture.clients(fixture.trial().authority("Stranger").certificate(), null);

        assertThatThrownBy(() -> fixture.connect(address, strangers, null, protocol))
                .isInstanceOf(IOException.class);

        awaitFailure(HandshakeFailure.REJECTED_BY_CLIENT);
    }

    @ParameterizedTest
    @EnumSource(names = {"OPENSSL", "JDK"})
    void aClientThatDisconnectsIsCounted(TlsProvider provider) throws Exception {
        InetSocketAddress address = fixture.serve(TlsFixture.with(provider, fixture.serverKey("a", "localhost")));

        new Socket(address.getAddress(), address.getPort()).close();

        awaitFailure(HandshakeFailure.DISCONNECTED);
    }

    @ParameterizedTest
    @CsvSource({"OPENSSL,TLSv1.2", "OPENSSL,TLSv1.3", "JDK,TLSv1.2", "JDK,TLSv1.3"})
    void aSecondConnectionResumesTheSession(TlsProvider provider, String protocol) throws Exception {
        InetSocketAddress address = fixture.serve(TlsFixture.with(provider, fixture.serverKey("a", "localhost")));
        SSLContext clients = fixture.clients(null);
        SSLSocket first = fixture.connect(address, clients, null, protocol);
        // A ticket of TLS 1.3 arrives with the first bytes.
        assertThat(TlsFixture.echoes(first)).isTrue();
        first.close();

        SSLSocket second = fixture.connect(address, clients, null, protocol);

        assertThat(TlsFixture.echoes(second)).isTrue();
        assertThat(isResumed(first, second)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"OPENSSL", "JDK"})
    void anOpenConnectionCannotRepeatItsHandshake(TlsProvider provider) throws Exception {
        InetSocketAddress address = fixture.serve(TlsFixture.with(provider, fixture.serverKey("a", "localhost")));
        SSLSocket socket = fixture.connect(address, fixture.clients(null), null, "TLSv1.2");
        assertThat(TlsFixture.echoes(socket)).isTrue();

        assertThatThrownBy(() -> {
                    socket.startHandshake();
                    TlsFixture.echoes(socket);
                })
                .isInstanceOf(IOException.class);
    }

    /** A resumed session keeps the time of its creation. */
    static boolean isResumed(SSLSocket first, SSLSocket second) {
        return first.getSession().getCreationTime() == second.getSession().getCreationTime();
    }

    private void awaitFailure(HandshakeFailure reason) {
        await().atMost(TlsFixture.PATIENCE).until(() -> fixture.failures(reason) == 1);
    }
}
