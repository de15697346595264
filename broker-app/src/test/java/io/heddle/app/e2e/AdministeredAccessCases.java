package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.netty.handler.codec.mqtt.MqttVersion;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Credentials, administrators, API keys, audit log and settings of three brokers: what is changed through one of them holds on all. */
@Timeout(value = 6, unit = TimeUnit.MINUTES)
abstract class AdministeredAccessCases {
    private static final int CREATED = 201;
    private static final int NO_CONTENT = 204;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final int NOT_AUTHORIZED = 0x87;
    private static final int ADMINISTRATIVE_ACTION = 0x98;
    private static final String PASSWORD = "correct horse battery";
    private static final String OTHER_PASSWORD = "staple correct horse";

    /** A second, and some more for a busy machine. */
    private static final Duration DISCONNECTED_WITHIN = Duration.ofSeconds(4);

    private final AdministeredNodes nodes;

    AdministeredAccessCases(AdministeredNodes nodes) {
        this.nodes = nodes;
    }

    private static JsonNode json(HttpResponse<String> response, int status) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        return JsonMapper.shared().readTree(response.body());
    }

    private static void assertStatus(HttpResponse<String> response, int status) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    }

    private RawClient signIn(int node, String userName, String password) {
        return new RawConnect(MqttVersion.MQTT_5, userName + "-at-" + node)
                .user(userName, password)
                .open(nodes.port(node));
    }

    private void assertRefused(int node, String userName, String password) {
        assertThatThrownBy(() -> signIn(node, userName, password))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("refused: ");
    }

    @Test
    void credentialsChangedThroughOneNodeDecideOnAll() throws Exception {
        assertRefused(1, "gateway", PASSWORD);
        JsonNode created =
                json(nodes.send(0, "POST", "/api/v1/credentials", credentials("gateway", PASSWORD)), CREATED);
        String path = "/api/v1/credentials/" + created.path("id").asString();
        assertStatus(nodes.send(1, "POST", "/api/v1/credentials", credentials("gateway", PASSWORD)), CONFLICT);
        assertThat(nodes.get(2, "/api/v1/credentials?userNamePrefix=gate").path("items"))
                .containsExactly(created);

        List<RawClient> clients = signInToAll("gateway", PASSWORD);
        assertStatus(
                nodes.send(2, "PUT", path + "/password", "{\"password\": \"" + OTHER_PASSWORD + "\"}"), NO_CONTENT);
        assertDisconnected(clients);
        assertRefused(0, "gateway", PASSWORD);

        clients = signInToAll("gateway", OTHER_PASSWORD);
        assertStatus(nodes.send(1, "DELETE", path, ""), NO_CONTENT);
        assertDisconnected(clients);
        for (int node = 0; node < AdministeredNodes.COUNT; node++) {
            assertStatus(nodes.send(node, "GET", path, ""), NOT_FOUND);
            assertRefused(node, "gateway", OTHER_PASSWORD);
        }
    }

    private static String credentials(String userName, String password) {
        return "{\"userName\": \"" + userName + "\", \"type\": \"DEVICE\", \"password\": \"" + password + "\"}";
    }

    private List<RawClient> signInToAll(String userName, String password) {
        List<RawClient> clients = new ArrayList<>();
        for (int node = 0; node < AdministeredNodes.COUNT; node++) {
            clients.add(signIn(node, userName, password));
        }
        return clients;
    }

    private static void assertDisconnected(List<RawClient> clients) {
        assertDisconnected(clients, NOT_AUTHORIZED);
    }

    private static void assertDisconnected(List<RawClient> clients, int reason) {
        long changed = System.nanoTime();
        assertThat(clients)
                .allSatisfy(client -> assertThat(client.closedBecause()).isEqualTo(reason));
        assertThat(Duration.ofNanos(System.nanoTime() - changed)).isLessThan(DISCONNECTED_WITHIN);
    }

    @Test
    void aUserBlockedThroughOneNodeIsDisconnectedFromAllUntilItIsLiftedThroughAnother() throws Exception {
        json(nodes.send(0, "POST", "/api/v1/credentials", credentials("blocked", PASSWORD)), CREATED);
        List<RawClient> clients = signInToAll("blocked", PASSWORD);
        JsonNode entry = json(
                nodes.send(
                        1,
                        "POST",
                        "/api/v1/blocked-clients",
                        "{\"kind\": \"USER_NAME\", \"value\": \"blocked\", \"reason\": \"a test\"}"),
                CREATED);

        assertDisconnected(clients, ADMINISTRATIVE_ACTION);
        for (int node = 0; node < AdministeredNodes.COUNT; node++) {
            assertRefused(node, "blocked", PASSWORD);
            assertThat(nodes.get(node, "/api/v1/blocked-clients").path("items")).containsExactly(entry);
        }

        String path = "/api/v1/blocked-clients/" + entry.path("id").asString();
        assertStatus(nodes.send(2, "DELETE", path, ""), NO_CONTENT);
        await().atMost(DISCONNECTED_WITHIN)
                .untilAsserted(() -> signInToAll("blocked", PASSWORD).forEach(RawClient::leave));
    }

    @Test
    void aBrowserThatSignsInToOneNodeHasItsSessionAtAllUntilThePasswordChanges() throws Exception {
        String grace = "{\"userName\": \"grace\", \"password\": \"" + PASSWORD + "\", \"role\": \"VIEWER\"}";
        assertStatus(nodes.send(0, "POST", "/api/v1/administrators", grace), CREATED);
        try (HttpClient browser = HttpClient.newHttpClient()) {
            HttpResponse<String> signedIn = browser.send(
                    page(1, "/sign-in")
                            .header("Content-Type", "application/x-www-form-urlencoded")
                            .POST(HttpRequest.BodyPublishers.ofString(
                                    "userName=grace&password=" + PASSWORD.replace(' ', '+') + "&next=/settings"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertStatus(signedIn, 303);
            assertThat(signedIn.headers().firstValue("Location")).hasValue("/settings");
            String cookie =
                    signedIn.headers().firstValue("Set-Cookie").orElseThrow().split(";", -1)[0];
            for (int node = 0; node < AdministeredNodes.COUNT; node++) {
                assertStatus(read(browser, node, cookie), 200);
            }

            String path = "/api/v1/administrator?userName=grace";
            nodes.ok(2, "PATCH", path, "{\"password\": \"" + OTHER_PASSWORD + "\"}");

            for (int node = 0; node < AdministeredNodes.COUNT; node++) {
                assertStatus(read(browser, node, cookie), UNAUTHORIZED);
            }
            assertStatus(nodes.send(0, "DELETE", path, ""), NO_CONTENT);
        }
    }

    private HttpRequest.Builder page(int node, String path) {
        return HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + nodes.node(node).httpPort() + path));
    }

    private HttpResponse<String> read(HttpClient browser, int node, String cookie) throws Exception {
        return browser.send(
                page(node, "/api/v1/account").header("Cookie", cookie).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void administratorsChangedThroughOneNodeSignInToAll() throws Exception {
        String path = "/api/v1/administrator?userName=ada";
        assertStatus(
                nodes.send(
                        1,
                        "POST",
                        "/api/v1/administrators",
                        "{\"userName\": \"ada\", \"password\": \"" + PASSWORD + "\", \"role\": \"VIEWER\"}"),
                CREATED);
        try (RestClient ada = new RestClient("ada", PASSWORD);
                RestClient changed = new RestClient("ada", OTHER_PASSWORD)) {
            for (int node = 0; node < AdministeredNodes.COUNT; node++) {
                assertThat(nodes.get(node, "/api/v1/administrators").path("items"))
                        .extracting(each -> each.path("userName").asString())
                        .containsExactly("ada", "admin");
                assertThat(ada.get(nodes.node(node), "/api/v1/node")
                                .path("nodeId")
                                .asString())
                        .isEqualTo(AdministeredNodes.id(node));
                assertStatus(drop(ada, node), FORBIDDEN);
            }

            nodes.ok(2, "PATCH", path, "{\"password\": \"" + OTHER_PASSWORD + "\", \"role\": \"ADMIN\"}");

            for (int node = 0; node < AdministeredNodes.COUNT; node++) {
                assertStatus(drop(ada, node), UNAUTHORIZED);
                assertStatus(drop(changed, node), NO_CONTENT);
            }
            assertStatus(nodes.send(0, "DELETE", path, ""), NO_CONTENT);
            for (int node = 0; node < AdministeredNodes.COUNT; node++) {
                assertStatus(drop(changed, node), UNAUTHORIZED);
            }
        }
    }

    @Test
    void apiKeysCreatedThroughOneNodeAreValidAtAllUntilTheyAreRemovedThroughAnother() throws Exception {
        JsonNode created = createKey(0, "ci", "ADMIN", "none");
        JsonNode shown = created.path("key");
        try (RestClient tool = RestClient.withKey(created.path("token").asString());
                RestClient guesser = RestClient.withKey("heddle_ci." + "A".repeat(43))) {
            for (int node = 0; node < AdministeredNodes.COUNT; node++) {
                assertThat(nodes.get(node, "/api/v1/api-keys?role=ADMIN").path("items"))
                        .containsExactly(shown);
                assertStatus(drop(tool, node), NO_CONTENT);
                assertStatus(tool.send(nodes.node(node), "DELETE", "/api/v1/api-keys/ci", ""), FORBIDDEN);
                assertStatus(drop(guesser, node), UNAUTHORIZED);
                JsonNode entry = nodes.get(node, "/api/v1/audit?administrator=key:ci")
                        .path("items")
                        .path(0);
                assertThat(entry.path("action").asString()).isEqualTo("DISCONNECT_CLIENT");
            }

            assertStatus(nodes.send(2, "DELETE", "/api/v1/api-keys/ci", ""), NO_CONTENT);
            for (int node = 0; node < AdministeredNodes.COUNT; node++) {
                assertStatus(drop(tool, node), UNAUTHORIZED);
            }
        }
    }

    private JsonNode createKey(int node, String name, String role, String expiresAt) throws Exception {
        String body = "{\"name\": \"%s\", \"role\": \"%s\", \"expiresAt\": \"%s\"}".formatted(name, role, expiresAt);
        return json(nodes.send(node, "POST", "/api/v1/api-keys", body), CREATED);
    }

    /** A change that changes nothing. */
    private HttpResponse<String> drop(RestClient administrator, int node) throws IOException, InterruptedException {
        return administrator.send(
                nodes.node(node), "DELETE", "/api/v1/client/connection?clientId=absent&reasonCode=152", "");
    }

    @Test
    void theAuditLogOfEachNodeHasTheChangesOfAll() throws Exception {
        for (int node = 0; node < AdministeredNodes.COUNT; node++) {
            String body = credentials("audited-" + node, PASSWORD);
            JsonNode created = json(nodes.send(node, "POST", "/api/v1/credentials", body), CREATED);
            String target = "credentials/" + created.path("id").asString();
            assertStatus(nodes.send(node, "DELETE", "/api/v1/" + target, ""), NO_CONTENT);
            for (int other = 0; other < AdministeredNodes.COUNT; other++) {
                JsonNode page = nodes.get(other, "/api/v1/audit?target=" + target);
                assertThat(page.toString()).doesNotContain(PASSWORD, "argon2");
                JsonNode removal = page.path("items").path(0);
                assertThat(removal.path("action").asString()).isEqualTo("REMOVE_CREDENTIALS");
                assertThat(removal.path("before").asString()).contains("\"audited-" + node + "\"");
                assertThat(removal.path("after").isNull()).isTrue();
                JsonNode creation = page.path("items").path(1);
                assertThat(creation.path("action").asString()).isEqualTo("CREATE_CREDENTIALS");
                assertThat(creation.path("administrator").asString()).isEqualTo("admin");
                assertThat(creation.path("address").asString()).isEqualTo("127.0.0.1");
                assertThat(creation.path("before").isNull()).isTrue();
                assertThat(creation.path("after").asString()).contains("\"audited-" + node + "\"");
                assertThat(creation.path("outcome").asString()).isEqualTo("DONE");
                assertThat(page.path("items").size()).isEqualTo(2);
            }
        }
    }

    @Test
    void eachNodeShowsItsOwnSettingsWithoutPasswords() throws Exception {
        for (int node = 0; node < AdministeredNodes.COUNT; node++) {
            JsonNode page = nodes.get(node, "/api/v1/settings?limit=1000");
            assertThat(page.path("next").isNull()).isTrue();
            assertThat(page.path("items"))
                    .contains(setting("heddle.node.id", AdministeredNodes.id(node), "command line"))
                    .anyMatch(each -> each.path("key").asString().equals("heddle.session.maximum-sessions")
                            && each.path("origin").asString().isEmpty());
            assertThat(page.path("items"))
                    .filteredOn(each -> each.path("key").asString().equals("heddle.postgres.password"))
                    .singleElement()
                    .satisfies(each -> assertThat(each.path("value").asString())
                            .isNotEqualTo(nodes.endpoints().postgresPassword()));
        }
    }

    private static JsonNode setting(String key, String value, String origin) {
        return JsonMapper.shared()
                .createObjectNode()
                .put("key", key)
                .put("value", value)
                .put("origin", origin);
    }

    @Test
    void eachNodeKnowsTheCpuUsageOfAll() throws Exception {
        for (int node = 0; node < AdministeredNodes.COUNT; node++) {
            int asked = node;
            // A node without clients uses about one hundredth.
            await().untilAsserted(() -> assertThat(
                            nodes.get(asked, "/api/v1/nodes").path("items").findValues("cpuUsage"))
                    .hasSize(AdministeredNodes.COUNT)
                    .allSatisfy(usage -> assertThat(usage.asDouble()).isBetween(0.001, 1.0)));
        }
    }

    @Test
    void theNodesAreListedByEach() throws Exception {
        for (int node = 0; node < AdministeredNodes.COUNT; node++) {
            JsonNode members = nodes.get(node, "/api/v1/nodes").path("items");
            assertThat(members.findValuesAsString("nodeId"))
                    .containsExactly(AdministeredNodes.id(0), AdministeredNodes.id(1), AdministeredNodes.id(2));
            String version = nodes.get(node, "/api/v1/node").path("version").asString();
            assertThat(members.findValuesAsString("version")).containsExactly(version, version, version);
        }
    }
}
