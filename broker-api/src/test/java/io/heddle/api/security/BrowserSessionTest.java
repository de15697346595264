package io.heddle.api.security;

import static io.heddle.api.testkit.ApiClient.problem;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.testkit.ApiClient;
import io.heddle.api.testkit.ApiServer;
import io.heddle.api.testkit.Browser;
import io.heddle.core.administration.AdminRole;
import io.heddle.core.administration.AdminSession;
import io.heddle.core.administration.AdminSessionToken;
import io.heddle.core.administration.AdminUser;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Requests with the session of a browser. Each test has its own user and address. */
final class BrowserSessionTest extends SignInFixture {
    private static final String NODE = "/api/v1/node";
    private static final String METRICS = "/actuator/prometheus";
    private static final String THINGS = "/test/things";

    @BeforeEach
    void signIn() throws Exception {
        server.administrators().put(user, "right", AdminRole.ADMIN, server.passwordHash());
        assertThat(browser.signIn(user, "right").statusCode()).isEqualTo(303);
    }

    private static HttpRequest.Builder thing(HttpRequest.Builder request) {
        return request.header("Content-Type", "application/json").POST(BodyPublishers.ofString("{\"size\": 1}"));
    }

    /** Asserts that no dialog of the browser asks for a password. */
    private static void assertNoDialog(HttpResponse<String> answer) {
        assertThat(answer.headers().allValues("WWW-Authenticate")).containsExactly("Bearer realm=\"heddle\"");
    }

    @Test
    void aSessionReadsWithoutHashingThePassword() throws Exception {
        int before = server.passwordHash().verifications();
        double accepted = counted("accepted_session");

        assertThat(browser.get(NODE).statusCode()).isEqualTo(200);
        assertThat(client.send(browser.request(NODE).HEAD()).statusCode()).isEqualTo(200);
        assertThat(browser.open("/clients").body()).contains("<title>Clients – Heddle</title>");
        assertThat(browser.get("/actuator/health").body()).contains("UP");

        assertThat(server.passwordHash().verifications()).isEqualTo(before);
        assertThat(counted("accepted_session")).isEqualTo(accepted + 4);
    }

