package io.heddle.app.admin.request;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.lifecycle.StartupException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class NodeClientTest {
    private static final ApiPath NODES = ApiPath.of("nodes");

    @SuppressWarnings("NullAway.Init") // Set before each test.
    private ApiServer server;

    @SuppressWarnings("NullAway.Init") // Set before each test.
    private NodeClient node;

    @BeforeEach
    void start() throws IOException {
        server = ApiServer.start();
        node = new NodeClient(server.uri(), "vera", "lookin'ä", null);
    }

    @AfterEach
    void stop() {
        node.close();
        server.close();
    }

    @Test
    void theAnswerIsReturnedAsTextAndAsJson() {
        server.answer(200, "[{\"nodeId\": \"a\"}]");

        Answer answer = node.get(NODES);

        assertThat(answer.text()).isEqualTo("[{\"nodeId\": \"a\"}]");
        assertThat(answer.json().path(0).path("nodeId").asString()).isEqualTo("a");
        assertThat(server.requests()).containsExactly("GET /api/v1/nodes");
        String credentials = Base64.getEncoder().encodeToString("vera:lookin'ä".getBytes(UTF_8));
        assertThat(server.headers()).containsExactly("Basic " + credentials + " application/json");
    }

    @Test
    void aRequestThatChangesSomethingIsSentAsJsonAndMayHaveNoAnswer() {
        server.answer(202, "");

        assertThat(node.post(ApiPath.of("node/drain"), null).text()).isEmpty();
        assertThat(node.delete(ApiPath.of("client/session").with("clientId", "a/b &c"))
                        .text())
                .isEmpty();
        assertThat(node.post(ApiPath.of("publish"), Body.empty().with("topic", "a"))
                        .text())
                .isEmpty();

        assertThat(server.requests())
                .containsExactly(
                        "POST /api/v1/node/drain",
                        "DELETE /api/v1/client/session?clientId=a%2Fb+%26c",
                        "POST /api/v1/publish {\"topic\":\"a\"}");
        assertThat(server.headers()).allMatch(headers -> headers.endsWith(" application/json"));
    }

    @Test
    void parametersWithoutAValueAreLeftOut() {
        assertThat(ApiPath.of("a").with("b", null).with("c", 1).with("d", "ä#").text())
                .isEqualTo("/api/v1/a?c=1&d=%C3%A4%23");
    }

    @Test
    void linesAreReadUntilTheNodeEndsThem() {
        server.answer(200, "{\"a\":1}\n\n{\"b\":2}\n");
        List<String> lines = new ArrayList<>();

        node.lines(ApiPath.of("trace").with("clientId", "c"), "application/x-ndjson", lines::add);

        assertThat(lines).containsExactly("{\"a\":1}", "{\"b\":2}");
        assertThat(server.requests()).containsExactly("GET /api/v1/trace?clientId=c");
    }

    @Test
    void aRefusalOfLinesIsNamed() {
        server.answer(503, "{\"detail\": \"The node a has its maximum of 8 traces.\"}");

        assertThatThrownBy(() -> node.lines(ApiPath.of("trace"), "application/x-ndjson", _ -> {}))
                .isInstanceOf(StartupException.class)
                .hasMessage("The node a has its maximum of 8 traces.");
    }

    @Test
    void wrongCredentialsAreNamed() {
        server.answer(401, "{}");

        assertThatThrownBy(() -> node.get(NODES))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("status 401: the password of vera is wrong, or there is no such administrator");
    }

    @Test
    void theSentenceOfAProblemIsTheError() {
        server.answer(404, "{\"status\": 404, \"detail\": \"There is no such\\u001b client.\"}");

        assertThatThrownBy(() -> node.get(NODES)).hasMessage("There is no such\\u001b client.");
    }

    @Test
    void wrongValuesAreNamed() {
        server.answer(400, """
            {"detail": "The request has wrong values; the list of errors names them.",
             "errors": [{"field": "limit", "message": "Use a number."}, {"field": "sort", "message": "Use none."}]}\
            """);

        assertThatThrownBy(() -> node.get(NODES)).hasMessage("limit: Use a number. sort: Use none.");
    }

    @Test
    void aServerThatIsNoNodeIsRecognized() {
        server.answer(200, "<html>").answer(502, "<html>").answer(503, "{}");

        assertThatThrownBy(() -> node.get(NODES))
                .hasMessageContaining("does not answer as a node of Heddle: correct --url");
        assertThatThrownBy(() -> node.get(NODES))
                .hasMessageContaining("status 502, not as a node of Heddle: correct --url");
        assertThatThrownBy(() -> node.get(NODES)).hasMessageEndingWith("answers with status 503");
    }

    @Test
    void aNodeThatDoesNotAnswerIsNamed() throws Exception {
        int port;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = closed.getLocalPort();
        }
        try (NodeClient away = new NodeClient(URI.create("http://127.0.0.1:" + port), "admin", "", null)) {
            assertThatThrownBy(() -> away.get(NODES))
                    .isInstanceOf(StartupException.class)
                    .hasCauseInstanceOf(IOException.class)
                    .hasMessageContaining("no node answers at 127.0.0.1:" + port)
                    .hasMessageContaining("--url");
        }
    }
}
