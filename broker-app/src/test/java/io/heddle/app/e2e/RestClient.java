package io.heddle.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.heddle.app.launcher.BrokerProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Base64;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An administrator of a cluster, or a tool with an API key. One test thread. */
final class RestClient implements AutoCloseable {
    private static final Pattern PASSWORD = Pattern.compile("admin, password (\\S+)");
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(60);
    private static final Duration STEADY_WITHIN = Duration.ofMinutes(2);

    private final HttpClient http = HttpClient.newHttpClient();
    private final String authorization;

    private RestClient(String authorization) {
        this.authorization = authorization;
    }

    RestClient(String userName, String password) {
        this("Basic " + Base64.getEncoder().encodeToString((userName + ":" + password).getBytes(UTF_8)));
    }

    /** Returns a tool with an API key. */
    static RestClient withKey(String token) {
        return new RestClient("Bearer " + token);
    }

    /** Returns "admin", whose password is in the output of the broker that was the first to start on its stores. */
    static RestClient signIn(BrokerProcess first) {
        return new RestClient(
                "admin",
                PASSWORD.matcher(first.output())
                        .results()
                        .findFirst()
                        .orElseThrow()
                        .group(1));
    }

    HttpResponse<String> send(BrokerProcess node, String method, String path, String body)
            throws IOException, InterruptedException {
        return send(node, method, path, "application/json", body);
    }

    private HttpResponse<String> send(BrokerProcess node, String method, String path, String contentType, String body)
            throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + node.httpPort() + path))
                        .header("Authorization", authorization)
                        .header("Content-Type", contentType)
                        .timeout(ANSWER_WITHIN)
                        .method(method, HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** Sends a request that must be answered with 200, and returns the answer. */
    JsonNode ok(BrokerProcess node, String method, String path, String body) throws IOException, InterruptedException {
        return ok(send(node, method, path, body));
    }

    private static JsonNode ok(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JsonMapper.shared().readTree(response.body());
    }

    JsonNode get(BrokerProcess node, String path) throws IOException, InterruptedException {
        return ok(node, "GET", path, "");
    }

    /** Waits until this number of nodes serve and have the buckets that they should have. */
    void awaitSteady(BrokerProcess node, int count) {
        await().atMost(STEADY_WITHIN).until(() -> {
            JsonNode cluster = get(node, "/api/v1/cluster");
            return cluster.path("steady").asBoolean(false)
                    && cluster.path("servingNodes").asInt(0) == count;
        });
    }

    @Override
    public void close() {
        http.close();
    }
}
