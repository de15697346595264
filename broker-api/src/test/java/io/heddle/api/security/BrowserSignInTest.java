package io.heddle.api.security;

import static io.heddle.api.testkit.ApiClient.problem;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.testkit.ApiClient;
import io.heddle.api.testkit.ApiServer;
import io.heddle.api.testkit.Browser;
import io.heddle.api.testkit.TestTls;
import io.heddle.core.administration.AdminRole;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The forms that open and end a session. Each test has its own user and address. */
final class BrowserSignInTest extends SignInFixture {
    @BeforeEach
    void createUser() {
        server.administrators().put(user, "right", AdminRole.VIEWER, server.passwordHash());
    }

    private HttpResponse<String> signIn(HttpRequest.Builder request, String password, String next) throws Exception {
        return client.send(Browser.form(request, Map.of("userName", user, "password", password, "next", next)));
    }

    private HttpResponse<String> signIn(String password, String next) throws Exception {
        return signIn(client.request("/sign-in"), password, next);
    }

    private static String location(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(303);
        return answer.headers().firstValue("Location").orElseThrow();
    }

    private static String cookie(HttpResponse<String> answer) {
        assertThat(answer.headers().allValues("Set-Cookie")).hasSize(1);
        return answer.headers().firstValue("Set-Cookie").orElseThrow();
    }

    @Test
    void aRightPasswordOpensASessionAndShowsThePage() throws Exception {
        double accepted = counted("accepted");

        HttpResponse<String> answer = signIn("right", "/clients?state=CONNECTED&after=%2F");

        assertThat(location(answer)).isEqualTo("/clients?state=CONNECTED&after=%2F");
        assertThat(cookie(answer)).matches("heddle-session=[A-Za-z0-9_-]{43}; Path=/; HttpOnly; SameSite=Lax");
        assertThat(answer.headers().firstValue("Cache-Control").orElse("")).contains("no-store");
        assertThat(counted("accepted")).isEqualTo(accepted + 1);
        assertThat(location(browser.signIn(user, "right"))).isEqualTo("/");
        assertThat(browser.get("/api/v1/account").body()).contains(user, "VIEWER");
    }

    @Test
    void theStoreHasNoToken() throws Exception {
        browser.signIn(user, "right");

        String token = browser.cookie().substring("heddle-session=".length());
        assertThat(server.sessions().list(user)).singleElement().satisfies(stored -> {
            assertThat(stored.tokenHash()).hasSize(64).isNotEqualTo(token);
            assertThat(stored.id().toString()).isNotEqualTo(token);
            assertThat(stored.address()).startsWith("127.0.");
        });
    }

