package io.heddle.app.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.heddle.core.lifecycle.StartupException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class NodeRequestTest {
    private final AtomicReference<String> received = new AtomicReference<>("");
    private volatile int status = 200;
    private volatile String body = "[]";

    @SuppressWarnings("NullAway.Init") // Set before each test.
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            received.set(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                    + exchange.getRequestHeaders().getFirst("Authorization") + " "
                    + exchange.getRequestHeaders().getFirst("Content-Type"));
            byte[] bytes = body.getBytes(UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private static NodeRequest request(String... arguments) {
        return CommandLine.populateCommand(new NodeRequest(), arguments);
    }

    private NodeRequest.Answer ask() {
        return request("--username", "vera")
                .send(
                        "GET",
                        URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/api/v1/nodes"),
                        "lookin'ä");
    }

    @Test
    void theAnswerIsReturnedAsTextAndAsJson() {
        body = "[{\"nodeId\": \"a\"}]";

        NodeRequest.Answer answer = ask();

        assertThat(answer.text()).isEqualTo(body);
        assertThat(answer.json().path(0).path("nodeId").asString()).isEqualTo("a");
        String credentials = Base64.getEncoder().encodeToString("vera:lookin'ä".getBytes(UTF_8));
        assertThat(received.get()).isEqualTo("GET /api/v1/nodes Basic " + credentials + " application/json");
    }

    @Test
    void aRequestThatChangesSomethingIsSentAsJsonAndMayHaveNoAnswer() {
        status = 202;
        body = "";

        NodeRequest.Answer answer = request()
                .send(
                        "POST",
                        URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/api/v1/node/drain"),
                        "x");

        assertThat(answer.text()).isEmpty();
        assertThat(received.get()).startsWith("POST /api/v1/node/drain Basic ").endsWith(" application/json");
    }

    @Test
    void wrongCredentialsAreNamed() {
        status = 401;

        assertThatThrownBy(this::ask)
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("status 401: the password of vera is wrong, or there is no such administrator");
    }

    @Test
    void anotherRefusalIsPassedOn() {
        status = 429;
        body = "{\"status\": 429, \"detail\": \"Too many failed attempts.\"}";

        assertThatThrownBy(this::ask).hasMessageContaining("answers with status 429: Too many failed attempts.");
    }

    @Test
    void aServerThatIsNoNodeIsRecognized() {
        body = "<html>";
        assertThatThrownBy(this::ask).hasMessageContaining("does not answer as a node of Heddle: correct --url");

        status = 502;
        assertThatThrownBy(this::ask).hasMessageContaining("status 502, not as a node of Heddle: correct --url");
    }

    @Test
    void aNodeThatDoesNotAnswerIsNamed() throws Exception {
        int port;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = closed.getLocalPort();
        }

        assertThatThrownBy(() -> request().send("GET", URI.create("http://127.0.0.1:" + port + "/"), ""))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("no node answers at 127.0.0.1:" + port)
                .hasMessageContaining("--url");
    }

    @Test
    void anUnusableUrlIsRejectedBeforeThePasswordIsRead() {
        for (String url : new String[] {"127.0.0.1:8080", "mqtt://127.0.0.1", "http:///x", "http://a b", ""}) {
            assertThatThrownBy(() -> request("--url=" + url).send("GET", "/api/v1/nodes"))
                    .as(url)
                    .isInstanceOf(StartupException.class)
                    .hasMessageContaining("set it to a URL such as http://127.0.0.1:8080");
        }
    }
}
