package io.heddle.api.administrators;

import static io.heddle.api.testkit.ApiClient.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.heddle.api.testkit.ApiFixture;
import io.heddle.core.administration.ApiKey;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

final class ApiKeyControllerTest extends ApiFixture {
    private static final String ALL = "/api/v1/api-keys";

    private HttpResponse<String> post(String body) throws Exception {
        return send("POST", ALL, body);
    }

    private JsonNode created(String name, String role) throws Exception {
        HttpResponse<String> response = post("{\"name\": \"" + name + "\", \"role\": \"" + role + "\"}");
        assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
        return JSON.readTree(response.body());
    }

    private HttpResponse<String> delete(String name, String... headers) throws Exception {
        return send("DELETE", ALL + "/" + name, "", headers);
    }

    private HttpResponse<String> withKey(String method, String path, String token, String body) throws Exception {
        return client.send(client.requestWithKey(path, token)
                .header("Content-Type", "application/json")
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body)));
    }

    @Test
    void aKeyIsUsedUntilItIsRemoved() throws Exception {
        JsonNode created = created("ci", "VIEWER");
        String token = created.path("token").asString();
        assertThat(token).startsWith("heddle_ci.");

        assertThat(client.send(client.requestWithKey("/api/v1/node", token)).statusCode())
                .isEqualTo(200);
        assertThat(client.send(client.request("/api/v1/node").header("authorization", "bearer  " + token))
                        .statusCode())
                .isEqualTo(200);
        problem(withKey("POST", "/test/things", token, "{\"size\": 1}"), 403);
        problem(post("{\"name\": \"ci\", \"role\": \"ADMIN\"}"), 409);

        assertThat(delete("ci").statusCode()).isEqualTo(204);
        assertThat(delete("ci").statusCode()).isEqualTo(204);
        assertThat(delete("%00").statusCode()).isIn(204, 400);
        problem(client.send(client.requestWithKey("/api/v1/node", token)), 401);
        assertThat(created("ci", "VIEWER").path("token").asString()).isNotEqualTo(token);
        problem(client.send(client.requestWithKey("/api/v1/node", token)), 401);
    }

    @Test
    void theTokenIsInTheAnswerToTheCreationOnly() throws Exception {
        JsonNode created = created("ci", "OPERATOR");
        String secret = created.path("token").asString().substring("heddle_ci.".length());
        ApiKey stored = Objects.requireNonNull(server.keys().find("ci"));

        String list = get(ALL).body();
        assertThat(JSON.readTree(list).path("items")).containsExactly(created.path("key"));
        assertThat(list).doesNotContain(secret, stored.secretHash());
        delete("ci");
        assertThat(server.auditLog().entries())
                .extracting(entry ->
                        entry.attempt().action() + " " + entry.attempt().target())
                .containsExactly("CREATE_API_KEY api-keys/ci", "REMOVE_API_KEY api-keys/ci");
        assertThat(server.auditLog().entries().toString())
                .contains("OPERATOR")
                .doesNotContain(secret, stored.secretHash());
    }

    @Test
    void theAuditLogNamesTheKey() throws Exception {
        String token = created("ci", "ADMIN").path("token").asString();

        HttpResponse<String> blocked = withKey(
                "POST",
                "/api/v1/blocked-clients",
                token,
                "{\"kind\": \"USER_NAME\", \"value\": \"a\", \"reason\": \"b\"}");

        assertThat(blocked.statusCode()).isEqualTo(201);
        assertThat(JSON.readTree(blocked.body()).path("createdBy").asString()).isEqualTo("key:ci");
        assertThat(server.auditLog().entries().getLast().attempt().administrator())
                .isEqualTo("key:ci");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/account",
                "/api/v1/account/",
                "/api/v1/administrators",
                "/api/v1/administrators?limit=1",
                "/api/v1/administrator?userName=ada",
                "/api/v1/api-keys",
                "/api/v1/api-keys/ci",
                "/api/v1/api%2Dkeys"
            })
    void noKeyManagesAccounts(String path) throws Exception {
        String token = created("ci", "ADMIN").path("token").asString();

        for (String method : List.of("GET", "POST", "PUT", "PATCH", "DELETE")) {
            problem(withKey(method, path, token, method.equals("GET") ? "" : "{}"), 403);
        }
        assertThat(client.send(client.requestWithKey("/api/v1/node", token)).statusCode())
                .isEqualTo(200);
    }

    @Test
    void aKeyExpiresAfterNinetyDaysOrAtAGivenTimeOrNever() throws Exception {
        Instant end = Instant.now().plus(7, ChronoUnit.DAYS).truncatedTo(ChronoUnit.MILLIS);

        Instant usual = Instant.parse(
                created("usual", "VIEWER").path("key").path("expiresAt").asString());
        assertThat(usual).isCloseTo(Instant.now().plus(90, ChronoUnit.DAYS), within(1, ChronoUnit.MINUTES));
        String given = post("{\"name\": \"given\", \"role\": \"VIEWER\", \"expiresAt\": \"" + end + "\"}")
                .body();
        assertThat(JSON.readTree(given).path("key").path("expiresAt").asString())
                .isEqualTo(end.toString());
        String endless = post("{\"name\": \"endless\", \"role\": \"VIEWER\", \"expiresAt\": \"none\"}")
                .body();
        assertThat(JSON.readTree(endless).path("key").path("expiresAt").isNull())
                .isTrue();
    }

    @Test
    void theListIsInOrderInPartsAndOfOneRole() throws Exception {
        created("b", "VIEWER");
        created("a", "ADMIN");
        created("c", "VIEWER");

        JsonNode first = read(ALL + "?limit=2");
        assertThat(first.path("items").findValuesAsString("name")).containsExactly("a", "b");
        assertThat(names("?after=" + first.path("next").asString())).containsExactly("c");
        assertThat(names("?sort=-name&role=viewer")).containsExactly("c", "b");
        problem(get(ALL + "?role=BOSS"), 400);
    }

    private List<String> names(String query) throws Exception {
        return read(ALL + query).path("items").findValuesAsString("name");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"expiresAt\": \"\"}",
                "{\"name\": \"a b\", \"role\": \"ROOT\", \"expiresAt\": \"2020-01-01T00:00:00Z\"}",
                "{\"name\": \"-a\", \"role\": \"admin\", \"expiresAt\": \"2999-01-01T00:00:00Z\"}",
                "{\"name\": \"a/b\", \"role\": null, \"expiresAt\": \"90d\"}"
            })
    void wrongValuesAreNamed(String body) throws Exception {
        assertThat(problem(post(body), 400).path("errors").findValuesAsString("field"))
                .containsExactly("name", "role", "expiresAt");
        assertThat(server.auditLog().entries()).isEmpty();
    }

    @Test
    void aKeyHasNoVersion() throws Exception {
        created("ci", "VIEWER");

        problem(delete("ci", "If-Match", "*"), 400);
        assertThat(server.keys().find("ci")).isNotNull();
    }

    @Test
    void nothingChangesWhileTheStoreIsAway() throws Exception {
        server.keys().setDown(true);

        problem(post("{\"name\": \"ci\", \"role\": \"VIEWER\"}"), 503);
        problem(get(ALL), 503);
        problem(delete("ci"), 503);
        problem(client.send(client.requestWithKey("/api/v1/node", "heddle_ci." + "A".repeat(43))), 503);
        problem(client.send(client.requestWithKey("/api/v1/node", "nonsense")), 401);

        server.keys().setDown(false);
        assertThat(names("")).isEmpty();
    }
}
