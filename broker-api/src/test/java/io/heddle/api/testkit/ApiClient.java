package io.heddle.api.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Base64;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Sends requests from one loopback address. Close it. */
public final class ApiClient implements AutoCloseable {
    private static final JsonMapper json = JsonMapper.shared();

    private final int port;
    private final HttpClient http;

    ApiClient(int port, byte[] localAddress) {
        this.port = port;
        try {
            this.http = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .localAddress(InetAddress.getByAddress(localAddress))
                    .build();
        } catch (UnknownHostException impossible) {
            throw new IllegalArgumentException(impossible);
        }
    }

    /** A request yet to be completed, without credentials. */
    public HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(20));
    }

    /** A request yet to be completed, with credentials. */
    public HttpRequest.Builder request(String path, String userName, String password) {
        return request(path).header("Authorization", basic(userName, password));
    }

    /** GET without credentials. */
    public HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(request(path));
    }

    /** GET with credentials. */
    public HttpResponse<String> get(String path, String userName, String password)
            throws IOException, InterruptedException {
        return send(request(path, userName, password));
    }

    /** Sends it and reads the whole answer. */
    public HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString(UTF_8));
    }

    /** The Authorization header's value. */
    public static String basic(String userName, String password) {
        return "Basic " + Base64.getEncoder().encodeToString((userName + ":" + password).getBytes(UTF_8));
    }

    /** Checks that an answer is a problem of this status that says nothing but our own words, and returns it. */
    public static JsonNode problem(HttpResponse<String> response, int status) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(response.headers().firstValue("Content-Type").orElse("")).startsWith("application/problem+json");
        JsonNode problem = json.readTree(response.body());
        assertThat(problem.path("status").asInt()).isEqualTo(status);
        assertThat(problem.path("type").asString()).isEqualTo("about:blank");
        assertThat(problem.path("title").asString()).isNotBlank();
        assertThat(problem.path("detail").asString()).endsWith(".");
        assertThat(problem.propertyNames()).isSubsetOf("type", "title", "status", "detail", "errorId");
        assertThat(response.body())
                .doesNotContain("Exception", "exception", "trace", "io.heddle", "springframework", "hunter2", "secret");
        return problem;
    }

    @Override
    public void close() {
        http.close();
    }
}
