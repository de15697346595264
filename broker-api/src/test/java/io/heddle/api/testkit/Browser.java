package io.heddle.api.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.stream.Collectors;

/** A browser with the cookie of a session. */
public final class Browser {
    /** The Accept header of browsers that open a page. */
    public static final String HTML = "text/html,application/xhtml+xml,*/*;q=0.8";

    private final ApiClient client;
    private String cookie = "heddle-session=";

    public Browser(ApiClient client) {
        this.client = client;
    }

    /** Returns the type and body of a form. */
    public static HttpRequest.Builder form(HttpRequest.Builder request, Map<String, String> fields) {
        return request.header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(fields.entrySet().stream()
                        .map(each -> each.getKey() + "=" + URLEncoder.encode(each.getValue(), UTF_8))
                        .collect(Collectors.joining("&"))));
    }

    /** Sends the form of the sign-in, and keeps the cookie of the answer. */
    public HttpResponse<String> signIn(String userName, String password) throws IOException, InterruptedException {
        HttpResponse<String> answer =
                client.send(form(request("/sign-in"), Map.of("userName", userName, "password", password)));
        answer.headers().firstValue("Set-Cookie").ifPresent(set -> cookie = set.substring(0, set.indexOf(';')));
        return answer;
    }

    /** Begins a request with the cookie. */
    public HttpRequest.Builder request(String path) {
        return client.request(path).header("Cookie", cookie);
    }

    /** Sends a GET request with the cookie. */
    public HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(request(path));
    }

    /** Opens a page. */
    public HttpResponse<String> open(String path) throws IOException, InterruptedException {
        return client.send(request(path).header("Accept", HTML));
    }

    /** Returns the token for changes. */
    public String csrfToken() throws IOException, InterruptedException {
        HttpResponse<String> account = get("/api/v1/account");
        assertThat(account.statusCode()).isEqualTo(200);
        return account.headers().firstValue("X-CSRF-Token").orElseThrow();
    }

    /** Begins a change with the cookie and the token. */
    public HttpRequest.Builder change(String path) throws IOException, InterruptedException {
        return request(path).header("X-CSRF-Token", csrfToken()).header("Content-Type", "application/json");
    }

    /** Returns the cookie as requests have it. */
    public String cookie() {
        return cookie;
    }

    /** Sets the token of the session. */
    public void setToken(String token) {
        cookie = "heddle-session=" + token;
    }
}
