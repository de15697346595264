package io.heddle.api.problem;

import static io.heddle.api.testkit.ApiClient.problem;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.heddle.api.testkit.ApiClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that are not exactly what a resource expects. */
final class StrictRequestsTest extends ProblemFixture {
    private HttpResponse<String> send(String method, String path, String body) throws Exception {
        return client.send(client.request(path, "ada", "right")
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(body)));
    }

    /** Sends bytes that no client library sends, and returns the beginning of the answer. */
    private static String exchange(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.getBytes(ISO_8859_1));
            InputStream answer = socket.getInputStream();
            return new String(answer.readNBytes(12), ISO_8859_1);
        }
    }

    private static String head(String path, String framing) {
        return "POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: "
                + ApiClient.basic("ada", "right") + "\r\n" + framing + "\r\n\r\n";
    }

    @ParameterizedTest
    @ValueSource(strings = {"/actuator/health?x=%ff", "/actuator/health/liveness?x=%zz", "/?x=%ff"})
    void undecodableParametersAreNoFailureEvenWithoutASignIn(String path) throws Exception {
        String answer = exchange("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 ").doesNotContain(" 50");
        assertThat(logged(Level.WARN)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /api/v1/clients?clientId=%ff",
        "DELETE, /api/v1/retained?filter=a/%",
        "GET, /api/v1/client?clientId=%f"
    })
    void undecodableParametersAreAClientError(String method, String path) throws Exception {
        String answer = exchange(head(path, "Content-Length: 0").replaceFirst("POST", method));

        assertThat(answer).isEqualTo("HTTP/1.1 400");
        assertThat(logged(Level.WARN)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POST   | /api/v1/credentials            | {\"clientid\": \"a\"}           | clientid",
                "PATCH  | /api/v1/administrator?userName=ada | {\"pasword\": \"long enough\"} | pasword",
                "POST   | /api/v1/publish                | {\"topic\": \"a\", \"qos\": 1.5}  | qos",
                "POST   | /api/v1/publish                | {\"topic\": \"a\", \"qos\": \"1\"} | qos",
                "POST   | /api/v1/publish                | {\"topic\": 1}                  | topic",
                "POST   | /api/v1/publish                | {\"topic\": \"a\", \"retain\": 1} | retain",
                "POST   | /api/v1/credentials            | {\"userName\": 123}             | userName",
                "POST   | /api/v1/applications/seek      | {\"clientId\": \"a\", \"offset\": 1.9} | offset",
                "POST   | /api/v1/applications/seek      | {\"clientId\": \"a\", \"time\": 1700000000} | time",
                "POST   | /api/v1/publish | {\"topic\": \"a\", \"qos\": 99999999999}  | qos",
                "POST   | /api/v1/publish | {\"topic\": \"a\", \"expirySeconds\": -99999999999999999999} | expirySeconds",
                "POST   | /api/v1/applications/seek | {\"clientId\": \"a\", \"offset\": 99999999999999999999} | offset",
                "POST   | /api/v1/applications/seek      | {\"clientId\": \"a\", \"to\": 1} | to"
            })
    void anUnknownFieldOrAValueOfAnotherTypeIsNamed(String method, String path, String body, String field)
            throws Exception {
        assertThat(problem(send(method, path, body), 400).path("errors").findValuesAsString("field"))
                .containsExactly(field);
        assertThat(logged(Level.WARN)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"topic\": \"a\", \"topic\": \"b\"} | The body has a field twice (line 1, column",
                "{\"topic\" \"a\"} | The body is not valid JSON (line 1, column",
                "{\"topic\": \"a\"} x | The body is not valid JSON (line 1, column",
                "null | Send a JSON object",
                "[] | Send a JSON object",
                "`` | Send a JSON object"
            })
    void aBodyThatIsNotTheExpectedJsonIsExplained(String body, String sentence) throws Exception {
        assertThat(problem(send("POST", "/api/v1/publish", body), 400)
                        .path("detail")
                        .asString())
                .startsWith(sentence);
        assertThat(logged(Level.WARN)).isEmpty();
    }

    @Test
    void aNumberThatIsTooLongIsExplained() throws Exception {
        String body = "{\"topic\": \"a\", \"qos\": " + "9".repeat(2_000) + "}";

        assertThat(problem(send("POST", "/api/v1/publish", body), 400)
                        .path("detail")
                        .asString())
                .startsWith("The body has a value that is longer")
                .doesNotContain("99999");
        assertThat(logged(Level.WARN)).isEmpty();
    }

    @Test
    void theTypeIsRequiredToReplaceCredentials() throws Exception {
        HttpResponse<String> answer =
                send("PUT", "/api/v1/credentials/00000000-0000-0000-0000-000000000001", "{\"userName\": \"a\"}");

        assertThat(problem(answer, 400).path("errors").findValuesAsString("field"))
                .containsExactly("type");
    }

    @ParameterizedTest
    @CsvSource({
        "DELETE, /api/v1/client/session?clientId=a&clientId=b, clientId",
        "DELETE, /api/v1/client/session?clientId=a&client=b, client",
        "GET, /api/v1/client?clientId=, clientId",
        "GET, /api/v1/clients?userName=, userName",
        "GET, /api/v1/clients?limit=1&limit=2, limit",
        "GET, /api/v1/clients?user=a, user",
        "GET, /api/v1/node?x=1, x"
    })
    void repeatedUnknownAndEmptyParametersAreRefused(String method, String path, String field) throws Exception {
        assertThat(problem(send(method, path, ""), 400).path("errors").findValuesAsString("field"))
                .containsExactly(field);
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /api/v1/credentials/import?replace=yes, replace, Use true or false.",
        "POST, /api/v1/credentials/import?replace=TRUE, replace, Use true or false.",
        "POST, /api/v1/credentials/import?replace=1, replace, Use true or false.",
        "DELETE, /api/v1/client/connection?clientId=a&reasonCode=0x98, reasonCode, Use a decimal number.",
        "DELETE, /api/v1/client/connection?clientId=a&reasonCode=%2B152, reasonCode, Use a decimal number.",
        "DELETE, /api/v1/client/connection?clientId=a&reasonCode=9999999999, reasonCode, Use a decimal number."
    })
    void parametersOfAnotherTypeAreRefused(String method, String path, String field, String sentence) throws Exception {
        HttpResponse<String> answer = client.send(client.request(path, "ada", "right")
                .header("Content-Type", path.contains("import") ? "text/csv" : "application/json")
                .method(method, BodyPublishers.noBody()));

        assertThat(problem(answer, 400).path("errors").findValuesAsString("field"))
                .containsExactly(field);
        assertThat(problem(answer, 400).path("errors").findValuesAsString("message"))
                .containsExactly(sentence);
    }

    @Test
    void aBodyThatIsTooLargeIsRefusedBeforeItIsSent() throws Exception {
        assertThat(exchange(head("/api/v1/credentials", "Content-Length: 300000")))
                .isEqualTo("HTTP/1.1 413");
        assertThat(exchange(head("/api/v1/publish", "Content-Length: 60000000")))
                .isEqualTo("HTTP/1.1 413");
        assertThat(exchange(head("/api/v1/rules", "Content-Length: 1600001"))).isEqualTo("HTTP/1.1 413");
        assertThat(logged(Level.WARN)).isEmpty();
    }

    @Test
    void aBodyOfUnknownSizeIsRefusedWhenItIsTooLarge() throws Exception {
        String chunks = "10000\r\n" + " ".repeat(0x10000) + "\r\n";

        assertThat(exchange(head("/api/v1/credentials", "Transfer-Encoding: chunked") + chunks.repeat(5)))
                .isEqualTo("HTTP/1.1 413");
        assertThat(logged(Level.WARN)).isEmpty();
    }
}
