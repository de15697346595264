package io.heddle.api.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.testkit.ApiClient;
import io.heddle.api.testkit.ApiFixture;
import io.heddle.core.client.ClientType;
import io.heddle.core.operator.client.ClientFilter;
import io.heddle.core.operator.client.ClientQuery;
import io.heddle.core.operator.client.ClientState;
import java.net.http.HttpResponse;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

final class ClientControllerTest extends ApiFixture {
    private HttpResponse<String> delete(String path) throws Exception {
        return send("DELETE", path, "");
    }

    @Test
    void clientsAreListedInPages() throws Exception {
        server.clients().loseNode();

        JsonNode page = read("/api/v1/clients?limit=2&sort=-clientId");

        assertThat(page.path("items")).isEqualTo(JSON.readTree("""
                [{"clientId": "sensor/1", "type": "DEVICE", "userName": "ada", "state": "CONNECTED", "node": "b",
                  "listener": "mqtt", "address": "192.0.2.7:50123", "protocolVersion": "3.1.1", "keepAliveSeconds": 60,
                  "expirySeconds": 0, "cleanStart": true, "connectedAt": "2026-11-01T10:00:00Z", "awaySince": null},
                 {"clientId": "tablet", "type": "APPLICATION", "userName": null, "state": "AWAY", "node": null,
                  "listener": null, "address": null, "protocolVersion": null, "keepAliveSeconds": null,
                  "expirySeconds": 3600, "cleanStart": null, "connectedAt": null, "awaySince": "2026-11-01T10:00:00Z"}]
                """));
        assertThat(page.path("missingNodes")).isEqualTo(JSON.readTree("[\"c\"]"));
        read("/api/v1/clients?limit=2&sort=-clientId&after=" + page.path("next").asString());
        assertThat(server.clients().query()).isEqualTo(new ClientQuery(ClientFilter.ALL, "tablet", true, 2));
    }

    @Test
    void allFiltersAreUnderstood() throws Exception {
        read(
                "/api/v1/clients?clientIdPrefix=sensor%2F&clientId=*1&userName=ada&address=10.0.0.0/8&node=b&state=connected"
                        + "&type=DEVICE&connectedAfter=2026-11-01T10:00:00Z&connectedBefore=2026-11-01T10:00:01Z"
                        + "&awayBefore=2026-11-01T10:00:02Z");

        ClientFilter filter = Objects.requireNonNull(server.clients().query()).filter();
        assertThat(filter.prefix()).isEqualTo("sensor/");
        assertThat(filter.glob()).isEqualTo("*1");
        assertThat(filter.userName()).isEqualTo("ada");
        assertThat(filter.address()).hasToString("10.0.0.0/8");
        assertThat(filter.nodeId()).isEqualTo("b");
        assertThat(filter.state()).isEqualTo(ClientState.CONNECTED);
        assertThat(filter.type()).isEqualTo(ClientType.DEVICE);
        assertThat(filter.connectedAfterMillis()).isEqualTo(1_793_527_200_000L);
        assertThat(filter.connectedBeforeMillis()).isEqualTo(1_793_527_201_000L);
        assertThat(filter.awayBeforeMillis()).isEqualTo(1_793_527_202_000L);
    }

    @ParameterizedTest
    @CsvSource({
        "clients?adress=10.0.0.0, adress",
        "clients?address=example.org, address",
        "clients?state=gone, state",
        "clients?sort=userName, sort",
        "clients?limit=1001, limit",
        "clients?after=x, after",
        "clients?connectedAfter=yesterday, connectedAfter",
        "client?clientId=, clientId",
        "client, clientId",
    })
    void aWrongParameterIsNamed(String path, String field) throws Exception {
        JsonNode problem = ApiClient.problem(get("/api/v1/" + path), 400);

        assertThat(problem.path("errors").path(0).path("field").asString()).isEqualTo(field);
    }

    @Test
    void theDetailsShowTheSession() throws Exception {
        JsonNode details = read("/api/v1/client?clientId=sensor%2F1");

        assertThat(details.path("client").path("clientId").asString()).isEqualTo("sensor/1");
        assertThat(details.path("subscriptions").asInt()).isEqualTo(3);
        assertThat(details.path("stored").isNull())
                .as("this node does not serve")
                .isTrue();
        assertThat(details.path("lastQueueDrop")).isEqualTo(JSON.readTree("""
                {"reason": "expired", "at": "2026-11-01T10:00:00Z"}"""));
        assertThat(details.path("session")).isEqualTo(JSON.readTree("""
                {"inFlight": 1, "maximumInFlight": 10, "waitingMessages": 4, "waitingBytes": 200, "dropped": 2, "lastDropReason": "queue_full",
                 "lastDropAt": "2026-11-01T10:00:00Z"}
                """));
    }

