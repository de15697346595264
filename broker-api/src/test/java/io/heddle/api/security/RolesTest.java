package io.heddle.api.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.testkit.ApiClient;
import io.heddle.api.testkit.ApiServer;
import io.heddle.core.administration.AdminRole;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
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

/** Each role sends each request of the interface. */
final class RolesTest {
    private static final String PASSWORD = "long enough words";
    private static final Set<String> ACCESS =
            Set.of("credentials", "rules", "administrators", "administrator", "publish");
    private static final Set<String> PAYLOADS = Set.of("get /api/v1/retained/message", "get /api/v1/queues/messages");

    private static ApiServer server;
    private static ApiClient client;
    // By "get /api/v1/…".
    private static final Map<String, AdminRole> documented = new TreeMap<>();

    @BeforeAll
    static void start() throws Exception {
        server = new ApiServer();
        client = server.client();
        for (AdminRole role : AdminRole.values()) {
            server.administrators().put(role.name(), PASSWORD, role, server.passwordHash());
        }
        JsonNode document = JsonMapper.shared()
                .readTree(client.get("/api/v1/openapi.json", "VIEWER", PASSWORD).body());
        document.path("paths")
                .forEachEntry((path, item) -> item.forEachEntry((method, operation) -> {
                    if (!method.equals("parameters")) {
                        JsonNode security =
                                operation.has("security") ? operation.path("security") : document.path("security");
                        documented.put(
                                method + " " + path,
                                AdminRole.valueOf(security.path(0)
                                        .path("administrator")
                                        .path(0)
                                        .asString("")));
                    }
                }));
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    /** The least role that may send a request. */
    private static AdminRole leastRole(String request) {
        String resource = request.split("/", -1)[3];
        if (request.equals("put /api/v1/account/password") || request.startsWith("post /api/v1/rules/")) {
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

    @ParameterizedTest
    @EnumSource
    void aRequestIsRefusedIfTheRoleIsLower(AdminRole role) throws Exception {
        for (Map.Entry<String, AdminRole> entry : documented.entrySet()) {
            String method = entry.getKey().split(" ", -1)[0].toUpperCase(Locale.ROOT);
            String path = entry.getKey()
                    .split(" ", -1)[1]
                    .replace("{id}", UUID.randomUUID().toString());
            boolean isAllowed = role.compareTo(entry.getValue()) <= 0;

            assertThat(status(role, method, path))
                    .as(role + " " + entry.getKey())
                    .satisfies(status -> {
                        assertThat(status).isNotEqualTo(401);
                        assertThat(status == 403).isEqualTo(!isAllowed);
                    });
            if (method.equals("GET")) {
                assertThat(status(role, "HEAD", path) == 403)
                        .as(role + " HEAD " + path)
                        .isEqualTo(!isAllowed);
            }
        }
    }

    private static int status(AdminRole role, String method, String path) throws Exception {
        HttpResponse<String> response = client.send(client.request(path, role.name(), PASSWORD)
                .header("Content-Type", path.endsWith("/import") ? "text/csv" : "application/json")
                .method(method, BodyPublishers.noBody()));
        return response.statusCode();
    }
}
