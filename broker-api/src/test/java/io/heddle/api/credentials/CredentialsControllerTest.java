package io.heddle.api.credentials;

import static io.heddle.api.testkit.ApiClient.problem;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.testkit.ApiFixture;
import io.heddle.core.authentication.StoredCredentials;
import io.heddle.core.authentication.fairness.SignInSource;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.testkit.PlainPasswordHash;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

final class CredentialsControllerTest extends ApiFixture {
    private static final String ALL = "/api/v1/credentials";

    /** Creates credentials and returns their path. */
    private String create(String names) throws Exception {
        HttpResponse<String> created = send("POST", ALL, "{%s, \"password\": \"pw\"}".formatted(names));
        assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
        return created.headers().firstValue("Location").orElseThrow();
    }

    private StoredCredentials stored(String clientId) {
        return Objects.requireNonNull(server.credentials().find(new ClientId(clientId), null));
    }

    private static boolean accepts(StoredCredentials stored, String password) {
        return new PlainPasswordHash()
                .matches(BinaryData.wrap(password.getBytes(UTF_8)), stored.passwordHash(), SignInSource.of("", ""));
    }

    @Test
    void newCredentialsAreStoredWithTheHashOfThePassword() throws Exception {
        String path = create("\"clientId\": \"a/b\", \"type\": \"APPLICATION\"");

        HttpResponse<String> read = get(path);
        JsonNode credentials = JSON.readTree(read.body());
        assertThat(credentials.propertyNames())
                .containsExactly("id", "clientId", "userName", "type", "groups", "proof", "certificate");
        assertThat(credentials.path("clientId").asString()).isEqualTo("a/b");
        assertThat(credentials.path("userName").isNull()).isTrue();
        assertThat(credentials.path("type").asString()).isEqualTo("APPLICATION");
        assertThat(accepts(stored("a/b"), "pw")).isTrue();
        problem(send("POST", ALL, "{\"clientId\": \"a/b\", \"password\": \"other\"}"), 409);
        assertThat(accepts(stored("a/b"), "pw")).isTrue();
    }

    @Test
    void aPasswordIsStoredAsAVerifierForScramAndKeepsItsForm() throws Exception {
        String path = create("\"clientId\": \"pump\", \"scram\": \"SHA-512\"");
        assertThat(stored("pump").passwordHash()).startsWith("SCRAM-SHA-512$");

        assertThat(send("PUT", path + "/password", "{\"password\": \"new\"}").statusCode())
                .isEqualTo(204);
        assertThat(stored("pump").passwordHash()).startsWith("SCRAM-SHA-512$");
        assertThat(accepts(stored("pump"), "new")).isTrue();

        String names = "{\"clientId\": \"pump\", \"type\": \"DEVICE\", \"password\": \"newer\"";
        send("PUT", path, names + ", \"scram\": \"SHA-256\"}");
        assertThat(stored("pump").passwordHash()).startsWith("SCRAM-SHA-256$");
        send("PUT", path, names + "}");
        assertThat(stored("pump").passwordHash()).doesNotContain("SCRAM");
        assertThat(accepts(stored("pump"), "newer")).isTrue();
    }

    @Test
    void aVerifierForScramNeedsAHashFunctionAndAPassword() throws Exception {
        problem(send("POST", ALL, "{\"clientId\": \"a\", \"password\": \"x\", \"scram\": \"SHA-1\"}"), 400);
        String path = create("\"clientId\": \"pump\"");
        problem(send("PUT", path, "{\"clientId\": \"pump\", \"type\": \"DEVICE\", \"scram\": \"SHA-256\"}"), 400);
    }

    @Test
    void theListFollowsTheNames() throws Exception {
        create("\"userName\": \"bob\"");
        create("\"userName\": \"alice\", \"clientId\": \"pump-2\"");
        create("\"clientId\": \"pump-1\"");
        create("\"userName\": \"alice\"");

        List<String> names = new ArrayList<>();
        String after = "";
        while (after != null) {
            JsonNode page = read(ALL + "?limit=1&after=" + after);
            page.path("items")
                    .forEach(item -> names.add(item.path("userName").asString("-") + "/"
                            + item.path("clientId").asString("-")));
            after = page.path("next").isNull() ? null : page.path("next").asString();
        }

        assertThat(names).containsExactly("-/pump-1", "alice/-", "alice/pump-2", "bob/-");
        assertThat(read(ALL + "?userNamePrefix=al").path("items").size()).isEqualTo(2);
        assertThat(read(ALL + "?sort=clientId&clientIdPrefix=pump-")
                        .path("items")
                        .findValuesAsString("clientId"))
                .containsExactly("pump-1", "pump-2");
        problem(get(ALL + "?clientIdPrefix=pump"), 400);
    }