    @Test
    void theCookieIsForTlsOnlyIfTheClientUsesTls(@TempDir Path directory) throws Exception {
        TestTls tls = TestTls.create(directory);
        try (ApiServer secure = new ApiServer(tls.settings());
                HttpClient https =
                        HttpClient.newBuilder().sslContext(tls.context()).build()) {
            secure.administrators().put("ada", "right", AdminRole.VIEWER, secure.passwordHash());
            String node = "https://127.0.0.1:" + secure.port();
            HttpResponse<String> answer = https.send(
                    Browser.form(
                                    HttpRequest.newBuilder(URI.create(node + "/sign-in")),
                                    Map.of("userName", "ada", "password", "right"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());

            String cookie = cookie(answer);
            assertThat(cookie)
                    .matches("__Host-heddle-session=[A-Za-z0-9_-]{43}; Path=/; Secure; HttpOnly; SameSite=Lax");
            String sent = cookie.substring(0, cookie.indexOf(';'));
            for (String each : new String[] {sent, sent.replace("__Host-", "")}) {
                assertThat(https.send(
                                        HttpRequest.newBuilder(URI.create(node + "/api/v1/node"))
                                                .header("Cookie", each)
                                                .build(),
                                        HttpResponse.BodyHandlers.ofString())
                                .statusCode())
                        .as(each)
                        .isEqualTo(each.startsWith("__Host-") ? 200 : 401);
            }
        }
    }

    @Test
    void aTrustedProxyTellsWhetherTheClientUsesTls() throws Exception {
        HttpResponse<String> direct =
                signIn(client.request("/sign-in").header("X-Forwarded-Proto", "https"), "right", "");
        assertThat(cookie(direct)).startsWith("heddle-session=").doesNotContain("Secure");
        try (ApiClient proxy = server.proxy()) {
            HttpResponse<String> behind = proxy.send(Browser.form(
                    proxy.request("/sign-in")
                            .header("X-Forwarded-For", "198.51.100.7")
                            .header("X-Forwarded-Proto", "https"),
                    Map.of("userName", user, "password", "right")));

            assertThat(cookie(behind)).startsWith("__Host-heddle-session=").contains("; Secure;");
            assertThat(location(behind)).isEqualTo("/");
        }
    }

    @Test
    void aWrongPasswordIsCountedAndNotRepeated() throws Exception {
        double refused = counted("refused");

        HttpResponse<String> wrong = signIn("hunter2", "/status?x=1&y");

        assertThat(location(wrong)).isEqualTo("/sign-in?error=wrong&next=%2Fstatus%3Fx%3D1%26y");
        assertThat(wrong.headers().firstValue("Set-Cookie")).isEmpty();
        assertThat(wrong.headers().toString()).doesNotContain(user, "hunter2");
        assertThat(location(browser.signIn("unknown-" + user, "right"))).isEqualTo("/sign-in?error=wrong");
        assertThat(location(browser.signIn("", ""))).isEqualTo("/sign-in?error=wrong");
        assertThat(counted("refused")).isEqualTo(refused + 3);
        assertThat(server.sessions().list(user)).isEmpty();
    }

    @Test
    void aLockoutHoldsForFormsAndHttpBasic() throws Exception {
        double limited = counted("limited");
        for (int i = 0; i < 5; i++) {
            assertThat(location(browser.signIn(user, "guess"))).isEqualTo("/sign-in?error=wrong");
            problem(client.get("/api/v1/node", user, "guess"), 401);
        }

        assertThat(location(browser.signIn(user, "right"))).isEqualTo("/sign-in?error=locked");
        problem(client.get("/api/v1/node", user, "right"), 429);
        assertThat(counted("limited")).isEqualTo(limited + 2);
    }

    @Test
    void aSessionGoesOnDuringALockout() throws Exception {
        browser.signIn(user, "right");
        for (int i = 0; i < 10; i++) {
            problem(client.get("/api/v1/node", user, "guess"), 401);
        }

        assertThat(browser.get("/api/v1/node").statusCode()).isEqualTo(200);
    }

    @Test
    void withoutTheStoresNobodySignsIn() throws Exception {
        server.administrators().goDown();
        assertThat(location(browser.signIn(user, "right"))).isEqualTo("/sign-in?error=unavailable");

        server.administrators().recover();
        server.sessions().setDown(true);
        assertThat(location(browser.signIn(user, "right"))).isEqualTo("/sign-in?error=unavailable");

        server.sessions().setDown(false);
        assertThat(location(browser.signIn(user, "right"))).isEqualTo("/");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "//elsewhere.example/",
                "https://elsewhere.example/",
                "/\\elsewhere.example",
                "\\\\elsewhere.example",
                "/\t/elsewhere.example",
                "/\r\nSet-Cookie: x=y",
                "javascript:alert(1)",
                "elsewhere.example",
                "/ä",
                "/%",
                " /status",
                ""
            })
    void otherAddressesThanPagesOfTheNodeAreReplaced(String next) throws Exception {
        assertThat(location(signIn("right", next))).isEqualTo("/");
        assertThat(location(signIn("wrong", next))).isEqualTo("/sign-in?error=wrong");
    }

    @ParameterizedTest
    @CsvSource({
        "Sec-Fetch-Site, cross-site",
        "Sec-Fetch-Site, same-site",
        "Origin, https://elsewhere.example",
        "Origin, http://127.0.0.1",
        "Origin, null",
        "Origin, :"
    })
    void aPageOfAnotherSiteCannotSignIn(String header, String value) throws Exception {
        double refused = counted("cross_site");

        HttpResponse<String> answer = signIn(client.request("/sign-in").header(header, value), "right", "");

        assertThat(problem(answer, 403).path("detail").asString()).contains("another site");
        assertThat(answer.headers().firstValue("Set-Cookie")).isEmpty();
        assertThat(counted("cross_site")).isEqualTo(refused + 1);
    }

    @Test
    void thePageOfTheNodeMaySignIn() throws Exception {
        String origin = "http://127.0.0.1:" + server.port();
        assertThat(location(signIn(client.request("/sign-in").header("Origin", origin), "right", "")))
                .isEqualTo("/");
        assertThat(location(signIn(
                        client.request("/sign-in")
                                // As behind a proxy that changes the host.
                                .header("Origin", "https://console.example")
                                .header("Sec-Fetch-Site", "same-origin"),
                        "right",
                        "")))
                .isEqualTo("/");
    }

    @Test
    void aNewSessionReplacesThatOfTheBrowser() throws Exception {
        browser.signIn(user, "right");
        Browser before = new Browser(client);
        before.setToken(browser.cookie().substring("heddle-session=".length()));

        browser.signIn(user, "right");

        assertThat(browser.cookie()).isNotEqualTo(before.cookie());
        assertThat(browser.get("/api/v1/node").statusCode()).isEqualTo(200);
        problem(before.get("/api/v1/node"), 401);
        assertThat(server.sessions().list(user)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "multipart/form-data; boundary=x", "text/plain"})
    void onlyFormsOpenAndEndSessions(String contentType) throws Exception {
        for (String path : new String[] {"/sign-in", "/sign-out"}) {
            problem(
                    client.send(client.request(path)
                            .header("Content-Type", contentType)
                            .POST(BodyPublishers.ofString("userName=" + user + "&password=right"))),
                    415);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"userName=%zz&password=right", "userName=a&userName=b&password=right"})
    void aMalformedFormIsRefused(String body) throws Exception {
        problem(
                client.send(client.request("/sign-in")
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(BodyPublishers.ofString(body))),
                400);
    }

    @Test
    void theAddressIsNoForm() throws Exception {
        assertThat(location(client.send(
                        Browser.form(client.request("/sign-in?userName=" + user + "&password=right"), Map.of()))))
                .isEqualTo("/sign-in?error=wrong");
    }

    @Test
    void aFormHasABound() throws Exception {
        Map<String, String> form = Map.of("userName", user, "password", "x".repeat(20_000));

        assertThat(client.send(Browser.form(client.request("/sign-in"), form)).statusCode())
                .isEqualTo(413);
    }

    @Test
    void aSignOutEndsTheSessionAndNeedsItsToken() throws Exception {
        browser.signIn(user, "right");
        String token = browser.csrfToken();
        double refused = counted("no_csrf_token");

        problem(client.send(Browser.form(browser.request("/sign-out"), Map.of())), 403);
        problem(client.send(Browser.form(browser.request("/sign-out"), Map.of("csrf", token + "x"))), 403);
        assertThat(counted("no_csrf_token")).isEqualTo(refused + 2);
        assertThat(browser.get("/api/v1/node").statusCode()).isEqualTo(200);

        HttpResponse<String> answer = client.send(Browser.form(browser.request("/sign-out"), Map.of("csrf", token)));
        assertThat(location(answer)).isEqualTo("/sign-in");
        assertThat(cookie(answer)).startsWith("heddle-session=;").contains("Max-Age=0", "Path=/");
        problem(browser.get("/api/v1/node"), 401);
        assertThat(server.sessions().list(user)).isEmpty();

        assertThat(location(client.send(Browser.form(browser.request("/sign-out"), Map.of("csrf", token)))))
                .as("again")
                .isEqualTo("/sign-in");
        assertThat(location(client.send(Browser.form(client.request("/sign-out"), Map.of()))))
                .as("without a cookie")
                .isEqualTo("/sign-in");
    }

    @Test
    void aScriptSignsOutWithTheHeader() throws Exception {
        browser.signIn(user, "right");

        HttpResponse<String> answer = client.send(
                Browser.form(browser.request("/sign-out").header("X-CSRF-Token", browser.csrfToken()), Map.of()));

        assertThat(location(answer)).isEqualTo("/sign-in");
        problem(browser.get("/api/v1/node"), 401);
    }

    @Test
    void aSignOutThatTheStoreDoesNotAnswerIsNoSignOut() throws Exception {
        browser.signIn(user, "right");
        String token = browser.csrfToken();
        server.sessions().setDown(true);

        HttpResponse<String> answer = client.send(Browser.form(browser.request("/sign-out"), Map.of("csrf", token)));

        problem(answer, 503);
        assertThat(answer.headers().firstValue("Set-Cookie")).isEmpty();
    }
}
