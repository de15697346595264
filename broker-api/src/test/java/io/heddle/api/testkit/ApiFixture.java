package io.heddle.api.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.administration.AdminRole;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A server of its own for each test, with one administrator of each role: vera looks, olga runs the broker, and ada rules. */
public abstract class ApiFixture {
    protected static final JsonMapper JSON = JsonMapper.shared();

    protected final ApiServer server = new ApiServer();
    protected final ApiClient client = server.client();

    @BeforeEach
    final void createAdministrators() {
        server.administrators().put("vera", "looking", AdminRole.VIEWER, server.passwordHash());
        server.administrators().put("olga", "running", AdminRole.OPERATOR, server.passwordHash());
        server.administrators().put("ada", "ruling", AdminRole.ADMIN, server.passwordHash());
    }

    @AfterEach
    final void stopServer() {
        client.close();
        server.close();
    }

    /** Sends a GET request of vera. */
    protected final HttpResponse<String> get(String path) throws Exception {
        return client.get(path, "vera", "looking");
    }

    /** Returns what vera reads. */
    protected final JsonNode read(String path) throws Exception {
        return json(get(path));
    }

    /** Returns the body of a successful answer. */
    protected static JsonNode json(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JSON.readTree(response.body());
    }

    /**
     * Sends a change of ada.
     *
     * @param body empty for none
     * @param headers further headers, name and value in turn
     */
    protected final HttpResponse<String> send(String method, String path, String body, String... headers)
            throws Exception {
        return send(client.request(path, "ada", "ruling"), method, body, headers);
    }

    /** Sends a change of olga, like {@link #send(String, String, String, String...)}. */
    protected final HttpResponse<String> sendAsOperator(String method, String path, String body) throws Exception {
        return send(client.request(path, "olga", "running"), method, body);
    }

    private HttpResponse<String> send(HttpRequest.Builder request, String method, String body, String... headers)
            throws Exception {
        request.header("Content-Type", "application/json")
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request);
    }
}