    @Test
    void theListHasOneTypeAndBothOrders() throws Exception {
        create("\"userName\": \"alice\"");
        create("\"userName\": \"billing\", \"clientId\": \"app-1\", \"type\": \"APPLICATION\"");
        create("\"userName\": \"stock\", \"clientId\": \"app-2\", \"type\": \"APPLICATION\"");

        assertThat(userNames("?type=APPLICATION")).containsExactly("billing", "stock");
        assertThat(userNames("?type=device")).containsExactly("alice");
        assertThat(userNames("?sort=-userName")).containsExactly("stock", "billing", "alice");
        assertThat(userNames("?sort=-clientId&clientIdPrefix=app-")).containsExactly("stock", "billing");
        problem(get(ALL + "?type=SENSOR"), 400);

        String filter = ALL + "?type=APPLICATION&limit=1&sort=-userName";
        String cursor = read(filter).path("next").asString();
        assertThat(read(filter + "&after=" + cursor).path("items").findValuesAsString("userName"))
                .containsExactly("billing");
        problem(get(ALL + "?sort=-userName&after=" + cursor), 400);
        problem(get(ALL + "?type=APPLICATION&after=" + cursor), 400);
    }

    private List<String> userNames(String query) throws Exception {
        return read(ALL + query).path("items").findValuesAsString("userName");
    }

    @Test
    void replacingKeepsThePasswordUnlessThereIsANewOne() throws Exception {
        String path = create("\"clientId\": \"pump-1\"");
        create("\"clientId\": \"pump-2\"");

        assertThat(send("PUT", path, "{\"clientId\": \"pump-3\", \"userName\": \"u\", \"type\": \"APPLICATION\"}")
                        .statusCode())
                .isEqualTo(200);
        StoredCredentials renamed = Objects.requireNonNull(server.credentials().find(new ClientId("pump-3"), "u"));
        assertThat(accepts(renamed, "pw")).isTrue();
        assertThat(path).endsWith(renamed.id().toString());

        problem(send("PUT", path, "{\"clientId\": \"pump-2\", \"type\": \"DEVICE\"}"), 409);
        assertThat(send("PUT", path, "{\"clientId\": \"pump-3\", \"type\": \"DEVICE\", \"password\": \"new\"}")
                        .statusCode())
                .isEqualTo(200);
        assertThat(accepts(stored("pump-3"), "new")).isTrue();
    }

    @Test
    void thePasswordCanBeChanged() throws Exception {
        String path = create("\"clientId\": \"pump-1\"");

        assertThat(send("PUT", path + "/password", "{\"password\": \"new\"}").statusCode())
                .isEqualTo(204);

        assertThat(accepts(stored("pump-1"), "new")).isTrue();
        problem(send("PUT", path + "/password", "{}"), 400);
    }

    @Test
    void removalIsIdempotentAndTheRestIsNotFound() throws Exception {
        String path = create("\"clientId\": \"pump-1\"");

        assertThat(send("DELETE", path, "").statusCode()).isEqualTo(204);
        assertThat(send("DELETE", path, "").statusCode()).isEqualTo(204);

        assertThat(server.credentials().isEmpty()).isTrue();
        problem(get(path), 404);
        problem(send("PUT", path, "{\"clientId\": \"x\", \"type\": \"DEVICE\"}"), 404);
        assertThat(problem(get(ALL + "/nonsense"), 400).path("errors").toString())
                .contains("Use an id as the list of credentials returns it.");
        problem(get(ALL + "/1-1-1-1-1"), 400);
    }

    @Test
    void aChangeOfAnotherVersionIsRefused() throws Exception {
        String path = create("\"clientId\": \"pump-1\"");
        String old = get(path).headers().firstValue("ETag").orElseThrow();
        send("PUT", path, "{\"clientId\": \"pump-2\", \"type\": \"DEVICE\"}", "If-Match", old);

        problem(send("PUT", path, "{\"clientId\": \"pump-3\", \"type\": \"DEVICE\"}", "If-Match", old), 412);
        problem(send("DELETE", path, "", "If-Match", old), 412);
        problem(send("PUT", path + "/password", "{\"password\": \"x\"}", "If-Match", old), 412);
    }

