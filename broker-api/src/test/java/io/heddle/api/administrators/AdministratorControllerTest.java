package io.heddle.api.administrators;

import static io.heddle.api.testkit.ApiClient.problem;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.testkit.ApiFixture;
import io.heddle.core.administration.AdminRole;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

final class AdministratorControllerTest extends ApiFixture {
    private static final String ALL = "/api/v1/administrators";
    private static final String ONE = "/api/v1/administrator?userName=";

    @BeforeEach
    void adaIsAlone() {
        server.administrators().remove("vera");
        server.administrators().remove("olga");
    }

    private HttpResponse<String> create(String userName, String role) throws Exception {
        return send("POST", ALL, """
                {"userName": "%s", "password": "long enough words", "role": "%s"}""".formatted(userName, role));
    }

    @Test
    void aNewAdministratorSignsInWithItsRole() throws Exception {
        HttpResponse<String> created = create("vera b/c", "VIEWER");

        assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
        String location = created.headers().firstValue("Location").orElseThrow();
        HttpResponse<String> read = client.get(location, "vera b/c", "long enough words");
        assertThat(read.body()).isEqualTo(created.body());
        assertThat(read.headers().firstValue("ETag"))
                .isEqualTo(created.headers().firstValue("ETag"));
        assertThat(JSON.readTree(read.body()).propertyNames()).containsExactly("id", "userName", "role");
        problem(
                client.send(client.request(ALL, "vera b/c", "long enough words")
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString("{}"))),
                403);
        problem(create("vera b/c", "ADMIN"), 409);
    }

    @Test
    void theListIsInOrderAndInParts() throws Exception {
        create("bob", "VIEWER");
        create("carl", "ADMIN");

        JsonNode first =
                JSON.readTree(client.get(ALL + "?limit=2", "ada", "ruling").body());
        assertThat(first.path("items").findValuesAsString("userName")).containsExactly("ada", "bob");
        JsonNode rest =
                JSON.readTree(client.get(ALL + "?after=" + first.path("next").asString(), "ada", "ruling")
                        .body());
        assertThat(rest.path("items").findValuesAsString("userName")).containsExactly("carl");
        assertThat(rest.path("next").isNull()).isTrue();
    }

    @Test
    void theListHasOneRoleAndBothOrders() throws Exception {
        create("bob", "VIEWER");
        create("carl", "VIEWER");

        assertThat(names("?role=VIEWER")).containsExactly("bob", "carl");
        assertThat(names("?role=admin")).containsExactly("ada");
        assertThat(names("?sort=-userName")).containsExactly("carl", "bob", "ada");
        String filter = "?role=VIEWER&sort=-userName&limit=1";
        String cursor = JSON.readTree(client.get(ALL + filter, "ada", "ruling").body())
                .path("next")
                .asString();
        assertThat(names(filter + "&after=" + cursor)).containsExactly("bob");
        problem(client.get(ALL + "?role=VIEWER&after=" + cursor, "ada", "ruling"), 400);
        problem(client.get(ALL + "?sort=-userName&after=" + cursor, "ada", "ruling"), 400);
        problem(client.get(ALL + "?role=BOSS", "ada", "ruling"), 400);
    }

    private List<String> names(String query) throws Exception {
        return JSON.readTree(client.get(ALL + query, "ada", "ruling").body())
                .path("items")
                .findValuesAsString("userName");
    }

    @Test
    void aChangedPasswordOrRoleTakesEffectAtOnce() throws Exception {
        create("bob", "ADMIN");
        assertThat(client.get(ALL, "bob", "long enough words").statusCode()).isEqualTo(200);

        assertThat(send("PATCH", ONE + "bob", "{\"password\": \"another one here\", \"role\": \"VIEWER\"}")
                        .statusCode())
                .isEqualTo(200);

        problem(client.get(ALL, "bob", "long enough words"), 401);
        HttpResponse<String> read = client.get(ONE + "bob", "bob", "another one here");
        assertThat(JSON.readTree(read.body()).path("role").asString()).isEqualTo("VIEWER");
    }

    @Test
    void aRemovedAdministratorIsSignedOutAtOnceAndRemovedOnce() throws Exception {
        create("bob", "ADMIN");
        assertThat(client.get(ALL, "bob", "long enough words").statusCode()).isEqualTo(200);

        assertThat(send("DELETE", ONE + "bob", "").statusCode()).isEqualTo(204);
        assertThat(send("DELETE", ONE + "bob", "").statusCode()).isEqualTo(204);

        problem(client.get(ALL, "bob", "long enough words"), 401);
        problem(client.get(ONE + "bob", "ada", "ruling"), 404);
        problem(send("PATCH", ONE + "bob", "{\"role\": \"ADMIN\"}"), 404);
    }

    @Test
    void theLastAdminStays() throws Exception {
        create("vera", "VIEWER");

        problem(send("DELETE", ONE + "ada", ""), 409);
        problem(send("PATCH", ONE + "ada", "{\"role\": \"VIEWER\"}"), 409);

        assertThat(client.get(ONE + "ada", "ada", "ruling").statusCode()).isEqualTo(200);
    }

    @Test
    void aChangeOfAnotherVersionIsRefused() throws Exception {
        create("bob", "ADMIN");
        String old = client.get(ONE + "bob", "ada", "ruling")
                .headers()
                .firstValue("ETag")
                .orElseThrow();
        send("PATCH", ONE + "bob", "{\"role\": \"VIEWER\"}", "If-Match", old);

        problem(send("PATCH", ONE + "bob", "{\"role\": \"ADMIN\"}", "If-Match", old), 412);
        problem(send("DELETE", ONE + "bob", "", "If-Match", old), 412);
        assertThat(send("DELETE", ONE + "bob", "", "If-Match", "*").statusCode())
                .isEqualTo(204);
    }

    @Test
    void everyRoleSeesItsAccountAndChangesItsOwnPassword() throws Exception {
        for (AdminRole role : AdminRole.values()) {
            String name = "own " + role;
            create(name, role.name());

            HttpResponse<String> account = client.get("/api/v1/account", name, "long enough words");
            assertThat(account.body())
                    .isEqualTo(
                            client.get(ONE + "own%20" + role, "ada", "ruling").body());
            assertThat(changeOwn(name, "long enough words", "another one here").statusCode())
                    .isEqualTo(204);

            problem(client.get("/api/v1/account", name, "long enough words"), 401);
            assertThat(client.get("/api/v1/account", name, "another one here").statusCode())
                    .isEqualTo(200);
            problem(changeOwn(name, "another one here", "too short"), 400);
        }
        assertThat(server.auditLog().entries().getLast().attempt().target()).isEqualTo("administrators/own VIEWER");
    }

    private HttpResponse<String> changeOwn(String userName, String before, String after) throws Exception {
        return client.send(client.request("/api/v1/account/password", userName, before)
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString("{\"password\": \"" + after + "\"}")));
    }

    @Test
    void anotherPasswordIsAnotherVersion() throws Exception {
        String old = create("bob", "ADMIN").headers().firstValue("ETag").orElseThrow();

        HttpResponse<String> changed =
                send("PATCH", ONE + "bob", "{\"password\": \"another one here\"}", "If-Match", old);

        assertThat(changed.statusCode()).as(changed.body()).isEqualTo(200);
        assertThat(changed.headers().firstValue("ETag"))
                .isEqualTo(client.get(ONE + "bob", "ada", "ruling").headers().firstValue("ETag"))
                .isNotEqualTo(old);
        problem(send("PATCH", ONE + "bob", "{\"password\": \"the late one\"}", "If-Match", old), 412);
        problem(send("DELETE", ONE + "bob", "", "If-Match", old), 412);
        assertThat(client.get(ALL, "bob", "another one here").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"userName\": \"\", \"password\": \"hunter2\", \"role\": \"ROOT\"}",
                "{\"userName\": \" a\", \"password\": \"            \", \"role\": \"ROOT\"}",
                "{\"userName\": \"a\\u200bb\", \"password\": \"hunter2\", \"role\": \"ROOT\"}",
                "{\"userName\": \"a:b\", \"password\": \"hunter2\", \"role\": \"admin\"}",
                "{\"userName\": \"a\\u0000b\", \"password\": \"hunter2\", \"role\": null}"
            })
    void wrongValuesAreNamedAndNotQuoted(String body) throws Exception {
        HttpResponse<String> response = send("POST", ALL, body);

        assertThat(problem(response, 400).path("errors").findValuesAsString("field"))
                .containsExactlyInAnyOrderElementsOf(List.of("userName", "password", "role"));
        assertThat(server.auditLog().entries()).isEmpty();
    }

    @Test
    void theAuditLogHasNoPasswords() throws Exception {
        create("bob", "ADMIN");
        send("PATCH", ONE + "bob", "{\"password\": \"another one here\"}");
        send("DELETE", ONE + "bob", "");

        assertThat(server.auditLog().entries())
                .extracting(entry -> entry.attempt().action())
                .containsExactly("CREATE_ADMINISTRATOR", "CHANGE_ADMINISTRATOR_PASSWORD", "REMOVE_ADMINISTRATOR");
        assertThat(server.auditLog().entries().toString())
                .contains("administrators/bob")
                .doesNotContain("long enough words", "another one here", "hash");
    }
}
