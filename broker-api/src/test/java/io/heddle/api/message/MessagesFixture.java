package io.heddle.api.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.testkit.ApiClient;
import io.heddle.api.testkit.ApiServer;
import io.heddle.core.administration.AdminRole;
import io.heddle.core.authentication.AnonymousAuthenticator;
import io.heddle.core.authentication.ClientIdPattern;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.session.Connect;
import io.heddle.core.session.TestClient;
import io.heddle.core.session.TestNode;
import io.heddle.core.testkit.InMemoryCredentialsStore;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A server over a node that the test drives, and an administrator. Clients whose ids begin with {@code app} are APPLICATION clients. */
abstract class MessagesFixture {
    private static @Nullable ApiServer server;
    private static @Nullable ApiClient client;

    final TestNode node = new TestNode();
    final TestClient publisher = node.connect("publisher");

    @BeforeAll
    static void start() {
        ApiServer started = new ApiServer();
        started.administrators().put("ada", "changing", AdminRole.ADMIN, started.passwordHash());
        started.administrators().put("vera", "looking", AdminRole.VIEWER, started.passwordHash());
        started.administrators().put("olga", "operating", AdminRole.OPERATOR, started.passwordHash());
        server = started;
        client = started.client();
    }

    @AfterAll
    static void stop() {
        client().close();
        server().close();
    }

    static ApiServer server() {
        return Objects.requireNonNull(server);
    }

    private static ApiClient client() {
        return Objects.requireNonNull(client);
    }

    @BeforeEach
    void serve() {
        node.authenticator = new AnonymousAuthenticator(
                new InMemoryCredentialsStore(), _ -> true, List.of(new ClientIdPattern("app*")));
        server().serve(node.administration);
    }

    TestClient connect(String clientId) {
        return node.connect(new Connect(clientId).persistent(60).packet());
    }

    void publish(String... payloads) {
        for (String payload : payloads) {
            publisher.publish("t", payload, QoS.AT_LEAST_ONCE, 1);
        }
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    HttpResponse<String> get(String path) {
        return send(client().request(path, "olga", "operating"));
    }

    HttpResponse<String> delete(String path) {
        return send(client().request(path, "ada", "changing")
                .header("Content-Type", "application/json")
                .DELETE());
    }

    HttpResponse<String> delete(String path, String ifMatch) {
        return send(client().request(path, "ada", "changing")
                .header("Content-Type", "application/json")
                .header("If-Match", ifMatch)
                .DELETE());
    }

    HttpResponse<String> post(String path, String body) {
        return post(path, body, "ada", "changing");
    }

    HttpResponse<String> post(String path, String body, String userName, String password) {
        return send(client().request(path, userName, password)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        return node.whileRunning(() -> {
            try {
                return client().send(request);
            } catch (IOException e) {
                throw new AssertionError(e);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
    }

    static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text);
    }

    /** Returns the body of a successful answer. */
    static JsonNode ok(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return json(response.body());
    }

    /** Returns the fields that a request had wrong. */
    static List<String> wrongFields(HttpResponse<String> response) {
        return ApiClient.problem(response, 400).path("errors").findValuesAsString("field");
    }

    /** Returns the last entry of the audit log as "administrator action target outcome". */
    static String lastChange() {
        return server().auditLog().entries().getLast().toString();
    }
}
