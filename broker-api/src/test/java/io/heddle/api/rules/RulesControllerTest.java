package io.heddle.api.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.testkit.ApiClient;
import io.heddle.api.testkit.ApiFixture;
import io.heddle.core.authorization.RuleSet;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

final class RulesControllerTest extends ApiFixture {
    private static final String RULES = "/api/v1/rules";
    private static final String TEXT = """
            # Each client has topics of its own.
            default deny
            allow all devices/${clientId}/# for everyone
            deny subscribe notices/secret for group guests
            allow subscribe notices/# for everyone
            """;

    private HttpResponse<String> put(String text, String... headers) throws Exception {
        return send("PUT", RULES, JSON.writeValueAsString(Map.of("text", text)), headers);
    }

    private HttpResponse<String> test(String body) throws Exception {
        return send("POST", RULES + "/test", body);
    }

    @Test
    void rulesAreStoredAppliedAndShown() throws Exception {
        JsonNode none = read(RULES);
        assertThat(none.path("version").asInt()).isZero();
        assertThat(none.path("text").asString()).isEmpty();

        HttpResponse<String> changed = put(TEXT);
        HttpResponse<String> read = get(RULES);

        assertThat(changed.statusCode()).as(changed.body()).isEqualTo(200);
        JsonNode body = JSON.readTree(changed.body());
        assertThat(body.path("applied").toString()).isEqualTo("[\"a\"]");
        assertThat(body.path("missing").isEmpty()).isTrue();
        assertThat(JSON.readTree(read.body())).isEqualTo(body.path("rules"));
        assertThat(body.path("rules").path("text").asString()).isEqualTo(TEXT);
        assertThat(body.path("rules").path("changedBy").asString()).isEqualTo("ada");
        assertThat(read.headers().firstValue("ETag"))
                .isEqualTo(changed.headers().firstValue("ETag"));
    }

    @Test
    void aWrongLineIsNamedAndChangesNothing() throws Exception {
        put(TEXT);

        HttpResponse<String> refused = put("default deny\nallow publish # for nobody\n");

        ApiClient.problem(refused, 400);
        assertThat(refused.body()).contains("\"text\"", "line 2, column 21", "'everyone'");
        assertThat(read(RULES).path("text").asString()).isEqualTo(TEXT);
    }

    @Test
    void aDryRunChangesNothing() throws Exception {
        put(TEXT);

        HttpResponse<String> run = dryRun("default deny\nauthenticate password");
        HttpResponse<String> wrong = dryRun("default perhaps");

        assertThat(JSON.readTree(run.body())).isEqualTo(JSON.readTree("""
                {"clients": 0, "subscriptions": 0, "losingClients": 0, "lostSubscriptions": 0, "losses": [],
                 "decisions": {"sampled": 0, "distinct": 0, "since": null, "nodes": [], "wouldDeny": 0, "wouldAllow": 0,
                               "changes": []},
                 "notRehearsed": ["authenticate"], "missingNodes": ["a"]}"""));
        ApiClient.problem(wrong, 400);
        assertThat(wrong.body()).contains("\"text\"", "line 1");
        assertThat(read(RULES).path("text").asString()).isEqualTo(TEXT);
    }

    private HttpResponse<String> dryRun(String text) throws Exception {
        return client.send(client.request(RULES + "/dry-run", "ada", "ruling")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(JSON.writeValueAsString(Map.of("text", text)))));
    }

    @Test
    void textAboveTheLimitIsRefused() throws Exception {
        String line = "allow all devices/a for everyone\n";

        HttpResponse<String> refused = put("default deny\n" + line.repeat(RuleSet.MAXIMUM_BYTES / line.length() + 1));

        ApiClient.problem(refused, 400);
        assertThat(refused.body()).contains("more than 800000 bytes");
    }

    @Test
    void ofTwoAdministratorsTheSecondLearnsOfTheChangeOfTheFirst() throws Exception {
        String tag = put(TEXT).headers().firstValue("ETag").orElseThrow();

        assertThat(put("default allow", "If-Match", tag).statusCode()).isEqualTo(200);
        ApiClient.problem(put("default deny", "If-Match", tag), 412);
    }

    @Test
    void aChangeIsInTheAuditLog() throws Exception {
        put(TEXT);

        assertThat(server.auditLog().entries())
                .extracting(entry -> entry.attempt().action())
                .containsExactly("CHANGE_RULES");
    }

    @ParameterizedTest
    @CsvSource({
        "PUBLISH, devices/pump-1/t, '', ALLOWED, 1",
        "PUBLISH, devices/pump-2/t, '', DENIED, 0",
        "SUBSCRIBE, notices/#, '', ALLOWED, 3",
        "SUBSCRIBE, $share/g/notices/#, '', ALLOWED, 3",
        "SUBSCRIBE, notices/#, guests, DENIED, 2"
    })
    void aDecisionIsExplained(String action, String topic, String group, String decision, int decidedBy)
            throws Exception {
        put(TEXT);

        HttpResponse<String> answer = test(JSON.writeValueAsString(Map.of(
                "clientId",
                "pump-1",
                "groups",
                group.isEmpty() ? new String[0] : new String[] {group},
                "action",
                action,
                "topic",
                topic)));

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        JsonNode body = JSON.readTree(answer.body());
        assertThat(body.path("decision").asString()).isEqualTo(decision);
        assertThat(body.path("decidedBy").path("number").asInt(0)).isEqualTo(decidedBy);
        assertThat(body.path("defaultEffect").asString()).isEqualTo("DENY");
    }

    @Test
    void otherRulesCanBeTriedOut() throws Exception {
        put(TEXT);

        JsonNode body = JSON.readTree(test("""
                {"clientId": "pump-1", "action": "SUBSCRIBE", "topic": "devices/#",
                 "rules": "default allow\\npartial-subscriptions filter\\ndeny all devices/x for client pump-1"}""").body());

        assertThat(body.path("decision").asString()).isEqualTo("FILTERED");
        assertThat(body.path("topic").asString()).isEqualTo("devices/x");
        assertThat(read(RULES).path("text").asString()).isEqualTo(TEXT);
    }

    @Test
    void allWrongFieldsOfATestAreNamed() throws Exception {
        HttpResponse<String> refused = test("""
                {"action": "READ", "topic": "a/#/b", "qos": 3, "address": "example.org", "rules": "allow"}""");

        ApiClient.problem(refused, 400);
        assertThat(refused.body())
                .contains("\"clientId\"", "\"action\"", "\"topic\"", "\"qos\"", "\"address\"", "\"rules\"");
    }

    @Test
    void aStoreThatDoesNotAnswerIsUnavailable() throws Exception {
        server.ruleStore().setAway(true);

        ApiClient.problem(get(RULES), 503);
        ApiClient.problem(put(TEXT), 503);
    }
}