    @Test
    void anotherPasswordIsAnotherVersion() throws Exception {
        HttpResponse<String> created = send("POST", ALL, "{\"clientId\": \"pump-1\", \"password\": \"pw\"}");
        String path = created.headers().firstValue("Location").orElseThrow();
        String old = tag(created);
        assertThat(tag(get(path))).isEqualTo(old);

        assertThat(send("PUT", path + "/password", "{\"password\": \"new\"}", "If-Match", old)
                        .statusCode())
                .isEqualTo(204);

        assertThat(tag(get(path))).isNotEqualTo(old);
        assertThat(get(path).body()).isEqualTo(created.body());
        problem(send("PUT", path + "/password", "{\"password\": \"late\"}", "If-Match", old), 412);
        problem(send("PUT", path, "{\"clientId\": \"pump-1\", \"type\": \"DEVICE\"}", "If-Match", old), 412);
        problem(send("DELETE", path, "", "If-Match", old), 412);
        assertThat(accepts(stored("pump-1"), "new")).isTrue();
        HttpResponse<String> replaced =
                send("PUT", path, "{\"clientId\": \"pump-1\", \"type\": \"APPLICATION\"}", "If-Match", tag(get(path)));
        assertThat(tag(replaced)).isEqualTo(tag(get(path)));
    }

    private static String tag(HttpResponse<String> response) {
        return response.headers().firstValue("ETag").orElseThrow();
    }

    @Test
    void credentialsHaveAPasswordOrACertificate() throws Exception {
        String pin = "sha256:" + "ab".repeat(32);
        HttpResponse<String> created = send("POST", ALL, "{\"userName\": \"pump\", \"certificate\": \"" + pin + "\"}");
        String path = created.headers().firstValue("Location").orElseThrow();
        assertThat(JSON.readTree(created.body()).path("certificate").asString()).isEqualTo(pin);

        send("PUT", path, "{\"userName\": \"pump\", \"type\": \"APPLICATION\"}");
        assertThat(read(path).path("certificate").asString()).isEqualTo(pin);

        problem(send("PUT", path + "/password", "{\"password\": \"new\"}"), 409);
        assertThat(read(path).path("certificate").asString()).isEqualTo(pin);

        send("PUT", path, "{\"userName\": \"pump\", \"type\": \"DEVICE\", \"password\": \"new\"}");
        assertThat(read(path).path("certificate").isNull()).isTrue();

        send("PUT", path, "{\"userName\": \"pump\", \"type\": \"DEVICE\", \"certificate\": \"any\"}");
        assertThat(read(path).path("certificate").asString()).isEqualTo("any");

        send(
                "PUT",
                path,
                "{\"userName\": \"pump\", \"type\": \"DEVICE\", \"certificate\": \"issuer:cn=Plants, O=Example\"}");
        assertThat(read(path).path("certificate").asString()).isEqualTo("issuer:CN=Plants,O=Example");
    }

    @ParameterizedTest
    @CsvSource({
        "$argon2id$v=19$m=19456;t=2;p=1$c2FsdA$aGFzaA, ARGON2ID",
        "$2b$10$abcdefghijklmnopqrstuu, FOREIGN_HASH",
        "$7$101$c2FsdA==$aGFzaA==, FOREIGN_HASH",
        "SCRAM-SHA-256$4096:c2FsdA==$a:b, SCRAM_SHA_256",
        "SCRAM-SHA-512$4096:c2FsdA==$a:b, SCRAM_SHA_512",
        "$certificate$any, CERTIFICATE",
        "$certificate$later:form, CERTIFICATE"
    })
    void theKindOfProofIsShownAndNotTheProof(String stored, String proof) throws Exception {
        StoredCredentials credentials =
                new StoredCredentials(UUID.randomUUID(), null, "pump", ClientType.DEVICE, stored.replace(';', ','));
        server.credentials().put(credentials);

        JsonNode one = read(ALL + "/" + credentials.id());
        JsonNode all = read(ALL).path("items");

        assertThat(one.path("proof").asString()).isEqualTo(proof);
        assertThat(all.path(0)).isEqualTo(one);
        assertThat(one.toString()).doesNotContain("c2FsdA", "abcdefghijk");
    }

