package io.heddle.api.clients;

import static io.heddle.core.client.PastMessages.UNKNOWN_BYTES;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.testkit.ApiClient;
import io.heddle.api.testkit.ApiFixture;
import io.heddle.core.client.ClientType;
import io.heddle.core.client.PastMessages.DroppedMessage;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.operator.client.ClientDetails;
import io.heddle.core.operator.client.ClientEntry;
import io.heddle.core.operator.client.NextMember;
import io.heddle.core.operator.client.SubscriberQuery;
import io.heddle.core.operator.client.SubscriptionEntry;
import io.heddle.core.operator.explain.Contender;
import io.heddle.core.operator.explain.Delivery;
import io.heddle.core.operator.explain.DeliveryExplanation;
import io.heddle.core.operator.explain.PastDeliveries;
import io.heddle.core.operator.explain.PastDeliveries.Memory;
import io.heddle.core.operator.explain.PastDeliveries.Outcome;
import io.heddle.core.operator.explain.PastDeliveries.PastMessage;
import io.heddle.core.operator.explain.RuleDecision;
import io.heddle.core.operator.explain.Verdict;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

final class ExplanationControllerTest extends ApiFixture {
    private static final long AT = Instant.parse("2026-11-01T10:00:00Z").toEpochMilli();

    @Test
    void theExplanationHasTheSummaryAndWhatLedToIt() throws Exception {
        server.setExplanation(new DeliveryExplanation(
                Verdict.SHARED,
                "In turns.",
                QoS.AT_LEAST_ONCE,
                new ClientDetails(
                        new ClientEntry("pump", ClientType.DEVICE, "ada", 60, AT, null), 2, null, null, null, Set.of()),
                new Delivery(
                        2,
                        QoS.AT_LEAST_ONCE,
                        true,
                        false,
                        List.of(new SubscriptionEntry("$share/g/a/#", QoS.AT_LEAST_ONCE, false, true, 7)),
                        List.of(),
                        new RuleDecision(true, 3, "allow all a/# for everyone"),
                        new Delivery.Output(false, true, false, 1, 20, 4)),
                List.of(new DeliveryExplanation.Group(
                        "$share/g/a/#",
                        List.of("other", "pump"),
                        true,
                        new NextMember("a", null, "b", "It goes to b."))),
                List.of(new DroppedMessage(AT, "queue_full", "a/1", QoS.EXACTLY_ONCE, 12)),
                List.of(new Contender("192.0.2.7", null, 3, AT)),
                new PastDeliveries(
                        AT - 600_000,
                        "The only message was dropped.",
                        List.of(new Memory("b", AT - 2_000, AT - 1_000, AT - 2_000)),
                        List.of(
                                new PastMessage(
                                        AT, "b", Outcome.DROPPED, "expired", QoS.AT_LEAST_ONCE, UNKNOWN_BYTES, 0, 0, 0),
                                new PastMessage(
                                        AT - 900,
                                        "b",
                                        Outcome.ACKNOWLEDGED,
                                        null,
                                        QoS.AT_LEAST_ONCE,
                                        12,
                                        7,
                                        AT - 500,
                                        AT - 400))),
                Set.of("c", "b")));

        JsonNode explanation = read("/api/v1/explain?clientId=pump&topic=a%2F1&qos=2&since=2026-11-01T09:50:00Z");

        assertThat(server.explained()).containsExactly("pump a/1 EXACTLY_ONCE 2026-11-01T09:50:00Z");
        assertThat(explanation.path("past")).isEqualTo(JSON.readTree("""
                {"since": "2026-11-01T09:50:00Z",
                 "summary": "The only message was dropped. 4 messages wait for the client, on this topic or others.",
                 "nodes": [{"node": "b", "since": "2026-11-01T09:59:58Z", "deliveriesSince": "2026-11-01T09:59:59Z",
                            "missedSince": "2026-11-01T09:59:58Z"}],
                 "messages": [
                    {"at": "2026-11-01T10:00:00Z", "node": "b", "outcome": "DROPPED", "reason": "expired", "qos": 1,
                     "payloadBytes": null, "packetId": null, "sentAgainAt": null, "acknowledgedAt": null},
                    {"at": "2026-11-01T09:59:59.100Z", "node": "b", "outcome": "ACKNOWLEDGED", "reason": null, "qos": 1,
                     "payloadBytes": 12, "packetId": 7, "sentAgainAt": "2026-11-01T09:59:59.500Z",
                     "acknowledgedAt": "2026-11-01T09:59:59.600Z"}]}"""));
        assertThat(explanation.path("client").path("clientId").asString()).isEqualTo("pump");
        assertThat(explanation.path("matching")).isEqualTo(JSON.readTree("""
                [{"topicFilter": "$share/g/a/#", "qos": 1, "noLocal": false, "retainAsPublished": true,
                  "subscriptionIdentifier": 7}]"""));
        assertThat(explanation.path("groups")).isEqualTo(JSON.readTree("""
                [{"topicFilter": "$share/g/a/#", "members": ["other", "pump"], "complete": false,
                  "next": {"node": "a", "clientId": null, "memberNode": "b", "explanation": "It goes to b."}}]"""));
        assertThat(explanation.path("rules")).isEqualTo(JSON.readTree("""
                {"allowed": true, "number": 3, "rule": "allow all a/# for everyone"}"""));
        assertThat(explanation.path("output")).isEqualTo(JSON.readTree("""
                {"reading": true, "limited": false, "inFlight": 1, "maximumInFlight": 20, "waiting": 4}"""));
        assertThat(explanation.path("missed")).isEqualTo(JSON.readTree("""
                [{"at": "2026-11-01T10:00:00Z", "reason": "queue_full", "topic": "a/1", "qos": 2, "payloadBytes": 12}]"""));
        assertThat(explanation.path("contenders")).isEqualTo(JSON.readTree("""
                [{"address": "192.0.2.7", "userName": null, "closed": 3, "last": "2026-11-01T10:00:00Z"}]"""));
        assertThat(explanation.path("missingNodes")).isEqualTo(JSON.readTree("[\"b\", \"c\"]"));
        assertThat(List.of(
                        explanation.path("verdict").asString(),
                        explanation.path("summary").asString(),
                        explanation.path("qos").asInt(),
                        explanation.path("subscriptions").asInt()))
                .containsExactly("SHARED", "In turns.", 1, 2);
    }

