package io.heddle.api.problem;

import static io.heddle.api.testkit.ApiClient.problem;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.heddle.api.testkit.ApiClient;
import io.heddle.api.testkit.ApiServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

final class ProblemsTest extends ProblemFixture {
    @AfterEach
    void recover() {
        server.administrators().recover();
    }

    private HttpResponse<String> get(String path) throws Exception {
        return client.get(path, "ada", "right");
    }

    private static String exchange(String request) throws IOException {
        return exchange(server, request);
    }

    private static String exchange(ApiServer receiver, String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), receiver.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.getBytes(ISO_8859_1));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        }
    }

    private void assertLoggedOnce(String errorId) {
        assertThat(logged(Level.ERROR)).singleElement().satisfies(event -> {
            assertThat(event.getFormattedMessage()).contains(errorId);
            assertThat(event.getThrowableProxy()).isNotNull();
        });
        assertThat(errorId).isNotBlank();
    }

    @Test
    void anExceptionOfAControllerIsLoggedOnceWithTheIdOfTheProblem() throws Exception {
        assertLoggedOnce(problem(get("/test/bug"), 500).path("errorId").asString());
    }

    @Test
    void anExceptionOfAFilterIsLoggedOnceWithTheIdOfTheProblem() throws Exception {
        server.administrators().breakWith(new IllegalStateException("password=hunter2"));

        assertLoggedOnce(problem(get("/api/v1/node"), 500).path("errorId").asString());
    }

    @Test
    void anUnavailableStoreIsAProblemWithRetryAfter() throws Exception {
        HttpResponse<String> response = get("/test/store");

        assertThat(problem(response, 503).path("detail").asString()).startsWith("Redis has not answered");
        assertThat(response.headers().firstValue("Retry-After")).hasValue("5");
        assertThat(logged(Level.ERROR)).isEmpty();
    }

    @Test
    void aStatusWithoutABodyGetsAProblem() throws Exception {
        problem(get("/test/status"), 410);
    }

    @Test
    void theProblemOfAnUnsupportedMethodHasAnAllowHeader() throws Exception {
        HttpResponse<String> response = client.send(client.request("/api/v1/node", "ada", "right")
                .header("Content-Type", "application/json")
                .DELETE());

        problem(response, 405);
        assertThat(response.headers().firstValue("Allow").orElse("")).contains("GET");
    }

    @Test
    void anUnsupportedFormatIsRejectedAsAProblem() throws Exception {
        problem(client.send(client.request("/api/v1/node", "ada", "right").header("Accept", "image/png")), 406);
        problem(client.send(client.request("/no/such/thing", "ada", "right").header("Accept", "text/html")), 404);
        problem(client.send(client.request("/api/nothing").header("Accept", "text/html")), 401);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/%3Cscript%3Ealert(42)%3C/script%3E",
                "/alert(42)?alert(42)=alert(42)",
                "/test/number?value=alert(42)",
                "/test/number?alert(42)",
                "/test//alert(42)",
                "/test/..;/alert(42)",
                "/test/%00alert(42)",
                "/test/parameters?%01alert(42)=1"
            })
    void problemsContainNothingOfTheRequest(String path) throws Exception {
        HttpResponse<String> response = get(path);

        assertThat(response.statusCode()).isIn(400, 404);
        problem(response, response.statusCode());
        assertThat(response.body()).doesNotContain("alert", "<", "%3C", "/test", "42");
        assertThat(logged(Level.ERROR)).isEmpty();
    }

    @Test
    void theFieldWithTheWrongValueIsNamed() throws Exception {
        assertThat(problem(get("/test/number?value=ten"), 400).path("errors").findValuesAsString("field"))
                .containsExactly("value");
        assertThat(problem(get("/test/number"), 400).path("errors").findValuesAsString("field"))
                .containsExactly("value");
        HttpResponse<String> response = client.send(client.request("/test/things", "ada", "right")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"size\": \"ten\"}")));
        assertThat(problem(response, 400).path("errors").findValuesAsString("field"))
                .containsExactly("size");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"size\": \"alert(42)\"}", "{\"alert(42)", "alert(42)", "[]", "", "{\"size\": 1e99}"})
    void anUnexpectedBodyIsAClientError(String body) throws Exception {
        int before = server.stub().changes();

        HttpResponse<String> response = client.send(client.request("/test/things", "ada", "right")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body)));

        problem(response, 400);
        assertThat(response.body()).doesNotContain("alert", "42", "1e99");
        assertThat(server.stub().changes()).isEqualTo(before);
        assertThat(logged(Level.ERROR)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /alert(42)\u0001 HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET /{alert(42)} HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: alert(42) x\r\n\r\n",
                "GET / HTTP/1.1\r\n\r\n",
                "GET / HTTP/9.9\r\nHost: x\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: alert(42)\r\n\r\n",
                "TRACE /alert(42) HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET /%%% HTTP/1.1\r\nHost: x\r\n\r\n",
                "\u0016\u0003\u0001\u0002alert(42)\r\n\r\n"
            })
    void requestsThatTomcatRejectsAreProblemsWithoutTheNameOfTheServer(String request) throws Exception {
        String answer = exchange(request);

        assertThat(answer).matches("(?s)HTTP/1\\.1 (400|401|405|501|505) .*");
        assertThat(answer).contains("Content-Type: application/problem+json").contains("\"type\":\"about:blank\"");
        assertThat(answer).doesNotContain("alert", "Tomcat", "html", "Exception", "exception");
    }

    @Test
    void mqttOnThisPortIsRefusedWithOneLine() throws Exception {
        String connect = "\u0010\f\0\u0004MQTT\u0004\u0002\0<\0\0";
        Logger valve = (Logger) LoggerFactory.getLogger(ProblemValve.class);
        // A server of its own: other tests may have caused the line of this minute.
        try (ApiServer own = new ApiServer()) {
            // The start sets the level of all loggers to WARN.
            valve.setLevel(Level.INFO);
            for (int i = 0; i < 3; i++) {
                assertThat(exchange(own, connect)).startsWith("HTTP/1.1 400 ");
            }
        } finally {
            valve.setLevel(null);
        }

        assertThat(logged(Level.TRACE))
                .filteredOn(event -> event.getFormattedMessage().startsWith("Connection closed because"))
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.getLevel()).isEqualTo(Level.INFO);
                    assertThat(event.getFormattedMessage()).contains("sent no HTTP", "address=127.0.0.1");
                    assertThat(event.getThrowableProxy()).isNull();
                });
        assertThat(logged(Level.ERROR)).isEmpty();
    }

    @Test
    void aHeaderThatTheFirewallRejectsLateIsAClientError() throws Exception {
        String answer = exchange("GET /test/number?value=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: "
                + ApiClient.basic("ada", "right") + "\r\nAccept: alert(42)\u0085\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 400 ").contains("Content-Type: application/problem+json");
        assertThat(answer).doesNotContain("alert");
        assertThat(logged(Level.ERROR)).isEmpty();
    }

    @Test
    void headersThatAreTooLargeAreAProblem() throws Exception {
        HttpResponse<String> response =
                client.send(client.request("/api/v1/node", "ada", "right").header("X-Large", "x".repeat(256 * 1024)));

        assertThat(response.statusCode()).isIn(400, 431);
        problem(response, response.statusCode());
    }
}
