package io.heddle.api.security;

import static io.heddle.api.testkit.ApiClient.problem;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.testkit.ApiClient;
import io.heddle.api.testkit.ApiServer;
import io.heddle.core.administration.AdminRole;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AccessRulesTest {
    @AutoClose
    private static final ApiServer server = new ApiServer();

    @AutoClose
    private final ApiClient client = server.client();

    @BeforeAll
    static void start() {
        server.administrators().put("ada", "s3cret:ä€", AdminRole.ADMIN, server.passwordHash());
        server.administrators().put("vera", "looking", AdminRole.VIEWER, server.passwordHash());
    }

    private static BodyPublisher thing() {
        return BodyPublishers.ofString("{\"size\": 1}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/actuator/health", "/actuator/health/liveness", "/actuator/health/readiness"})
    void healthIsOpen(String path) throws Exception {
        HttpResponse<String> response = client.get(path);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).contains("UP");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/node",
                "/api/v1/nodes",
                "/",
                "/clients",
                "/error",
                "/no/such/thing",
                "/index.html",
                "/actuator",
                "/actuator/env",
                "/actuator/metrics",
                "/actuator/healthy",
                "/actuator/health;x=1/../env",
                "/actuator/health/%2e%2e/env"
            })
    void everyOtherAddressNeedsASignInWhetherItExistsOrNot(String path) throws Exception {
        HttpResponse<String> response = client.get(path);

        if (response.statusCode() == 400) {
            // The firewall rejected the request before.
            problem(response, 400);
        } else {
            problem(response, 401);
            assertThat(response.headers().allValues("WWW-Authenticate"))
                    .containsExactly("Basic realm=\"heddle\", charset=\"UTF-8\"", "Bearer realm=\"heddle\"");
        }
    }

    /** The console has the page and the files. */
    @ParameterizedTest
    @ValueSource(strings = {"/sign-in", "/assets/0/absent.js"})
    void thePageOfTheSignInAndFilesOfPagesAreOpenToReading(String path) throws Exception {
        assertThat(client.get(path).statusCode()).isIn(200, 404, 405);
        assertThat(client.send(client.request(path).HEAD()).statusCode()).isIn(200, 404, 405);
        problem(
                client.send(client.request(path)
                        .header("Content-Type", "application/json")
                        .method("PUT", thing())),
                401);
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "PATCH", "DELETE", "OPTIONS", "FROB"})
    void noMethodIsOpenNotEvenOnHealth(String method) throws Exception {
        HttpResponse<String> response = client.send(client.request("/actuator/health")
                .method(method, BodyPublishers.noBody())
                .header("Content-Type", "application/json"));

        assertThat(response.statusCode()).isEqualTo(method.equals("FROB") ? 501 : 401);
        problem(response, response.statusCode());
    }

    @Test
    void aPasswordMayContainAnyCharacters() throws Exception {
        assertThat(client.get("/api/v1/node", "ada", "s3cret:ä€").statusCode()).isEqualTo(200);
        assertThat(client.get("/actuator/metrics", "ada", "s3cret:ä€").statusCode())
                .isEqualTo(200);
        problem(client.get("/no/such/thing", "ada", "s3cret:ä€"), 404);
        problem(client.get("/error", "ada", "s3cret:ä€"), 404);
    }

    @Test
    void aWrongPasswordIsRejectedEvenForHealth() throws Exception {
        problem(client.get("/api/v1/node", "ada", "s3cret"), 401);
        problem(client.get("/actuator/health", "ada", "s3cret"), 401);
        problem(client.get("/api/v1/node", "nobody", "s3cret:ä€"), 401);
        problem(client.get("/api/v1/node", "", ""), 401);
        problem(client.get("/api/v1/node", "ada\0", "x"), 401);
        problem(client.send(client.request("/api/v1/node").header("Authorization", "Basic %%%")), 401);
        problem(client.send(client.request("/api/v1/node").header("Authorization", "Bearer abc")), 401);
    }

    @Test
    void aViewerMayReadButNotChange() throws Exception {
        int before = server.stub().changes();

        assertThat(client.get("/api/v1/node", "vera", "looking").statusCode()).isEqualTo(200);
        assertThat(client.send(client.request("/api/v1/node", "vera", "looking").HEAD())
                        .statusCode())
                .isEqualTo(200);
        for (String method : new String[] {"POST", "PUT", "PATCH", "DELETE", "OPTIONS"}) {
            problem(
                    client.send(client.request("/test/things", "vera", "looking")
                            .header("Content-Type", "application/json")
                            .header("X-HTTP-Method-Override", "GET")
                            .method(method, thing())),
                    403);
        }
        // A GET request that asks to be treated as another method.
        problem(client.get("/test/things?_method=DELETE", "vera", "looking"), 405);

        assertThat(server.stub().changes()).isEqualTo(before);
    }

    @Test
    void anAdministratorMayChange() throws Exception {
        int before = server.stub().changes();

        assertThat(client.send(client.request("/test/things", "ada", "s3cret:ä€")
                                .header("Content-Type", "application/json; charset=utf-8")
                                .POST(thing()))
                        .statusCode())
                .isEqualTo(200);

        assertThat(server.stub().changes()).isEqualTo(before + 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/x-www-form-urlencoded",
                "multipart/form-data; boundary=x",
                "text/plain",
                "text/plain; application/json",
                "text/json",
                "application/jsonx",
                "nonsense"
            })
    void requestsThatAFormCanSendAreRejected(String contentType) throws Exception {
        int before = server.stub().changes();

        problem(
                client.send(client.request("/test/things", "ada", "s3cret:ä€")
                        .header("Content-Type", contentType)
                        .POST(thing())),
                415);

        assertThat(server.stub().changes()).isEqualTo(before);
    }

    @Test
    void aDeletionWithoutABodyNeedsNoContentType() throws Exception {
        int before = server.stub().changes();

        assertThat(client.send(client.request("/test/things", "ada", "s3cret:ä€")
                                .DELETE())
                        .statusCode())
                .isEqualTo(200);
        assertThat(server.stub().changes()).isEqualTo(before + 1);
        problem(
                client.send(client.request("/test/things", "ada", "s3cret:ä€")
                        .header("Content-Type", "text/plain")
                        .DELETE()),
                415);
    }

    @Test
    void anotherChangeWithoutABodyNeedsTheContentTypeJson() throws Exception {
        int before = server.stub().changes();

        problem(client.send(client.request("/test/things", "ada", "s3cret:ä€").POST(BodyPublishers.noBody())), 415);

        assertThat(server.stub().changes()).isEqualTo(before);
    }

    @Test
    void aPreflightRequestIsRejected() throws Exception {
        HttpResponse<String> response = client.send(client.request("/test/things")
                .header("Origin", "http://elsewhere.example")
                .header("Access-Control-Request-Method", "POST")
                .header("Access-Control-Request-Headers", "content-type,authorization")
                .method("OPTIONS", BodyPublishers.noBody()));

        problem(response, 401);
        assertThat(response.headers().map().keySet())
                .noneMatch(name -> name.toLowerCase(Locale.ROOT).startsWith("access-control-"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/v1/node", "/actuator/health", "/no/such/thing"})
    void everyResponseHasTheSecurityHeadersAndNoCookie(String path) throws Exception {
        for (HttpResponse<String> response : List.of(client.get(path), client.get(path, "ada", "s3cret:ä€"))) {
            assertThat(response.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
            assertThat(response.headers().firstValue("X-Frame-Options")).hasValue("DENY");
            assertThat(response.headers().firstValue("Cache-Control").orElse(""))
                    .contains("no-store");
            boolean isPage = path.startsWith("/no/");
            assertThat(response.headers().allValues("Content-Security-Policy"))
                    .containsExactly(
                            isPage
                                    ? "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                                            + " connect-src 'self'; font-src 'self'; form-action 'self';"
                                            + " frame-ancestors 'none'; base-uri 'none'"
                                    : "default-src 'none'; img-src 'self'; frame-ancestors 'none'");
            assertThat(response.headers().allValues("Referrer-Policy"))
                    .containsExactly(isPage ? "same-origin" : "no-referrer");
            assertThat(response.headers().firstValue("Cross-Origin-Resource-Policy"))
                    .hasValue("same-origin");
            assertThat(response.headers().firstValue("Set-Cookie")).isEmpty();
            assertThat(response.headers().firstValue("Server")).isEmpty();
        }
    }
}
