package io.heddle.api.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.heddle.api.testkit.ApiServer;
import io.heddle.api.testkit.TestTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A client with TLS that does not go on holds its connection no longer than one without. */
final class SilentTlsClientsTest {
    private static final int TRICKLE_MILLIS = 200;
    private static final Duration LATEST = Duration.ofSeconds(20);
    /** The head of a record with 16 KB of application data, of which further bytes must arrive. */
    private static final byte[] BEGIN_OF_RECORD = {0x17, 0x03, 0x03, 0x40, 0x00};

    @SuppressWarnings("NullAway.Init") // Set before the tests.
    private static SSLContext context;

    @SuppressWarnings("NullAway.Init") // Set before the tests.
    private static String[] tls;

    @AutoClose
    @SuppressWarnings("NullAway.Init") // Set before the tests.
    private static ApiServer server;

    @BeforeAll
    static void start(@TempDir Path directory) throws Exception {
        TestTls certificate = TestTls.create(directory);
        context = certificate.context();
        tls = certificate.settings();
        server = new ApiServer(tls);
    }

    private static Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(TRICKLE_MILLIS);
        return socket;
    }

    /** Sends a byte now and then, and returns whether the server closes the connection. */
    private static boolean endsWhileTrickling(Socket socket, byte[] bytes) throws IOException {
        int sent = 0;
        for (long start = System.nanoTime(); System.nanoTime() - start < LATEST.toNanos(); ) {
            try {
                if (bytes.length > 0) {
                    socket.getOutputStream().write(bytes[sent++ % bytes.length]);
                }
                while (socket.getInputStream().read() >= 0) {
                    // An alert, or tickets for sessions.
                }
                return true;
            } catch (SocketTimeoutException open) {
                // Sends the next byte.
            } catch (SocketException closed) {
                return true;
            }
        }
        return false;
    }

    private static HttpResponse<String> health(HttpClient client, ApiServer from)
            throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + from.port() + "/actuator/health"))
                        .timeout(LATEST)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static byte[] clientHello() throws IOException {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(true);
        ByteBuffer hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), hello);
        byte[] bytes = new byte[hello.flip().remaining()];
        hello.get(bytes);
        return bytes;
    }

    @Test
    void aClientThatSendsNothingIsDisconnected() throws Exception {
        try (Socket silent = connect()) {
            assertThat(endsWhileTrickling(silent, new byte[0])).isTrue();
        }
    }

    @Test
    void aTrickledHandshakeDoesNotHoldTheConnection() throws Exception {
        byte[] hello = clientHello();
        assertThat((long) hello.length * TRICKLE_MILLIS).isGreaterThan(LATEST.toMillis());
        try (Socket slow = connect()) {
            assertThat(endsWhileTrickling(slow, hello)).isTrue();
        }
    }

    /** Twice as many as there are places, from enough addresses. */
    @Test
    void handshakesThatDoNotGoOnYieldToOthers() throws Exception {
        HttpLimits patient = new HttpLimits(60, 20, Duration.ofMinutes(1), Duration.ofMinutes(1));
        byte[] hello = clientHello();
        List<Socket> silent = new ArrayList<>();
        try (ApiServer full = new ApiServer(patient, tls)) {
            for (int i = 0; i < 2 * patient.maximumConnections(); i++) {
                Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(),
                        full.port(),
                        InetAddress.ofLiteral("127.0.94." + (1 + i % 10)),
                        0);
                silent.add(socket);
                socket.getOutputStream().write(hello, 0, i % 2 == 0 ? 0 : hello.length);
            }

            try (HttpClient client = HttpClient.newBuilder().sslContext(context).build()) {
                assertThat(health(client, full).statusCode()).isEqualTo(200);
            }
            Socket oldest = silent.getFirst();
            oldest.setSoTimeout((int) LATEST.toMillis());
            assertThat(oldest.getInputStream().read()).isEqualTo(-1);
        }
        for (Socket socket : silent) {
            socket.close();
        }
    }

    /** Without a stack trace, and without a line for each. */
    @Test
    void brokenHandshakesAreOneLineWithTheAddress() throws Exception {
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.start();
        Level level = root.getLevel();
        try (ApiServer attacked = new ApiServer(tls)) {
            root.setLevel(Level.INFO);
            root.addAppender(logged);
            byte[] longRecord = Arrays.copyOf(new byte[] {0x16, 0x03, 0x01, -1, -1}, 70_000);
            byte[] noHello =
                    Arrays.copyOf(new byte[] {0x16, 0x03, 0x01, 0x01, 0x00, 0x01, 0x00, 0x00, -4, 0x03, 0x03}, 261);
            Arrays.fill(noHello, 43, noHello.length, (byte) -1);
            for (byte[] bytes : List.of(longRecord, noHello, "GET / HTTP/1.1\r\n\r\n".getBytes(UTF_8))) {
                try (Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(), attacked.port(), InetAddress.ofLiteral("127.0.95.1"), 0)) {
                    socket.getOutputStream().write(bytes);
                    assertThat(endsWhileTrickling(socket, new byte[0])).isTrue();
                }
            }
        } finally {
            root.detachAppender(logged);
            root.setLevel(level);
        }

        assertThat(logged.list)
                .filteredOn(line -> line.getLoggerName().contains("tomcat.util.net")
                        || line.getLevel().isGreaterOrEqual(Level.WARN))
                .isEmpty();
        assertThat(logged.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .filteredOn(line -> line.startsWith("TLS handshake failed"))
                .singleElement(STRING)
                .contains("suppressed=0, address=127.0.95.1");
    }

    @Test
    void aTrickledRecordAfterTheHandshakeDoesNotHoldTheConnection() throws Exception {
        try (Socket slow = connect();
                SSLSocket encrypted =
                        (SSLSocket) context.getSocketFactory().createSocket(slow, "127.0.0.1", server.port(), false)) {
            slow.setSoTimeout((int) LATEST.toMillis());
            encrypted.startHandshake();
            slow.setSoTimeout(TRICKLE_MILLIS);
            slow.getOutputStream().write(BEGIN_OF_RECORD);

            assertThat(endsWhileTrickling(slow, new byte[] {0})).isTrue();
        }
    }

    @Test
    void requestsOverTlsAreServedOneAfterAnother() throws Exception {
        try (HttpClient client = HttpClient.newBuilder().sslContext(context).build()) {
            for (int i = 0; i < 3; i++) {
                HttpResponse<String> response = health(client, server);
                assertThat(response.statusCode()).isEqualTo(200);
                // A browser would use TLS for all ports of the host.
                assertThat(response.headers().map()).doesNotContainKey("strict-transport-security");
            }
        }
    }
}
