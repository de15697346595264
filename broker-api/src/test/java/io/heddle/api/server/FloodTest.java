package io.heddle.api.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.api.testkit.ApiClient;
import io.heddle.api.testkit.ApiServer;
import io.heddle.core.administration.AdminRole;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that do not sign in neither keep others from the REST port nor supervisors from the port for probes. */
final class FloodTest {
    private static final String ENDLESS =
            "POST /api/v1/publish HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n";
    private static final Duration TRICKLE = Duration.ofMillis(200);
    private static final Duration LATEST = Duration.ofSeconds(20);

    private static Socket connect(int port, String from) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port, InetAddress.ofLiteral(from), 0);
        socket.setSoTimeout((int) LATEST.toMillis());
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(US_ASCII));
        socket.getOutputStream().flush();
    }

    /** Returns the response up to the end of the connection. */
    private static String response(Socket socket) throws IOException {
        StringBuilder text = new StringBuilder();
        try {
            for (int next = socket.getInputStream().read();
                    next >= 0;
                    next = socket.getInputStream().read()) {
                text.append((char) next);
            }
        } catch (SocketException reset) {
            text.append("reset");
        }
        return text.toString();
    }

    /** Sends a byte of a chunk's header now and then, and returns whether the server closes the connection. */
    private static boolean endsWhileTrickling(Socket socket) throws IOException {
        socket.setSoTimeout((int) TRICKLE.toMillis());
        for (long start = System.nanoTime(); System.nanoTime() - start < LATEST.toNanos(); ) {
            try {
                send(socket, "e");
                if (socket.getInputStream().read() < 0) {
                    return true;
                }
            } catch (SocketTimeoutException open) {
                // Sends the next byte.
            } catch (SocketException closed) {
                return true;
            }
        }
        return false;
    }

    @Test
    void theBodyOfARequestWithoutSignInIsNotReadAndTheConnectionIsClosed() throws Exception {
        try (ApiServer server = new ApiServer();
                Socket endless = connect(server.port(), "127.0.90.1")) {
            send(endless, ENDLESS + "\r\n");

            assertThat(response(endless)).startsWith("HTTP/1.1 401").contains("Connection: close");
        }
    }

    @Test
    void aTrickledBodyOfARequestWithoutSignInDoesNotHoldTheConnection() throws Exception {
        try (ApiServer server = new ApiServer();
                Socket endless = connect(server.port(), "127.0.90.2")) {
            send(endless, ENDLESS + "\r\n1;");

            assertThat(endsWhileTrickling(endless)).isTrue();
        }
    }

    @Test
    void aRequestThatReadsMayNotHaveABody() throws Exception {
        try (ApiServer server = new ApiServer();
                Socket endless = connect(server.port(), "127.0.90.3")) {
            send(endless, "GET /actuator/health HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");

            assertThat(response(endless)).startsWith("HTTP/1.1 400").contains("Connection: close");
        }
    }

    @Test
    void aClientThatAsksBeforeItSendsItsBodyIsRefusedAtOnce() throws Exception {
        try (ApiServer server = new ApiServer();
                Socket asking = connect(server.port(), "127.0.90.4")) {
            send(asking, ENDLESS + "Expect: 100-continue\r\n\r\n");

            assertThat(response(asking)).startsWith("HTTP/1.1 401");
        }
    }

    @Test
    void theBodyOfAnAdministratorMustArriveInTime() throws Exception {
        try (ApiServer server = new ApiServer();
                Socket slow = connect(server.port(), "127.0.90.5")) {
            server.administrators().put("ada", "lovelace", AdminRole.ADMIN, server.passwordHash());
            send(slow, ENDLESS + "Authorization: " + ApiClient.basic("ada", "lovelace") + "\r\n\r\n");
            StringBuilder received = new StringBuilder();
            slow.setSoTimeout((int) TRICKLE.toMillis());
            for (long start = System.nanoTime(); received.isEmpty() && System.nanoTime() - start < LATEST.toNanos(); ) {
                send(slow, "1\r\n \r\n");
                try {
                    received.append((char) slow.getInputStream().read());
                } catch (SocketTimeoutException notYet) {
                    // Sends the next chunk.
                }
            }

            assertThat(received + response(slow)).startsWith("HTTP/1.1 408").contains("heddle.http.body-timeout");
        }
    }

    @Test
    void oneAddressCannotTakeTheConnectionsOfOthers() throws Exception {
        try (ApiServer server = new ApiServer();
                ApiClient other = server.client()) {
            List<Socket> open = new ArrayList<>();
            for (int i = 0; i < ApiServer.LIMITS.maximumConnections() + 10; i++) {
                Socket socket = connect(server.port(), "127.0.90.6");
                open.add(socket);
                send(socket, "GET /sign-in HTTP/1.1\r\nHost: x\r\nX-Unfinished: ");
            }

            assertThat(other.get("/sign-in").statusCode()).isEqualTo(200);
            assertThat(response(open.getLast())).isIn("", "reset");
            assertThat(server.registry()
                            .get("heddle.http.connections.refused")
                            .tag("port", "http")
                            .counter()
                            .count())
                    .isGreaterThanOrEqualTo(20);
            for (Socket socket : open) {
                socket.close();
            }
            // Closed connections do not count.
            for (int i = 0; i < 2 * ApiServer.LIMITS.connectionsPerAddress(); i++) {
                try (Socket next = connect(server.port(), "127.0.90.7")) {
                    send(next, "GET /sign-in HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
                    assertThat(response(next)).startsWith("HTTP/1.1 200");
                }
            }
        }
    }

    /** The timeout of requests closes none of these connections during the test. */
    @ParameterizedTest
    @ValueSource(strings = {"", "GET /sign-in HTTP/1.1\r\nHost: x\r\nX-Unfinished: "})
    void connectionsWithoutARequestYieldToOthers(String beginning) throws Exception {
        HttpLimits patient = new HttpLimits(60, 20, Duration.ofMinutes(1), Duration.ofMinutes(1));
        try (ApiServer server = new ApiServer(patient);
                ApiClient other = server.client()) {
            List<Socket> open = new ArrayList<>();
            for (int i = 0; i < 2 * patient.maximumConnections(); i++) {
                Socket socket = connect(server.port(), "127.0.93." + (1 + i % 10));
                open.add(socket);
                send(socket, beginning);
            }

            assertThat(other.get("/sign-in").statusCode()).isEqualTo(200);
            assertThat(response(open.getFirst())).isIn("", "reset");
            open.getLast().setSoTimeout(1);
            assertThatThrownBy(() -> response(open.getLast())).isInstanceOf(SocketTimeoutException.class);
            for (Socket socket : open) {
                socket.close();
            }
        }
    }

    @Test
    void theOnlyPlaceServesOneConnectionAfterAnother() throws Exception {
        HttpLimits one = new HttpLimits(1, 1, Duration.ofMinutes(1), Duration.ofMinutes(1));
        try (ApiServer server = new ApiServer(one);
                Socket first = connect(server.port(), "127.0.96.1");
                Socket second = connect(server.port(), "127.0.96.2")) {
            send(first, "GET /sign-in HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(response(first)).startsWith("HTTP/1.1 200");
            send(second, "GET /sign-in HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            assertThat(response(second)).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void probesAreAnsweredWhileTheRestPortIsFull() throws Exception {
        try (ApiServer server = new ApiServer()) {
            List<Socket> open = new ArrayList<>();
            for (int i = 0; i < ApiServer.LIMITS.maximumConnections() * 3 / 2; i++) {
                Socket socket = connect(server.port(), "127.0.91." + (1 + i % 10));
                open.add(socket);
                send(socket, "POST / HTTP/1.1\r\nHost: x\r\nX-Unfinished: ");
            }

            for (String group : List.of("liveness", "readiness")) {
                try (Socket probe = connect(server.probePort(), "127.0.0.1")) {
                    send(probe, "GET /actuator/health/" + group + " HTTP/1.1\r\nHost: x\r\n\r\n");
                    assertThat(response(probe)).startsWith("HTTP/1.1 200").contains("\"UP\"", "Connection: close");
                }
            }
            for (Socket socket : open) {
                socket.close();
            }
        }
    }

    @Test
    void thePortForProbesServesNothingElseAndSignsNobodyIn() throws Exception {
        try (ApiServer server = new ApiServer()) {
            server.administrators().put("ada", "lovelace", AdminRole.ADMIN, server.passwordHash());
            String signIn = "Authorization: " + ApiClient.basic("ada", "lovelace") + "\r\n";
            for (String request : List.of(
                    "GET / HTTP/1.1\r\n",
                    "GET /actuator/health HTTP/1.1\r\n",
                    "GET /api/v1/node HTTP/1.1\r\n",
                    "GET /actuator/health/../prometheus HTTP/1.1\r\n",
                    "POST /actuator/health/liveness HTTP/1.1\r\nContent-Length: 9\r\n",
                    "GET /actuator/health/liveness HTTP/1.1\r\nTransfer-Encoding: chunked\r\n")) {
                try (Socket socket = connect(server.probePort(), "127.0.0.1")) {
                    send(socket, request + "Host: x\r\n" + signIn + "\r\n");
                    assertThat(response(socket)).as(request).startsWith("HTTP/1.1 404");
                }
            }
            int hashes = server.passwordHash().verifications();
            try (Socket socket = connect(server.probePort(), "127.0.0.1")) {
                send(socket, "GET /actuator/health/liveness HTTP/1.1\r\nHost: x\r\n" + signIn + "\r\n");
                assertThat(response(socket)).startsWith("HTTP/1.1 200").doesNotContain("components");
            }
            assertThat(server.passwordHash().verifications()).isEqualTo(hashes);
        }
    }

    @Test
    void oneAddressCannotTakeTheConnectionsForProbes() throws Exception {
        try (ApiServer server = new ApiServer()) {
            List<Socket> open = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                Socket socket = connect(server.probePort(), "127.0.92.1");
                open.add(socket);
                try {
                    send(socket, "GET /actuator/health/liveness HTTP/1.1\r\n");
                } catch (SocketException closed) {
                    // One of many.
                }
            }
            try (Socket probe = connect(server.probePort(), "127.0.0.1")) {
                send(probe, "GET /actuator/health/liveness HTTP/1.1\r\nHost: x\r\n\r\n");
                assertThat(response(probe)).startsWith("HTTP/1.1 200");
            }
            for (Socket socket : open) {
                socket.close();
            }
        }
    }
}