    @Test
    void filesOfPagesNeedNoStore() throws Exception {
        int before = server.sessions().finds();

        assertThat(browser.get("/assets/0/console.js").statusCode()).isEqualTo(200);
        assertThat(browser.get("/favicon.ico").statusCode()).isEqualTo(200);

        assertThat(server.sessions().finds()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
    void aChangeNeedsTheTokenOfTheSession(String method) throws Exception {
        int before = server.stub().changes();
        double refused = counted("no_csrf_token");
        Browser other = new Browser(client);
        other.signIn(user, "right");

        for (String wrong : new String[] {null, "", "x", other.csrfToken(), browser.csrfToken() + "="}) {
            HttpRequest.Builder request = browser.request(THINGS)
                    .header("Content-Type", "application/json")
                    .method(method, BodyPublishers.ofString("{\"size\": 1}"));
            if (wrong != null) {
                request.header("X-CSRF-Token", wrong);
            }
            assertThat(problem(client.send(request), 403).path("detail").asString())
                    .contains("X-CSRF-Token");
        }

        assertThat(server.stub().changes()).isEqualTo(before);
        assertThat(counted("no_csrf_token")).isEqualTo(refused + 5);
    }

    @Test
    void aChangeWithTheTokenIsMade() throws Exception {
        int before = server.stub().changes();
        String token = browser.csrfToken();

        assertThat(client.send(thing(browser.request(THINGS).header("X-CSRF-Token", token)))
                        .statusCode())
                .isEqualTo(200);
        assertThat(client.send(browser.request(THINGS)
                                .header("X-CSRF-Token", token)
                                .DELETE())
                        .statusCode())
                .isEqualTo(200);

        assertThat(server.stub().changes()).isEqualTo(before + 2);
    }

    @Test
    void aFormIsNoChangeEvenWithTheToken() throws Exception {
        problem(
                client.send(browser.request(THINGS)
                        .header("X-CSRF-Token", browser.csrfToken())
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(BodyPublishers.ofString("size=1"))),
                415);
    }

    @Test
    void theTokenIsForSessionsOnly() throws Exception {
        HttpResponse<String> account = client.get("/api/v1/account", user, "right");

        assertThat(account.statusCode()).isEqualTo(200);
        assertThat(account.headers().firstValue("X-CSRF-Token")).isEmpty();
        assertThat(browser.csrfToken()).isEqualTo(browser.csrfToken()).hasSize(43);
    }

    @Test
    void otherWaysToSignInNeedNoTokenAndComeFirst() throws Exception {
        server.administrators().put("vera-" + user, "looking", AdminRole.VIEWER, server.passwordHash());
        String basic = ApiClient.basic("vera-" + user, "looking");

        assertThat(client.send(thing(client.request(THINGS, user, "right"))).statusCode())
                .isEqualTo(200);
        assertThat(client.send(browser.request("/api/v1/account").header("Authorization", basic))
                        .body())
                .contains("vera-" + user);
        problem(client.send(thing(browser.request(THINGS).header("Authorization", basic))), 403);
        problem(client.send(browser.request(NODE).header("Authorization", ApiClient.basic(user, "wrong"))), 401);
        problem(client.send(browser.request(NODE).header("Authorization", "Bearer heddle_ci.x")), 401);
    }

    @Test
    void aRoleChangesAtOnce() throws Exception {
        String token = browser.csrfToken();
        server.administrators().put("another", "right", AdminRole.ADMIN, server.passwordHash());

        server.administrators().changeRole(user, AdminRole.VIEWER);

        problem(client.send(thing(browser.request(THINGS).header("X-CSRF-Token", token))), 403);
        assertThat(browser.get("/api/v1/account").body()).contains("VIEWER");
    }

    @Test
    void anotherPasswordNeedsThePresentOne() throws Exception {
        for (String present : List.of("", ", \"presentPassword\": \"wrong\"")) {
            JsonNode problem = problem(
                    client.send(browser.change("/api/v1/account/password")
                            .PUT(BodyPublishers.ofString(
                                    "{\"password\": \"a new and long password\"" + present + "}"))),
                    400);

            assertThat(problem.path("errors").path(0).path("field").asString()).isEqualTo("presentPassword");
        }
        assertThat(browser.get(NODE).statusCode()).isEqualTo(200);
        assertThat(server.auditLog().entries()).isEmpty();
    }

    @Test
    void guessesOfThePresentPasswordAreLimited() throws Exception {
        int status = 400;
        for (int guesses = 0; status == 400; guesses++) {
            assertThat(guesses).isLessThanOrEqualTo(10);
            status = client.send(browser.change("/api/v1/account/password")
                            .PUT(BodyPublishers.ofString(
                                    "{\"password\": \"a new and long password\", \"presentPassword\": \"guess\"}")))
                    .statusCode();
        }
        assertThat(status).isEqualTo(429);
    }

    @Test
    void anotherPasswordEndsAllSessions() throws Exception {
        Browser elsewhere = new Browser(client);
        elsewhere.signIn(user, "right");
        double ended = counted("ended_session");

        assertThat(client.send(browser.change("/api/v1/account/password")
                                .PUT(BodyPublishers.ofString(
                                        "{\"password\": \"a new and long password\", \"presentPassword\": \"right\"}")))
                        .statusCode())
                .isEqualTo(204);

        for (Browser each : new Browser[] {browser, elsewhere}) {
            assertThat(problem(each.get(NODE), 401).path("detail").asString())
                    .isEqualTo("Your session has ended; sign in again.");
        }
        assertThat(counted("ended_session")).isEqualTo(ended + 2);
        browser.signIn(user, "a new and long password");
        assertThat(browser.get(NODE).statusCode()).isEqualTo(200);
    }

    @Test
    void aRemovedAdministratorHasNoSessionNotEvenWhenTheNameIsGivenAgain() throws Exception {
        server.administrators().put("another", "right", AdminRole.ADMIN, server.passwordHash());
        server.administrators().remove(user);
        problem(browser.get(NODE), 401);

        server.administrators().put(user, "right", AdminRole.ADMIN, server.passwordHash());
        problem(browser.get(NODE), 401);
    }

    /** Stores a session of the user that began and was used that many minutes ago. */
    private Browser session(int age, int idle) {
        AdminUser administrator = Objects.requireNonNull(server.administrators().find(user));
        AdminSessionToken token = AdminSessionToken.draw(new SecureRandom());
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        AdminSession old = new AdminSession(
                UUID.randomUUID(),
                token.hash(),
                user,
                AdminSession.account(administrator),
                "",
                now.minus(Duration.ofMinutes(age)),
                now.minus(Duration.ofMinutes(idle)),
                now.plus(Duration.ofHours(12).minusMinutes(age)));
        server.sessions().create(old, Instant.EPOCH);
        Browser opened = new Browser(client);
        opened.setToken(token.text());
        return opened;
    }

    @Test
    void aRequestWithoutAValidSessionOpensNoDialog() throws Exception {
        browser.setToken("A".repeat(43));
        assertNoDialog(browser.get(NODE));
        assertNoDialog(client.send(browser.request(NODE).header("Accept", Browser.HTML)));
        browser.setToken("nonsense");
        problem(browser.get(NODE), 401);
        assertNoDialog(browser.get(NODE));
        for (String path : new String[] {NODE, "/clients"}) {
            HttpResponse<String> answer = client.send(
                    client.request(path).header("X-Requested-With", "true").header("Accept", Browser.HTML));
            problem(answer, 401);
            assertNoDialog(answer);
        }
        assertThat(client.get(NODE).headers().allValues("WWW-Authenticate")).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({
        "/nodes, /sign-in?next=%2Fnodes",
        "/clients?after=%2F&x=y, /sign-in?next=%2Fclients%3Fafter%3D%252F%26x%3Dy",
        "/api-docs, /sign-in?next=%2Fapi-docs",
        "/no/such/page, /sign-in?next=%2Fno%2Fsuch%2Fpage"
    })
    void aPageWithoutAValidSessionShowsTheSignIn(String page, String location) throws Exception {
        Browser stranger = new Browser(client);
        Browser ended = new Browser(client);
        ended.setToken("A".repeat(43));
        for (HttpResponse<String> answer : List.of(
                client.send(client.request(page).header("Accept", Browser.HTML)),
                stranger.open(page),
                ended.open(page))) {
            assertThat(answer.statusCode()).isEqualTo(302);
            assertThat(answer.headers().firstValue("Location")).hasValue(location);
            assertThat(answer.headers().firstValue("WWW-Authenticate")).isEmpty();
        }
        problem(stranger.get(page), 401);
        problem(client.send(client.request(page).header("Accept", Browser.HTML).DELETE()), 401);
        problem(client.send(client.request(page, user, "wrong").header("Accept", Browser.HTML)), 401);
    }

    @Test
    void openAddressesDoNotDependOnASession() throws Exception {
        browser.setToken("A".repeat(43));
        assertThat(browser.open("/sign-in").statusCode()).isEqualTo(200);
        assertThat(browser.get("/actuator/health").statusCode()).isEqualTo(200);

        server.sessions().setDown(true);
        assertThat(browser.open("/sign-in").statusCode()).isEqualTo(200);
        assertThat(browser.get("/actuator/health").statusCode()).isEqualTo(200);
    }

    @Test
    void withoutTheStoresASessionReadsMetricsOnly() throws Exception {
        int answer = browser.get(METRICS).statusCode();
        assertThat(answer).isNotIn(401, 403, 503);
        Browser unknown = session(0, 0);
        double withoutStore = counted("without_store");
        server.administrators().goDown();

        assertThat(browser.get(METRICS).statusCode()).isEqualTo(answer);
        assertThat(counted("without_store")).isEqualTo(withoutStore + 1);
        HttpResponse<String> refused = browser.get(NODE);
        assertThat(problem(refused, 503).path("detail").asString()).startsWith("PostgreSQL has not answered");
        assertThat(refused.headers().firstValue("Retry-After")).hasValue("5");
        HttpResponse<String> page = browser.open("/clients");
        assertThat(page.statusCode()).isEqualTo(503);
        assertThat(page.headers().firstValue("Content-Type")).hasValue("text/html;charset=UTF-8");
        assertThat(page.headers().firstValue("Refresh")).hasValue("5");
        assertThat(page.body())
                .contains("PostgreSQL does not answer", "is serving")
                .doesNotContain("{{", "ada");
        problem(unknown.get(METRICS), 503);

        server.administrators().recover();
        server.sessions().setDown(true);
        problem(browser.get(NODE), 503);

        server.sessions().setDown(false);
        assertThat(browser.get(NODE).statusCode()).isEqualTo(200);
    }

    @Test
    void nodesShareSessions() throws Exception {
        try (ApiServer other = server.another();
                ApiClient there = other.client()) {
            Browser moved = new Browser(there);
            moved.setToken(browser.cookie().substring("heddle-session=".length()));

            assertThat(moved.get(NODE).statusCode()).isEqualTo(200);
            assertThat(moved.csrfToken()).isEqualTo(browser.csrfToken());
            assertThat(browser.get(NODE).statusCode()).isEqualTo(200);

            assertThat(there.send(moved.change("/api/v1/account/sessions/"
                                            + server.sessions()
                                                    .list(user)
                                                    .getFirst()
                                                    .id())
                                    .DELETE())
                            .statusCode())
                    .isEqualTo(204);
            problem(browser.get(NODE), 401);
            problem(moved.get(NODE), 401);
        }
    }
}
