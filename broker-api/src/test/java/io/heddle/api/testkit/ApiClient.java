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

/** HTTP client with its own loopback address. */
public final class ApiClient implements AutoCloseable {
    private static final JsonMapper json = JsonMapper.shared();

    static {
        // In seconds, and shorter than the server's: a request on a connection that the server has just closed would
        // fail.
        System.setProperty("jdk.httpclient.keepalive.timeout", "1");
    }

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

    /** Begins a request without credentials. */
    public HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(20));
    }

    /** Begins a request with credentials. */
    public HttpRequest.Builder request(String path, String userName, String password) {
        return request(path).header("Authorization", basic(userName, password));
    }

    /** Begins a request with the token of an API key. */
    public HttpRequest.Builder requestWithKey(String path, String token) {
        return request(path).header("Authorization", "Bearer " + token);
    }

    /** Sends a GET request without credentials. */
    public HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(request(path));
    }

    /** Sends a GET request with credentials. */
    public HttpResponse<String> get(String path, String userName, String password)
            throws IOException, InterruptedException {
        return send(request(path, userName, password));
    }

    /** Sends the request and reads the whole response. */
    public HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString(UTF_8));
    }

    /** Returns the value of the Authorization header. */
    public static String basic(String userName, String password) {
        return "Basic " + Base64.getEncoder().encodeToString((userName + ":" + password).getBytes(UTF_8));
    }

    /** Asserts that the response is a problem with this status and only constant text, and returns it. */
    public static JsonNode problem(HttpResponse<String> response, int status) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(response.headers().firstValue("Content-Type").orElse("")).startsWith("application/problem+json");
        JsonNode problem = json.readTree(response.body());
        assertThat(problem.path("status").asInt()).isEqualTo(status);
        assertThat(problem.path("type").asString()).isEqualTo("about:blank");
        assertThat(problem.path("title").asString()).isNotBlank();
        assertThat(problem.path("detail").asString()).endsWith(".");
        assertThat(problem.propertyNames()).isSubsetOf("type", "title", "status", "detail", "errorId", "errors");
        assertThat(response.body())
                .doesNotContain("Exception", "exception", "trace", "io.heddle", "springframework", "hunter2", "secret");
        return problem;
    }

    @Override
    public void close() {
        http.close();
    }
}
