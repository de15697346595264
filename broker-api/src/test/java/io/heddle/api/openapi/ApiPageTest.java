package io.heddle.api.openapi;

import static io.heddle.api.testkit.ApiClient.problem;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.testkit.ApiClient;
import io.heddle.api.testkit.ApiServer;
import io.heddle.core.administration.AdminRole;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class ApiPageTest {
    private static @Nullable ApiServer server;
    private static @Nullable ApiClient client;

    @BeforeAll
    static void start() {
        ApiServer started = new ApiServer();
        started.administrators().put("vera", "looking", AdminRole.VIEWER, started.passwordHash());
        server = started;
        client = started.client();
    }

    @AfterAll
    static void stop() {
        requireNonNull(client).close();
        requireNonNull(server).close();
    }

    private static HttpResponse<String> get(String path) throws Exception {
        return requireNonNull(client).get(path, "vera", "looking");
    }

    private static List<String> all(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    private static String policy(HttpResponse<String> answer) {
        List<String> policies = answer.headers().allValues("Content-Security-Policy");
        assertThat(policies).hasSize(1);
        return policies.getFirst();
    }

    @Test
    void everythingThatThePageLoadsComesFromTheNodeItself() throws Exception {
        HttpResponse<String> page = get("/api-docs");

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Type")).hasValue("text/html;charset=UTF-8");
        List<String> loaded = all("(?:src|<link[^>]*href)=\"([^\"]*)\"", page.body());
        assertThat(loaded).hasSize(4).allMatch(address -> address.startsWith("/api-docs/"));
        for (String each : loaded) {
            HttpResponse<String> file = get(each);
            assertThat(file.statusCode()).as(each).isEqualTo(200);
            assertThat(file.headers().firstValue("Content-Type").orElseThrow())
                    .as(each)
                    .isEqualTo(each.endsWith(".css") ? "text/css;charset=UTF-8" : "text/javascript;charset=UTF-8");
            assertThat(file.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
            assertThat(file.headers().firstValue("Cache-Control").orElseThrow()).contains("private", "max-age=3600");
        }
        assertThat(get("/api-docs/page.js").body())
                // Browsers refuse to fetch a relative address in a page whose own address has a password.
                .contains("url: location.origin + '/api/v1/openapi.json'", "validatorUrl: null")
                .doesNotContain("://");
        assertThat(all(
                        "(?:url\\(|@import )[\"']?([^)\"']{5})",
                        get("/api-docs/swagger-ui.css").body()))
                .isNotEmpty()
                .containsOnly("data:");
    }

    @Test
    void thePolicyAllowsNoInlineScriptsAndNoOtherHosts() throws Exception {
        HttpResponse<String> page = get("/api-docs");

        assertThat(policy(page))
                .startsWith("default-src 'none'")
                .contains("script-src 'self'", "style-src 'self'", "connect-src 'self'", "frame-ancestors 'none'")
                .doesNotContain("unsafe", "http", "*");
        assertThat(page.body()).doesNotContain("<style", "style=", "onload", "onclick", "javascript:");
        assertThat(all("<script([^>]*)>", page.body()))
                .isNotEmpty()
                .allMatch(attributes -> attributes.contains("src="));
        // Scripts that build code from text would need 'unsafe-eval'; this one has a fallback that browsers do not
        // reach.
        assertThat(get("/api-docs/swagger-ui-bundle.js").body())
                .doesNotContain("eval(", "createElement(\"style\")", "setAttribute(\"style\"");
    }

    @Test
    void theDocumentHasTheStrictPolicy() throws Exception {
        assertThat(policy(get("/api/v1/openapi.json")))
                .isEqualTo("default-src 'none'; img-src 'self'; frame-ancestors 'none'");
        problem(get("/api-docs/other.js"), 404);
    }

    @Test
    void thePageNeedsASignIn() throws Exception {
        problem(requireNonNull(client).get("/api-docs"), 401);
        problem(requireNonNull(client).get("/api-docs/swagger-ui.css"), 401);
    }
}