    @Test
    void eachSubscriberOfATopicIsExplained() throws Exception {
        server.setExplanation(new DeliveryExplanation(
                Verdict.STORED,
                "The client is away.",
                QoS.AT_LEAST_ONCE,
                new ClientDetails(null, 0, null, null, null, Set.of()),
                null,
                List.of(),
                List.of(),
                List.of(),
                null,
                Set.of("c")));

        JsonNode found = read("/api/v1/explain/recipients?topic=a%2F1&qos=2");

        assertThat(server.explained()).containsExactly("sensor/1 a/1 EXACTLY_ONCE");
        assertThat(found).isEqualTo(JSON.readTree("""
                {"items": [{"clientId": "sensor/1", "verdict": "STORED", "summary": "The client is away.", "qos": 1}],
                 "next": "sensor/1", "missingNodes": ["c"], "complete": true}"""));
        assertThat(server.clients().subscriberQuery()).returns(null, SubscriberQuery::after);

        get("/api/v1/explain/recipients?topic=a%2F1&after=sensor%2F1");

        SubscriberQuery next = requireNonNull(server.clients().subscriberQuery());
        assertThat(next.after()).isGreaterThan(new SubscriberQuery.Position("sensor/1", "zzz/#"));
        assertThat(next.after()).isLessThan(new SubscriberQuery.Position("sensor/10", ""));
    }

    @ParameterizedTest
    @CsvSource({"topic=a%2F%23, topic", "topic=a&qos=3, qos", "topic=a&limit=51, limit", "topic=a&limit=0, limit"})
    void aWrongParameterOfRecipientsIsNamed(String query, String field) throws Exception {
        JsonNode problem = ApiClient.problem(get("/api/v1/explain/recipients?" + query), 400);

        assertThat(problem.path("errors").path(0).path("field").asString()).isEqualTo(field);
    }

    @ParameterizedTest
    @CsvSource({
        "clientId=pump&topic=a%2F%2B, topic",
        "clientId=pump&topic=, topic",
        "clientId=pump, topic",
        "topic=a, clientId",
        "clientId=pump&topic=a&qos=3, qos",
        "clientId=pump&topic=a&retain=true, retain",
        "clientId=pump&topic=a&since=yesterday, since",
        "clientId=pump&topic=a&since=P, since",
    })
    void aWrongParameterIsNamed(String query, String field) throws Exception {
        JsonNode problem = ApiClient.problem(get("/api/v1/explain?" + query), 400);

        assertThat(problem.path("errors").path(0).path("field").asString()).isEqualTo(field);
        assertThat(server.explained()).isEmpty();
    }

    @Test
    void pastMessagesAreAskedForByADuration() throws Exception {
        Instant before = Instant.now();
        get("/api/v1/explain?clientId=pump&topic=a&since=PT10M");

        String asked = server.explained().getFirst();
        assertThat(Instant.parse(asked.substring(asked.lastIndexOf(' ') + 1)))
                .isBetween(before.minusSeconds(601), Instant.now().minusSeconds(599));
    }

    @Test
    void aNodeThatDoesNotServeSaysSo() throws Exception {
        ApiClient.problem(get("/api/v1/explain?clientId=pump&topic=a"), 503);
    }
}
