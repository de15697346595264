package io.heddle.api.security;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.testkit.ApiClient;
import io.heddle.api.testkit.ApiServer;
import io.heddle.core.administration.AdminRole;
import io.heddle.core.administration.ApiKey;
import io.heddle.core.administration.ApiKeyToken;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Administrators and API keys of each role send each request of the interface. */
final class RolesTest {
    private static final String PASSWORD = "long enough words";
    private static final Set<String> ACCESS = Set.of(
            "credentials", "rules", "administrators", "administrator", "api-keys", "publish", "lockouts", "traces");
    /** No key may send requests about these. */
    private static final Set<String> ACCOUNTS =
            Set.of("account", "administrator", "administrators", "api-keys", "lockouts");

    private static final Set<String> PAYLOADS = Set.of("get /api/v1/retained/message", "get /api/v1/queues/messages");

    private static ApiServer server;
    private static ApiClient client;
    // By "get /api/v1/…".
    private static final Map<String, AdminRole> documented = new TreeMap<>();
    private static final Map<String, AdminRole> documentedForKeys = new TreeMap<>();
    private static final Map<AdminRole, String> tokens = new EnumMap<>(AdminRole.class);

    @BeforeAll
    static void start() throws Exception {
        server = new ApiServer();
        client = server.client();
        for (AdminRole role : AdminRole.values()) {
            server.administrators().put(role.name(), PASSWORD, role, server.passwordHash());
            ApiKeyToken token = ApiKeyToken.draw(role.name(), new SecureRandom());
            server.keys().create(new ApiKey(role.name(), token.secretHash(), role, null, "ada", Instant.now()));
            tokens.put(role, token.text());
        }
        JsonNode document = JsonMapper.shared()
                .readTree(client.get("/api/v1/openapi.json", "VIEWER", PASSWORD).body());
        document.path("paths")
                .forEachEntry((path, item) -> item.forEachEntry((method, operation) -> {
                    if (!method.equals("parameters")) {
                        JsonNode security =
                                operation.has("security") ? operation.path("security") : document.path("security");
                        security.forEach(way -> {
                            put(documented, method + " " + path, way.path("administrator"));
                            put(documentedForKeys, method + " " + path, way.path("apiKey"));
                        });
                    }
                }));
    }

    private static void put(Map<String, AdminRole> target, String request, JsonNode roles) {
        if (roles.isArray()) {
            target.put(request, AdminRole.valueOf(roles.path(0).asString("")));
        }
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    private static String resource(String request) {
        return request.split("/", -1)[3];
    }

    /** The least role that may send a request. */
    private static AdminRole leastRole(String request) {
        String resource = resource(request);
        if (resource.equals("account") || request.startsWith("post /api/v1/rules/")) {
            return AdminRole.VIEWER;
        }
        if (request.startsWith("get ")) {
            return PAYLOADS.contains(request) ? AdminRole.OPERATOR : AdminRole.VIEWER;
        }
        return ACCESS.contains(resource) ? AdminRole.ADMIN : AdminRole.OPERATOR;
    }

    @Test
    void documentNamesTheLeastRole() {
        assertThat(documented).hasSizeGreaterThan(40);
        documented.forEach((request, role) -> assertThat(role).as(request).isEqualTo(leastRole(request)));
    }

    @Test
    void documentSaysThatKeysMaySendWhatIsNotAboutAccounts() {
        Map<String, AdminRole> expected = new TreeMap<>(documented);
        expected.keySet().removeIf(request -> ACCOUNTS.contains(resource(request)));
        assertThat(documentedForKeys).isEqualTo(expected);
        assertThat(documented.size() - documentedForKeys.size()).isEqualTo(15);
    }

    @ParameterizedTest
    @EnumSource
    void aRequestIsRefusedIfTheRoleIsLower(AdminRole role) throws Exception {
        assertRefusals(role, documented, ApiClient.basic(role.name(), PASSWORD));
    }

    @ParameterizedTest
    @EnumSource
    void aRequestWithAKeyIsRefusedIfItsRoleIsLowerOrTheRequestIsAboutAccounts(AdminRole role) throws Exception {
        assertRefusals(role, documentedForKeys, "Bearer " + requireNonNull(tokens.get(role)));
    }

    /** @param permitted the least roles that may send requests; nobody may send others */
    private static void assertRefusals(AdminRole role, Map<String, AdminRole> permitted, String authorization)
            throws Exception {
        for (String request : documented.keySet()) {
            String method = request.split(" ", -1)[0].toUpperCase(Locale.ROOT);
            String path = request.split(" ", -1)[1]
                    .replace("{id}", UUID.randomUUID().toString())
                    .replace("{name}", "absent");
            AdminRole least = permitted.get(request);
            boolean isAllowed = least != null && role.compareTo(least) <= 0;

            assertThat(status(authorization, method, path))
                    .as(role + " " + request)
                    .satisfies(status -> {
                        assertThat(status).isNotEqualTo(401);
                        assertThat(status == 403).isEqualTo(!isAllowed);
                    });
            if (method.equals("GET")) {
                assertThat(status(authorization, "HEAD", path) == 403)
                        .as(role + " HEAD " + path)
                        .isEqualTo(!isAllowed);
            }
        }
    }

    private static int status(String authorization, String method, String path) throws Exception {
        HttpResponse<String> response = client.send(client.request(path)
                .header("Authorization", authorization)
                .header("Content-Type", path.endsWith("/import") ? "text/csv" : "application/json")
                .method(method, BodyPublishers.noBody()));
        return response.statusCode();
    }
}
