package io.heddle.api.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.testkit.ApiClient;
import io.heddle.api.testkit.ApiServer;
import io.heddle.core.administration.AdminRole;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class NodeControllerTest {
    @Test
    void theStatusIsReturnedAsJson() throws Exception {
        try (ApiServer server = new ApiServer();
                ApiClient client = server.client()) {
            server.administrators().put("vera", "looking", AdminRole.VIEWER, server.passwordHash());

            HttpResponse<String> response = client.get("/api/v1/node", "vera", "looking");

            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
            JsonMapper json = JsonMapper.shared();
            assertThat(json.readTree(response.body())).isEqualTo(json.readTree("""
                    {"nodeId": "a", "version": "1.2.3", "state": "READY", "role": "SERVING", "startedAt": "2026-11-01T10:00:00Z", "uptime": 90,
                     "listeners": ["mqtt://127.0.0.1:1883"], "connectedClients": 3, "subscriptions": 7}
                    """));
            assertThat(json.readTree(
                            client.get("/api/v1/nodes", "vera", "looking").body()))
                    .isEqualTo(json.readTree("""
                    {"items": [
                      {"nodeId": "a", "incarnation": "9-00000001", "address": "", "role": "TAKING_OVER",
                       "buckets": 0, "connections": null, "version": null, "cpuUsage": null, "recordsBehind": 2,
                       "self": true, "linkAddress": "10.0.0.6:7883", "linkUp": null, "checksums": null},
                      {"nodeId": "b", "incarnation": "7-8badf00d", "address": "10.0.0.5", "role": "SERVING",
                       "buckets": 16, "connections": 250, "version": "1.2.2", "cpuUsage": 0.25, "recordsBehind": 0,
                       "self": false, "linkAddress": "10.0.0.5:7883", "linkUp": true, "checksums": null}],
                     "next": null}
                    """));
            assertThat(json.readTree(
                            client.get("/api/v1/cluster", "vera", "looking").body()))
                    .isEqualTo(json.readTree("""
                    {"steady": false, "servingNodes": 2, "obstacles": ["b is joining"]}
                    """));
            assertThat(client.get("/test/thread", "vera", "looking").body()).isEqualTo("true");
        }
    }

    @Test
    void theAnsweringNodeReturnsItsChecksumsOnRequest() throws Exception {
        try (ApiServer server = new ApiServer();
                ApiClient client = server.client()) {
            server.administrators().put("vera", "looking", AdminRole.VIEWER, server.passwordHash());

            HttpResponse<String> response = client.get("/api/v1/nodes?checksums=true", "vera", "looking");

            JsonMapper json = JsonMapper.shared();
            assertThat(json.readTree(response.body()).findValues("checksums"))
                    .containsExactlyInAnyOrder(json.nullNode(), json.readTree("""
                            {"sessions": "0000000000000001", "subscriptions": "ffffffffffffffff",
                             "retained": "0123456789abcdef"}
                            """));
        }
    }

    @Test
    void theNodesArePagedSortedAndFiltered() throws Exception {
        try (ApiServer server = new ApiServer();
                ApiClient client = server.client()) {
            server.administrators().put("vera", "looking", AdminRole.VIEWER, server.passwordHash());

            JsonNode first = nodes(client, "?limit=1");
            JsonNode last = nodes(client, "?limit=1&after=" + first.path("next").asString());
            assertThat(ids(first)).containsExactly("a");
            assertThat(ids(last)).containsExactly("b");
            assertThat(last.path("next").isNull()).isTrue();
            JsonNode descending = nodes(client, "?limit=1&sort=-nodeId");
            assertThat(ids(descending)).containsExactly("b");
            assertThat(ids(nodes(
                            client,
                            "?sort=-nodeId&after=" + descending.path("next").asString())))
                    .containsExactly("a");
            assertThat(ids(nodes(client, "?role=SERVING"))).containsExactly("b");
            assertThat(client.get("/api/v1/nodes?role=BOSS", "vera", "looking").statusCode())
                    .isEqualTo(400);
            assertThat(client.get("/api/v1/nodes?checksums=perhaps", "vera", "looking")
                            .statusCode())
                    .isEqualTo(400);
        }
    }

    private static JsonNode nodes(ApiClient client, String query) throws Exception {
        return JsonMapper.shared()
                .readTree(client.get("/api/v1/nodes" + query, "vera", "looking").body());
    }

    private static List<String> ids(JsonNode page) {
        return page.path("items").findValuesAsString("nodeId");
    }

    @Test
    void onlyAnAdministratorDrainsTheNode() throws Exception {
        try (ApiServer server = new ApiServer();
                ApiClient client = server.client()) {
            server.administrators().put("vera", "looking", AdminRole.VIEWER, server.passwordHash());
            server.administrators().put("ada", "ruling", AdminRole.ADMIN, server.passwordHash());

            assertThat(drain(client, "vera", "looking").statusCode()).isEqualTo(403);
            assertThat(server.drains()).isZero();
            HttpResponse<String> response = drain(client, "ada", "ruling");

            assertThat(response.statusCode()).isEqualTo(202);
            assertThat(response.body()).isEmpty();
            assertThat(server.drains()).isEqualTo(1);
        }
    }

    @Test
    void onlyAnAdministratorRebalancesTheConnectionsAndLearnsWhatIsDone() throws Exception {
        try (ApiServer server = new ApiServer();
                ApiClient client = server.client()) {
            server.administrators().put("vera", "looking", AdminRole.VIEWER, server.passwordHash());
            server.administrators().put("ada", "ruling", AdminRole.ADMIN, server.passwordHash());

            assertThat(post(client, "/api/v1/cluster/rebalance", "vera", "looking")
                            .statusCode())
                    .isEqualTo(403);
            assertThat(server.rebalances()).isZero();
            HttpResponse<String> response = post(client, "/api/v1/cluster/rebalance", "ada", "ruling");

            assertThat(response.statusCode()).isEqualTo(202);
            JsonMapper json = JsonMapper.shared();
            assertThat(json.readTree(response.body())).isEqualTo(json.readTree("""
                    {"nodes": [{"nodeId": "a", "connections": 250, "surplus": 90}], "unknown": ["b"]}
                    """));
            assertThat(server.rebalances()).isEqualTo(1);
        }
    }

    @Test
    void onlyAnAdministratorReloadsTheCertificatesAndLearnsWhichAreUsed() throws Exception {
        try (ApiServer server = new ApiServer();
                ApiClient client = server.client()) {
            server.administrators().put("vera", "looking", AdminRole.VIEWER, server.passwordHash());
            server.administrators().put("ada", "ruling", AdminRole.ADMIN, server.passwordHash());
            String path = "/api/v1/node/certificates/reload";

            assertThat(post(client, path, "vera", "looking").statusCode()).isEqualTo(403);
            assertThat(server.reloads()).isZero();
            HttpResponse<String> response = post(client, path, "ada", "ruling");

            assertThat(response.statusCode()).isEqualTo(200);
            JsonMapper json = JsonMapper.shared();
            assertThat(json.readTree(response.body())).isEqualTo(json.readTree("""
                    {"items": [{"listener": "mqtts", "subject": "CN=a", "names": ["a.example.org"],
                                "expires": "2027-01-31T00:00:00Z"}]}
                    """));
            assertThat(server.reloads()).isEqualTo(1);

            server.failReloads("heddle.mqtt.tls.key is /a, which does not exist: create it");
            HttpResponse<String> refusal = post(client, path, "ada", "ruling");
            assertThat(refusal.statusCode()).isEqualTo(409);
            assertThat(json.readTree(refusal.body()).path("detail").asString())
                    .isEqualTo("heddle.mqtt.tls.key is /a, which does not exist: create it");
        }
    }

    private static HttpResponse<String> drain(ApiClient client, String userName, String password) throws Exception {
        return post(client, "/api/v1/node/drain", userName, password);
    }

    private static HttpResponse<String> post(ApiClient client, String path, String userName, String password)
            throws Exception {
        return client.send(client.request(path, userName, password)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.noBody()));
    }

    @Test
    void anyMemberIsDrainedByItsId() throws Exception {
        try (ApiServer server = new ApiServer();
                ApiClient client = server.client()) {
            server.administrators().put("ada", "changing", AdminRole.ADMIN, server.passwordHash());
            HttpRequest.Builder drain = client.request("/api/v1/nodes/drain?nodeId=b", "ada", "changing")
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.noBody());

            assertThat(client.send(drain).statusCode()).isEqualTo(202);
            assertThat(server.drains()).isOne();
            ApiClient.problem(
                    client.send(client.request("/api/v1/nodes/drain?nodeId=c", "ada", "changing")
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.noBody())),
                    404);
            assertThat(server.drains()).isOne();
        }
    }
}
