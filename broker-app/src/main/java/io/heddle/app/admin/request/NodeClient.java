package io.heddle.app.admin.request;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.mqtt.ControlCharacters;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A connection to the REST API of a node as an administrator. All requests throw StartupException if the node does not answer, or refuses;
 * its cause is an IOException if the node does not answer. One thread.
 */
public final class NodeClient implements AutoCloseable {
    private static final Duration CONNECTED_WITHIN = Duration.ofSeconds(5);
    private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(60);
    private static final Duration IMPORTED_WITHIN = Duration.ofMinutes(10);
    private static final int SUCCESS = 2;
    private static final int UNAUTHORIZED = 401;
    private static final int NOT_FOUND = 404;

    private final URI base;
    private final String userName;
    private final String credentials;
    private final HttpClient http;

    /**
     * Creates a client. Connects with the first request.
     *
     * @param base without a slash at the end
     * @param trust decides about the certificate of the node; null for the authorities of Java
     */
    public NodeClient(URI base, String userName, String password, @Nullable SSLContext trust) {
        HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(CONNECTED_WITHIN);
        this.http = (trust == null ? builder : builder.sslContext(trust)).build();
        this.base = base;
        this.userName = userName;
        credentials = Base64.getEncoder().encodeToString((userName + ":" + password).getBytes(UTF_8));
    }

    /** Returns the node that is asked, as the user has named it. */
    public String target() {
        return ControlCharacters.escaped(base.toString());
    }

    /** Reads a resource. */
    public Answer get(ApiPath path) {
        return send("GET", path, null);
    }

    public Answer delete(ApiPath path) {
        return send("DELETE", path, null);
    }

    /** Sends a request that changes something. */
    public Answer post(ApiPath path, @Nullable Body body) {
        return send("POST", path, body);
    }

    /** @param body null for none */
    public Answer send(String method, ApiPath path, @Nullable Body body) {
        // The REST interface requires the type of requests that change something, even without a body.
        return send(request(path, "application/json")
                .method(
                        method,
                        body == null
                                ? BodyPublishers.noBody()
                                : BodyPublishers.ofString(JsonMapper.shared().writeValueAsString(body.members())))
                .timeout(ANSWERED_WITHIN)
                .build());
    }

    /** Returns whether an object exists. */
    public boolean has(ApiPath path) {
        return sendUnlessAbsent(
                        request(path, "application/json")
                                .timeout(ANSWERED_WITHIN)
                                .build(),
                        true)
                != null;
    }

    /** Sends a file in CSV. The node may need a while, because it computes a hash for each password. */
    public Answer postCsv(ApiPath path, Path file) {
        try {
            return send(request(path, "text/csv")
                    .POST(BodyPublishers.ofFile(file))
                    .timeout(IMPORTED_WITHIN)
                    .build());
        } catch (FileNotFoundException e) {
            throw new StartupException(
                    ControlCharacters.escaped(file.toString()) + " cannot be read: name a readable file", e);
        }
    }

    /**
     * Reads a resource line by line, while the node sends it.
     *
     * @param accept the type of the answer
     * @param reader gets each line that is not empty
     */
    public void lines(ApiPath path, String accept, Consumer<String> reader) {
        HttpRequest request =
                request(path, "application/json").header("Accept", accept).build();
        try (Stream<String> lines = exchange(() -> stream(http.send(request, BodyHandlers.ofLines())))) {
            lines.filter(line -> !line.isEmpty()).forEach(reader);
        } catch (UncheckedIOException lost) {
            throw new StartupException(
                    "the connection to " + base.getAuthority() + " is lost: start the command again", lost);
        }
    }

    private Stream<String> stream(HttpResponse<Stream<String>> response) {
        if (response.statusCode() / 100 == SUCCESS) {
            return response.body();
        }
        try (Stream<String> lines = response.body()) {
            throw new StartupException(refusal(response, lines.collect(Collectors.joining("\n"))), null);
        }
    }

    private HttpRequest.Builder request(ApiPath path, String contentType) {
        return HttpRequest.newBuilder(URI.create(base + path.text()))
                .header("Content-Type", contentType)
                .header("Authorization", "Basic " + credentials);
    }

    private Answer send(HttpRequest request) {
        return Objects.requireNonNull(sendUnlessAbsent(request, false));
    }

    /** Returns null if the object does not exist and may be absent. */
    private @Nullable Answer sendUnlessAbsent(HttpRequest request, boolean mayBeAbsent) {
        return exchange(() -> {
            HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
            if (response.statusCode() / 100 == SUCCESS) {
                return Answer.of(response.body());
            }
            if (mayBeAbsent && response.statusCode() == NOT_FOUND) {
                return null;
            }
            throw new StartupException(refusal(response, response.body()), null);
        });
    }

    /** Sends a request and reads its answer. */
    @FunctionalInterface
    private interface Exchange<T extends @Nullable Object> {
        T send() throws IOException, InterruptedException;
    }

    private <T extends @Nullable Object> T exchange(Exchange<T> exchange) {
        try {
            return exchange.send();
        } catch (IOException e) {
            rejectUntrusted(e);
            throw new StartupException(
                    "no node answers at " + base.getAuthority() + " (" + reason(e)
                            + "): start one, or name another one with --url",
                    e);
        } catch (JacksonException e) {
            throw new StartupException(base.getAuthority() + " does not answer as a node of Heddle: correct --url", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartupException("the command was interrupted", e);
        }
    }

    /** Throws if the certificate of the node is the reason. A repetition cannot help, so the cause is no IOException. */
    private void rejectUntrusted(IOException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException wrong) {
                throw new StartupException(
                        "the certificate of " + base.getAuthority() + " is not trusted ("
                                + ControlCharacters.escaped(String.valueOf(wrong.getMessage()))
                                + "): name the file with its authority with --ca-file, and the node with --url by a name"
                                + " that the certificate has",
                        wrong);
            }
        }
    }

    private static String reason(IOException failure) {
        // Java's exception for a refused connection has no message.
        String message = failure.getMessage();
        return message == null ? "no connection" : ControlCharacters.escaped(message);
    }

    private String refusal(HttpResponse<?> response, String body) {
        String status = base.getAuthority() + " answers with status " + response.statusCode();
        if (response.statusCode() == UNAUTHORIZED) {
            return status + ": the password of " + ControlCharacters.escaped(userName)
                    + " is wrong, or there is no such administrator";
        }
        try {
            String problem = problem(JsonMapper.shared().readTree(body));
            return (problem.isEmpty() ? status : ControlCharacters.escaped(problem)) + retryAfter(response);
        } catch (JacksonException e) {
            return status + ", not as a node of Heddle: correct --url (a node with TLS has https://)";
        }
    }

    private static String retryAfter(HttpResponse<?> response) {
        return response.headers()
                .firstValue("Retry-After")
                .filter(seconds -> seconds.matches("[0-9]{1,9}"))
                .map(seconds -> " Retry-After: " + seconds + " seconds.")
                .orElse("");
    }

    /** Returns the wrong values of a request if the problem names them, else its sentence. */
    private static String problem(JsonNode problem) {
        List<String> errors = new ArrayList<>();
        for (JsonNode error : problem.path("errors")) {
            errors.add(error.path("field").asString("") + ": "
                    + error.path("message").asString(""));
        }
        return errors.isEmpty() ? problem.path("detail").asString("") : String.join(" ", errors);
    }

    @Override
    public void close() {
        http.close();
    }
}
