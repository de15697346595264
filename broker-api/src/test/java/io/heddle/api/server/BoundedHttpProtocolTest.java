package io.heddle.api.server;

import static io.heddle.api.testkit.ApiClient.problem;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.page.ListRules;
import io.heddle.api.testkit.ApiClient;
import io.heddle.api.testkit.ApiServer;
import io.heddle.core.administration.AdminRole;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Connections of clients that do not complete their requests are closed. */
final class BoundedHttpProtocolTest {
    private static final int LATEST_MILLIS = 60_000;
    private static final int TRICKLE_MILLIS = 100;
    private static final String RESET = "reset";

    private static Socket connect(ApiServer server) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(TRICKLE_MILLIS);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(text.getBytes(US_ASCII));
        out.flush();
    }

    /** Sends a byte now and then until the server closes the connection, and returns how long that took. */
    private static Duration trickleUntilClosed(Socket socket, String bytes) throws IOException {
        long start = System.nanoTime();
        for (int i = 0;
                System.nanoTime() - start < Duration.ofMillis(LATEST_MILLIS).toNanos();
                i++) {
            try {
                send(socket, bytes.substring(i % bytes.length(), i % bytes.length() + 1));
                if (socket.getInputStream().read() < 0) {
                    break;
                }
            } catch (SocketTimeoutException notYet) {
                // Sends the next byte.
            } catch (SocketException reset) {
                break;
            }
        }
        return Duration.ofNanos(System.nanoTime() - start);
    }

    @Test
    void silentAndSlowClientsAreDisconnectedAndOthersAreServed() throws Exception {
        try (ApiServer server = new ApiServer()) {
            List<Socket> silent = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                Socket socket = connect(server);
                silent.add(socket);
                send(socket, "GET /actuator/health HTTP/1.1\r\nHost: x\r\nX-Unfinished: ");
            }
            assertThat(server.client().get("/actuator/health").statusCode()).isEqualTo(200);

            try (Socket trickling = connect(server)) {
                send(trickling, "GET /actuator/health HTTP/1.1\r\nHost: x\r\nX-Slow: ");
                assertThat(trickleUntilClosed(trickling, "a")).isLessThan(Duration.ofMillis(LATEST_MILLIS));
            }
            for (Socket socket : silent) {
                socket.setSoTimeout(LATEST_MILLIS);
                assertThat(endsAfter(socket)).isTrue();
                socket.close();
            }
        }
    }

    @Test
    void theBodyOfARejectedRequestIsNotRead() throws Exception {
        try (ApiServer server = new ApiServer();
                Socket slow = connect(server)) {
            send(
                    slow,
                    "PUT /api/v1/anything HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                            + "Content-Length: 100000\r\n\r\na=");

            assertThat(trickleUntilClosed(slow, "b")).isLessThan(Duration.ofMillis(LATEST_MILLIS));
        }
    }

    @Test
    void aHeadHasRoomForTheLongestClientIdWhileFewConnectionsAreOpen() throws Exception {
        String id = "\u20ac".repeat(21_845);
        String path = "/api/v1/client?clientId=" + URLEncoder.encode(id, UTF_8);
        try (ApiServer server = new ApiServer();
                ApiClient client = server.client()) {
            server.administrators().put("vera", "looking", AdminRole.VIEWER, server.passwordHash());
            assertThat(id.getBytes(UTF_8)).hasSize(65_535);

            problem(client.get(path, "vera", "looking"), 404);
            assertThat(client.get(
                                    "/api/v1/clients?after="
                                            + ListRules.of(List.of("clientId"))
                                                    .parse(Map.of())
                                                    .next(id),
                                    "vera",
                                    "looking")
                            .statusCode())
                    .isEqualTo(200);

            List<Socket> open = new ArrayList<>();
            for (int i = 0; i < 80; i++) {
                open.add(connect(server));
            }
            try (Socket late = connect(server)) {
                late.setSoTimeout(LATEST_MILLIS);
                send(late, "GET " + path.substring(0, 20_000) + " HTTP/1.1\r\nHost: x\r\n\r\n");
                assertThat(status(late)).isIn("HTTP/1.1 400", RESET);
            }
            try (ApiClient late = server.client()) {
                assertThat(late.get("/api/v1/node", "vera", "looking").statusCode())
                        .isEqualTo(200);
            }
            for (Socket socket : open) {
                socket.close();
            }
        }
    }

    /** The system resets a connection that is closed while there is more to read. */
    private static String status(Socket socket) throws IOException {
        try {
            return new String(socket.getInputStream().readNBytes(12), US_ASCII);
        } catch (SocketException reset) {
            return RESET;
        }
    }

    private static boolean endsAfter(Socket socket) throws IOException {
        try {
            while (socket.getInputStream().read() >= 0) {
                // Reads a possible response.
            }
            return true;
        } catch (SocketTimeoutException stillOpen) {
            return false;
        } catch (SocketException reset) {
            return true;
        }
    }
}