    @Test
    void credentialsThatKeepACertificateKeepTheUserNameThatItProves() throws Exception {
        HttpResponse<String> created = send("POST", ALL, "{\"userName\": \"pump\", \"certificate\": \"any\"}");
        String path = created.headers().firstValue("Location").orElseThrow();

        JsonNode refused = problem(send("PUT", path, "{\"clientId\": \"pump-1\", \"type\": \"DEVICE\"}"), 400);

        assertThat(refused.path("errors").get(0).path("field").asString()).isEqualTo("certificate");
        assertThat(read(path).path("userName").asString()).isEqualTo("pump");
        assertThat(send("PUT", path, "{\"clientId\": \"pump-1\", \"type\": \"DEVICE\", \"password\": \"pw\"}")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void groupsStayUnlessTheBodyHasOthers() throws Exception {
        String path = create("\"clientId\": \"pump-1\", \"groups\": [\"pumps\", \"all\", \"pumps\"]");
        assertThat(stored("pump-1").groups()).containsExactly("all", "pumps");

        send("PUT", path, "{\"clientId\": \"pump-1\", \"type\": \"APPLICATION\"}");
        send("PUT", path + "/password", "{\"password\": \"new\"}");
        assertThat(read(path).path("groups").valueStream().map(JsonNode::asString))
                .containsExactly("all", "pumps");

        send("PUT", path, "{\"clientId\": \"pump-1\", \"type\": \"DEVICE\", \"groups\": []}");
        assertThat(stored("pump-1").groups()).isEmpty();
        assertThat(accepts(stored("pump-1"), "new")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"password\": \"pw\"}",
                "{\"clientId\": \"\", \"password\": \"pw\"}",
                "{\"clientId\": \"a\", \"password\": \"\"}",
                "{\"clientId\": \"a\\u0000\", \"password\": \"pw\"}",
                "{\"clientId\": \"a\\ud800\", \"password\": \"pw\"}",
                "{\"clientId\": \"a\", \"type\": \"THING\", \"password\": \"pw\"}",
                "{\"clientId\": [], \"password\": \"pw\"}",
                "{\"clientId\": \"a\", \"groups\": [\"two words\"], \"password\": \"pw\"}",
                "{\"clientId\": \"a\", \"groups\": [null], \"password\": \"pw\"}",
                "{\"clientId\": \"a\", \"certificate\": \"sha256:12\"}",
                "{\"clientId\": \"a\", \"certificate\": \"any\"}",
                "{\"userName\": \"a\", \"certificate\": \"issuer:Plants\"}",
                "{\"userName\": \"a\", \"certificate\": \"any\", \"password\": \"pw\"}"
            })
    void wrongValuesAreRefused(String body) throws Exception {
        assertThat(problem(send("POST", ALL, body), 400).path("errors").size()).isEqualTo(1);
        assertThat(server.credentials().isEmpty()).isTrue();
    }

    @Test
    void aFileIsImportedWithAReportOfItsWrongLines() throws Exception {
        HttpResponse<String> response = client.send(client.request(ALL + "/import", "ada", "ruling")
                .header("Content-Type", "text/csv")
                .POST(BodyPublishers.ofString("clientId,password\npump-1,hunter3\n,hunter3\npump-2,hunter3\n")));

        assertThat(JSON.readTree(response.body())).isEqualTo(JSON.readTree("""
                {"stored": 2, "rejected": 1,
                 "problems": [{"line": 3, "lastLine": 3, "message": "It has neither a client id nor a user name."}]}"""));
        assertThat(accepts(stored("pump-2"), "hunter3")).isTrue();
        assertThat(server.auditLog().entries()).singleElement().satisfies(entry -> {
            assertThat(entry.attempt().action()).isEqualTo("IMPORT_CREDENTIALS");
            assertThat(entry.result().after()).isEqualTo("{\"stored\":2,\"rejected\":1}");
        });
        problem(
                client.send(client.request(ALL + "/import", "ada", "ruling")
                        .header("Content-Type", "text/csv")
                        .POST(BodyPublishers.ofString("pump-1,hunter3\n"))),
                400);
        assertThat(problem(send("POST", ALL + "/import", "[]"), 415)
                        .path("detail")
                        .asString())
                .contains("text/csv");
    }

    @ParameterizedTest
    @ValueSource(strings = {"utf-8", "\"UTF-8\"", "us-ascii", "iso-8859-1", "utf-16", "nonsense"})
    void aFileMustBeInUtf8(String charset) throws Exception {
        HttpResponse<String> response = client.send(client.request(ALL + "/import", "ada", "ruling")
                .header("Content-Type", "text/csv; charset=" + charset)
                .POST(BodyPublishers.ofString("userName,password\nann,x\n")));

        if (charset.contains("8859") || charset.contains("16") || charset.equals("nonsense")) {
            problem(response, 415);
            assertThat(server.credentials().isEmpty()).isTrue();
        } else {
            assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        }
    }

    @Test
    void theAuditLogHasNoPasswords() throws Exception {
        String path = create("\"clientId\": \"pump-1\"");
        send("PUT", path + "/password", "{\"password\": \"hunter3\"}");
        send("PUT", path, "{\"clientId\": \"pump-2\", \"type\": \"DEVICE\"}");
        send("DELETE", path, "");

        assertThat(server.auditLog().entries())
                .extracting(entry -> entry.attempt().action())
                .containsExactly(
                        "CREATE_CREDENTIALS",
                        "CHANGE_CREDENTIALS_PASSWORD",
                        "CHANGE_CREDENTIALS",
                        "REMOVE_CREDENTIALS");
        assertThat(server.auditLog().entries().toString())
                .contains("pump-1", "pump-2")
                .doesNotContain("hunter3", "\"pw\"", "hash");
    }
}
