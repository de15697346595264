package io.heddle.api.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.testkit.ApiClient;
import io.heddle.api.testkit.ApiFixture;
import io.heddle.core.client.ClientType;
import io.heddle.core.client.Rates;
import io.heddle.core.client.activity.Ranking;
import io.heddle.core.operator.top.SlowClient;
import io.heddle.core.operator.top.SlowClients;
import io.heddle.core.operator.top.Top;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

final class TopControllerTest extends ApiFixture {
    @Test
    void eachRankingHasItsHighestValuesAndTheTotal() throws Exception {
        server.setTop(new Top(
                Map.of(
                        Ranking.CLIENT_MESSAGES_IN,
                        new Rates(12.34567, Map.of("a", 2.0, "b", 8.00049, "c", 1.0)),
                        Ranking.TOPIC_BYTES_OUT,
                        new Rates(7, Map.of("plant/1", 7.0))),
                List.of("heddle-2")));

        JsonNode top = read("/api/v1/top?limit=2");

        assertThat(top.at("/clients/messagesIn")).isEqualTo(JSON.readTree("""
                {"total": 12.346, "items": [{"name": "b", "value": 8.0}, {"name": "a", "value": 2.0}]}"""));
        assertThat(top.at("/topics/bytesOut/items/0/name").asString()).isEqualTo("plant/1");
        assertThat(top.at("/clients/waiting")).isEqualTo(JSON.readTree("{\"total\": 0.0, \"items\": []}"));
        assertThat(top.at("/missingNodes/0").asString()).isEqualTo("heddle-2");
    }

    @Test
    void topicsAreShownAsATree() throws Exception {
        server.setTop(new Top(
                Map.of(
                        Ranking.TOPIC_MESSAGES_IN,
                        new Rates(9, Map.of("plant/1", 5.0, "plant/2", 2.0)),
                        Ranking.TOPIC_BYTES_OUT,
                        new Rates(7, Map.of("plant/1", 7.0))),
                List.of("heddle-2")));

        JsonNode tree = read("/api/v1/top/topics?limit=1");

        assertThat(tree).isEqualTo(JSON.readTree("""
                {"topics": 1, "total": {"messagesIn": 9.0, "bytesIn": 0.0, "messagesOut": 0.0, "bytesOut": 7.0},
                 "listed": {"messagesIn": 5.0, "bytesIn": null, "messagesOut": null, "bytesOut": 7.0},
                 "branches": [{"levels": "plant/1", "topic": "plant/1", "used": true, "topics": 1,
                               "traffic": {"messagesIn": 5.0, "bytesIn": null, "messagesOut": null, "bytesOut": 7.0},
                               "branches": []}],
                 "missingNodes": ["heddle-2"]}"""));
        ApiClient.problem(get("/api/v1/top/topics?limit=1001"), 400);
    }

    @Test
    void slowClientsHaveACauseAndTheTimeUntilMessagesAreDropped() throws Exception {
        long since = Instant.parse("2026-11-30T11:00:00Z").toEpochMilli();
        server.setSlowClients(new SlowClients(
                List.of(
                        new SlowClients.Entry(
                                "heddle-1",
                                new SlowClient(
                                        "a",
                                        ClientType.DEVICE,
                                        "ada",
                                        since,
                                        600,
                                        20.00049,
                                        10,
                                        20,
                                        false,
                                        false,
                                        1_000)),
                        new SlowClients.Entry(
                                "heddle-2",
                                new SlowClient(
                                        "b", ClientType.APPLICATION, null, since, 5, Double.NaN, 5, 5, true, true, 0))),
                List.of()));

        JsonNode found = read("/api/v1/slow-clients");

        assertThat(found).isEqualTo(JSON.readTree("""
                {"items": [
                  {"clientId": "a", "type": "DEVICE", "userName": "ada", "node": "heddle-1", "since": "2026-11-30T11:00:00Z",
                   "waiting": 600, "growth": 20.0, "inFlight": 10, "maximumInFlight": 20, "reading": false, "limited": false,
                   "maximumWaiting": 1000, "secondsUntilFull": 20,
                   "advice": "It does not read from its connection: look at its network, and whether its program hangs."},
                  {"clientId": "b", "type": "APPLICATION", "userName": null, "node": "heddle-2", "since": "2026-11-30T11:00:00Z",
                   "waiting": 5, "growth": null, "inFlight": 5, "maximumInFlight": 5, "reading": true, "limited": true,
                   "maximumWaiting": null, "secondsUntilFull": null,
                   "advice": "A limit of the rules delays its messages: raise the limit, or send it less."}],
                 "missingNodes": []}"""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "101", "-1", "many"})
    void aWrongLimitIsRefused(String limit) throws Exception {
        assertThat(get("/api/v1/top?limit=" + limit).statusCode()).isEqualTo(400);
        assertThat(get("/api/v1/slow-clients?limit=" + limit).statusCode()).isEqualTo(400);
    }
}
