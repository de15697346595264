package io.heddle.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bound and the timeout of handshakes in progress. */
class TlsHandshakesTest {
    /** HalfOpenHandshakesIT measures a broker. */
    private static final int HALF_OPEN = 500;

    private static final int BOUND = 100;
    private static final Duration A_MOMENT = Duration.ofMillis(100);

    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private Path directory;

    private TlsFixture fixture;
    private final List<Socket> halfOpen = new ArrayList<>();

    @BeforeEach
    void open() {
        fixture = new TlsFixture(directory);
    }

    @AfterEach
    void close() throws Exception {
        for (Socket socket : halfOpen) {
            socket.close();
        }
        fixture.close();
    }

    private InetSocketAddress serve(TlsHandshakes handshakes) throws Exception {
        TlsSettings settings = TlsFixture.with(TlsProvider.AUTO, fixture.serverKey("a", "localhost"));
        return fixture.serve(fixture.certificates(handshakes, settings).tls(TlsFixture.LISTENER));
    }

    private Socket openHalf(InetSocketAddress address) throws IOException {
        Socket socket = new Socket(address.getAddress(), address.getPort());
        socket.setSoTimeout((int) TlsFixture.PATIENCE.toMillis());
        halfOpen.add(socket);
        return socket;
    }

    private static boolean isClosed(Socket socket) {
        try {
            return socket.getInputStream().read() < 0;
        } catch (IOException reset) {
            return true;
        }
    }

    @Test
    void aHandshakeThatIsNotCompleteInTimeIsClosedAndCounted() throws Exception {
        TlsHandshakes handshakes = fixture.handshakes(10, Duration.ofMillis(300));
        InetSocketAddress address = serve(handshakes);

        assertThat(isClosed(openHalf(address))).isTrue();

        assertThat(fixture.failures(HandshakeFailure.TIMEOUT)).isEqualTo(1);
        assertThat(handshakes.inProgress()).isZero();
    }

    @Test
    void aNewConnectionGetsThePlaceOfTheOldestSilentOneOfItsAddress() throws Exception {
        TlsHandshakes handshakes = fixture.handshakes(4, Duration.ofMinutes(10));
        InetSocketAddress address = serve(handshakes);
        Socket oldest = openHalf(address);
        Socket second = openHalf(address);
        await().atMost(TlsFixture.PATIENCE).until(() -> handshakes.inProgress() == 2);

        Socket third = openHalf(address);

        assertThat(isClosed(oldest)).isTrue();
        assertThat(fixture.failures(HandshakeFailure.TOO_MANY)).isEqualTo(1);
        assertThat(handshakes.inProgress()).isEqualTo(2);
        assertThat(second.isConnected() && third.isConnected()).isTrue();
    }

    @Test
    void connectionsAboveTheShareOfAnAddressAreClosedAndCounted() throws Exception {
        TlsHandshakes handshakes = fixture.handshakes(4, Duration.ofMinutes(10));
        InetSocketAddress address = serve(handshakes);
        ByteBuffer hello = clientHello(fixture.clients(null));
        begin(openHalf(address), hello);
        begin(openHalf(address), hello);
        awaitHeard(handshakes, 2);

        assertThat(isClosed(openHalf(address))).isTrue();

        assertThat(fixture.failures(HandshakeFailure.TOO_MANY)).isEqualTo(1);
        try (Socket other = new Socket()) {
            other.bind(new InetSocketAddress("127.0.0.2", 0));
            other.connect(address);
            await().atMost(TlsFixture.PATIENCE).until(() -> handshakes.inProgress() == 3);
        }
    }

    private static void awaitHeard(TlsHandshakes handshakes, int count) {
        await().atMost(TlsFixture.PATIENCE).until(() -> handshakes.inProgress() == count && handshakes.unheard() == 0);
    }

    /** Sends the first byte, so that the client is no longer one that has sent nothing. */
    private static void begin(Socket socket, ByteBuffer hello) throws IOException {
        socket.getOutputStream().write(hello.get(0));
    }

    /** Returns whether a new client completes its handshake. */
    private boolean isAdmitted(InetSocketAddress address, SSLContext clients) throws Exception {
        try {
            return TlsFixture.echoes(fixture.connect(address, clients, null));
        } catch (IOException refused) {
            return false;
        }
    }

    @Test
    void silentClientsMakeRoomAtTheBound() throws Exception {
        TlsHandshakes handshakes = fixture.handshakes(2, Duration.ofSeconds(20));
        InetSocketAddress address = serve(handshakes);
        SSLContext clients = fixture.clients(null);
        Socket silent = openHalf(address);
        begin(silent, clientHello(clients));
        awaitHeard(handshakes, 1);

        // Refused for the first second, which is a twentieth of the timeout.
        await().atMost(TlsFixture.PATIENCE).until(() -> isAdmitted(address, clients));

        assertThat(isClosed(silent)).isTrue();
        await().atMost(TlsFixture.PATIENCE).until(() -> handshakes.inProgress() == 0);
    }

