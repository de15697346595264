package io.heddle.app.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.app.credentials.PasswordPrompt;
import io.heddle.core.administration.FirstAdministrator;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.mqtt.ControlCharacters;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Base64;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Options that select a running node and an administrator, and the requests to that node. */
final class NodeRequest {
    private static final Duration CONNECTED_WITHIN = Duration.ofSeconds(5);
    private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(30);
    private static final int SUCCESS = 2;
    private static final int UNAUTHORIZED = 401;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "HTTP listener of any node that runs (default: ${DEFAULT-VALUE})",
            defaultValue = "http://127.0.0.1:8080")
    @SuppressWarnings("NullAway.Init") // Set by picocli before the command runs.
    private String url;

    @Option(
            names = "--username",
            paramLabel = "NAME",
            description =
                    "administrator (default: ${DEFAULT-VALUE}); the password is asked for, or read as one line from"
                            + " standard input",
            defaultValue = FirstAdministrator.USER_NAME)
    @SuppressWarnings("NullAway.Init") // Set by picocli before the command runs.
    private String userName;

    /**
     * Asks the node; reads the password before.
     *
     * @return the text of the answer and what it says
     * @throws StartupException if the node does not answer, or refuses
     */
    Answer send(String method, String path) {
        URI uri = uri(path);
        return send(method, uri, password());
    }

    /** Returns what repeats a request; reads the password now. Throws StartupException as {@link #send(String, String)}. */
    Supplier<Answer> repeated(String method, String path) {
        URI uri = uri(path);
        String password = password();
        return () -> send(method, uri, password);
    }

    private static String password() {
        return new String(PasswordPrompt.readExisting().array(), UTF_8);
    }

    /** Returns the node that is asked, as the user has named it. */
    String target() {
        return ControlCharacters.escaped(url);
    }

    /** An answer. */
    record Answer(String text, JsonNode json) {}

    private URI uri(String path) {
        try {
            URI base = URI.create(url.endsWith("/") ? url.substring(0, url.length() - 1) : url);
            if (base.getHost() != null && ("http".equals(base.getScheme()) || "https".equals(base.getScheme()))) {
                return URI.create(base + path);
            }
        } catch (IllegalArgumentException e) {
            throw wrongUrl(e);
        }
        throw wrongUrl(null);
    }

    private StartupException wrongUrl(@Nullable Exception cause) {
        return new StartupException(
                "--url is " + ControlCharacters.escaped(url) + ": set it to a URL such as http://127.0.0.1:8080",
                cause);
    }

    Answer send(String method, URI uri, String password) {
        String credentials = Base64.getEncoder().encodeToString((userName + ":" + password).getBytes(UTF_8));
        try (HttpClient client =
                HttpClient.newBuilder().connectTimeout(CONNECTED_WITHIN).build()) {
            HttpRequest request = HttpRequest.newBuilder(uri)
                    .method(method, BodyPublishers.noBody())
                    // The REST interface requires it of requests that change something, even without a body.
                    .header("Content-Type", "application/json")
                    .header("Authorization", "Basic " + credentials)
                    .timeout(ANSWERED_WITHIN)
                    .build();
            HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
            if (response.statusCode() / 100 == SUCCESS) {
                return new Answer(response.body(), JsonMapper.shared().readTree(response.body()));
            }
            throw new StartupException(refusal(uri, response), null);
        } catch (IOException e) {
            throw new StartupException(
                    "no node answers at " + uri.getAuthority() + " (" + reason(e)
                            + "): start one, or name another one with --url",
                    e);
        } catch (JacksonException e) {
            throw new StartupException(uri.getAuthority() + " does not answer as a node of Heddle: correct --url", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartupException("the command was interrupted", e);
        }
    }

    private static String reason(IOException failure) {
        // Java's exception for a refused connection has no message.
        String message = failure.getMessage();
        return message == null ? "no connection" : ControlCharacters.escaped(message);
    }

    private String refusal(URI uri, HttpResponse<String> response) {
        String status = uri.getAuthority() + " answers with status " + response.statusCode();
        if (response.statusCode() == UNAUTHORIZED) {
            return status + ": the password of " + ControlCharacters.escaped(userName)
                    + " is wrong, or there is no such administrator";
        }
        try {
            String detail =
                    JsonMapper.shared().readTree(response.body()).path("detail").asString("");
            return detail.isEmpty() ? status : status + ": " + ControlCharacters.escaped(detail);
        } catch (JacksonException e) {
            return status + ", not as a node of Heddle: correct --url";
        }
    }
}