    @Test
    void manySessionsEndAndTheChangeIsAudited() throws Exception {
        JsonNode counted =
                json(delete("/api/v1/sessions?clientId=mqttjs_*&awayBefore=2026-11-01T10:00:00Z&dryRun=true"));
        assertThat(counted)
                .isEqualTo(JSON.readTree("{\"sessions\": 2, \"complete\": true, \"unknown\": [], \"connected\": []}"));
        assertThat(server.clients().calls().getLast()).startsWith("count ");

        server.clients().loseNode();
        JsonNode ended = json(delete("/api/v1/sessions?clientId=mqttjs_*&userName=u&type=DEVICE"));

        assertThat(ended)
                .isEqualTo(
                        JSON.readTree(
                                "{\"sessions\": 1, \"complete\": false, \"unknown\": [\"tablet\"], \"connected\": [\"phone\"]}"));
        assertThat(server.clients().calls().getLast())
                .startsWith("end ")
                .contains("glob=mqttjs_*", "userName=u", "state=AWAY", "type=DEVICE");
        JsonNode audit = read("/api/v1/audit").path("items");
        assertThat(audit.size()).isOne();
        assertThat(audit.path(0).path("action").asString()).isEqualTo("END_SESSIONS");
        assertThat(audit.path(0).path("target").asString())
                .isEqualTo("sessions?clientId=mqttjs_*&userName=u&type=DEVICE");
    }

    @ParameterizedTest
    @CsvSource({
        "sessions, clientId",
        "sessions?clientId=, clientId",
        "sessions?clientId=*&awayBefore=yesterday, awayBefore",
        "sessions?clientId=*&type=gateway, type",
        "sessions?clientId=*&dryRun=perhaps, dryRun",
    })
    void aWrongSelectionOfSessionsIsNamed(String path, String field) throws Exception {
        JsonNode problem = ApiClient.problem(delete("/api/v1/" + path), 400);

        assertThat(problem.path("errors").path(0).path("field").asString()).isEqualTo(field);
        assertThat(server.clients().calls()).isEmpty();
    }

    @Test
    void theLastDisconnectionIsShownAlsoWithoutASession() throws Exception {
        JsonNode expected = JSON.readTree("""
                {"at": "2026-11-01T10:00:01Z", "reason": "connection_reset", "detail": "Connection reset by peer",
                 "userName": "ada", "node": "b", "listener": "mqtt", "address": "192.0.2.7:50123",
                 "connectedAt": "2026-11-01T10:00:00Z"}""");

        JsonNode lost = read("/api/v1/client?clientId=lost");
        assertThat(lost.path("client").isNull()).isTrue();
        assertThat(lost.path("lastDisconnection")).isEqualTo(expected);
        assertThat(read("/api/v1/client?clientId=sensor%2F1").path("lastDisconnection"))
                .isEqualTo(expected);

        server.clients().loseNode();
        ApiClient.problem(get("/api/v1/client?clientId=lost"), 503);
    }

    @Test
    void anUnknownClientIsNotFoundUnlessANodeIsMissing() throws Exception {
        ApiClient.problem(get("/api/v1/client?clientId=unknown"), 404);
        ApiClient.problem(get("/api/v1/client/subscriptions?clientId=unknown"), 404);
        assertThat(delete("/api/v1/client/connection?clientId=unknown").statusCode())
                .isEqualTo(204);
        server.clients().loseNode();

        JsonNode problem = ApiClient.problem(get("/api/v1/client?clientId=unknown"), 503);
        assertThat(problem.path("detail").asString()).contains(": c.");
        ApiClient.problem(get("/api/v1/client/subscriptions?clientId=unknown"), 503);
        ApiClient.problem(delete("/api/v1/client/connection?clientId=unknown"), 503);
        ApiClient.problem(delete("/api/v1/client/session?clientId=unknown"), 503);
    }

    @Test
    void onlyAnAdministratorDisconnectsAndEndsClients() throws Exception {
        String connection = "/api/v1/client/connection?clientId=sensor%2F1";
        String session = "/api/v1/client/session?clientId=sensor%2F1";
        for (String path : new String[] {connection, session}) {
            assertThat(client.send(client.request(path, "vera", "looking")
                                    .header("Content-Type", "application/json")
                                    .DELETE())
                            .statusCode())
                    .isEqualTo(403);
        }
        for (String path : new String[] {connection, session}) {
            ApiClient.problem(
                    client.send(client.request(path, "ada", "ruling")
                            .header("Content-Type", "application/json")
                            .header("If-Match", "*")
                            .DELETE()),
                    400);
        }
        assertThat(server.clients().calls()).isEmpty();

        assertThat(delete(connection).statusCode()).isEqualTo(204);
        assertThat(delete(connection + "&reasonCode=137").statusCode()).isEqualTo(204);
        assertThat(delete(session).statusCode()).isEqualTo(204);
        for (int code : new int[] {0, 4, 127, 145, 163, 408}) {
            ApiClient.problem(delete(connection + "&reasonCode=" + code), 400);
        }

        assertThat(server.clients().calls())
                .containsExactly(
                        "disconnect sensor/1 ADMINISTRATIVE_ACTION", "disconnect sensor/1 SERVER_BUSY", "end sensor/1");
    }

    @Test
    void subscriptionsAreListedInPages() throws Exception {
        JsonNode page = read("/api/v1/client/subscriptions?clientId=sensor%2F1");
        JsonNode next = read("/api/v1/client/subscriptions?clientId=sensor%2F1&after="
                + page.path("next").asString());

        assertThat(next.path("items")).isEqualTo(JSON.readTree("""
                [{"topicFilter": "null/#/#", "qos": 1, "noLocal": true, "retainAsPublished": false,
                  "subscriptionIdentifier": 7}]
                """));
    }
}