    @Test
    void aClientThatGoesOnSendingKeepsItsPlace() throws Exception {
        TlsHandshakes handshakes = fixture.handshakes(4, Duration.ofSeconds(60));
        InetSocketAddress address = serve(handshakes);
        SSLContext clients = fixture.clients(null);
        ByteBuffer hello = clientHello(clients);
        Socket silent = openHalf(address);
        begin(silent, hello);
        Socket slow = openHalf(address);
        slow.getOutputStream().write(hello.get());
        awaitHeard(handshakes, 2);

        await().atMost(TlsFixture.PATIENCE).pollInterval(A_MOMENT).until(() -> {
            slow.getOutputStream().write(hello.get());
            return isAdmitted(address, clients);
        });

        assertThat(isClosed(silent)).isTrue();
        byte[] rest = new byte[hello.remaining()];
        hello.get(rest);
        slow.getOutputStream().write(rest);
        assertThat(slow.getInputStream().read())
                .as("handshake record of the server")
                .isEqualTo(0x16);
    }

    @Test
    void aClientThatSendsAByteNowAndThenIsClosedAfterAQuarterOfTheTimeout() throws Exception {
        TlsHandshakes handshakes = fixture.handshakes(1, Duration.ofSeconds(8));
        InetSocketAddress address = serve(handshakes);
        SSLContext clients = fixture.clients(null);
        Socket slow = openHalf(address);
        ByteBuffer hello = clientHello(clients);
        slow.getOutputStream().write(hello.get());
        awaitHeard(handshakes, 1);

        await().atMost(TlsFixture.PATIENCE).pollInterval(A_MOMENT).until(() -> {
            if (handshakes.inProgress() == 1) {
                slow.getOutputStream().write(hello.get());
            }
            return isAdmitted(address, clients);
        });

        assertThat(isClosed(slow)).isTrue();
        assertThat(fixture.failures(HandshakeFailure.TIMEOUT)).isZero();
    }

    private static ByteBuffer clientHello(SSLContext clients) throws SSLException {
        SSLEngine engine = clients.createSSLEngine("localhost", 1);
        engine.setUseClientMode(true);
        ByteBuffer hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        var _ = engine.wrap(ByteBuffer.allocate(0), hello);
        return hello.flip();
    }

    @Test
    void halfOpenHandshakesNeitherDelayNorKeepOutOtherClients() throws Exception {
        TlsHandshakes handshakes = fixture.handshakes(BOUND, Duration.ofSeconds(10));
        InetSocketAddress address = serve(handshakes);
        SSLContext clients = fixture.clients(null);
        SSLSocket connected = fixture.connect(address, clients, null);

        for (int i = 0; i < HALF_OPEN; i++) {
            openHalf(address);
            assertThat(handshakes.inProgress()).isLessThanOrEqualTo(BOUND);
            if (i % 10 == 0) {
                assertThat(TlsFixture.echoes(connected)).isTrue();
            }
        }

        await().atMost(TlsFixture.PATIENCE)
                .ignoreExceptions()
                .until(() -> TlsFixture.echoes(fixture.connect(address, clients, null)));
        assertThat(TlsFixture.echoes(connected)).isTrue();
        assertThat(fixture.failures(HandshakeFailure.TOO_MANY)).isGreaterThanOrEqualTo(HALF_OPEN - BOUND);
    }

    @Test
    void handshakesThatEndFreeTheirPlaces() throws Exception {
        TlsHandshakes handshakes = fixture.handshakes(1, Duration.ofMinutes(10));
        InetSocketAddress address = serve(handshakes);
        SSLContext clients = fixture.clients(null);

        for (int i = 0; i < 5; i++) {
            SSLSocket socket = fixture.connect(address, clients, null);
            assertThat(TlsFixture.echoes(socket)).isTrue();
        }
        openHalf(address).close();
        await().atMost(TlsFixture.PATIENCE).until(() -> fixture.failures(HandshakeFailure.DISCONNECTED) == 1);
        await().atMost(TlsFixture.PATIENCE).until(() -> handshakes.inProgress() == 0);

        assertThat(TlsFixture.echoes(fixture.connect(address, clients, null))).isTrue();
        assertThat(fixture.failures(HandshakeFailure.TOO_MANY)).isZero();
    }

    @Test
    void aLogLineIsWrittenOnceAMinuteForEachReason() {
        long[] now = {0};
        HandshakeLog log = new HandshakeLog(() -> now[0]);

        assertThat(log.failed(HandshakeFailure.NOT_TLS, "mqtts", null, null)).isTrue();
        assertThat(log.failed(HandshakeFailure.NOT_TLS, "mqtts", null, null)).isFalse();
        assertThat(log.failed(HandshakeFailure.TIMEOUT, "mqtts", null, null)).isTrue();
        assertThat(log.failed(HandshakeFailure.DISCONNECTED, "mqtts", null, null))
                .isFalse();
        now[0] = Duration.ofMinutes(1).toNanos();
        assertThat(log.failed(HandshakeFailure.NOT_TLS, "mqtts", null, null)).isTrue();
    }
}
