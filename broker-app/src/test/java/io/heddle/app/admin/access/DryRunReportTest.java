package io.heddle.app.admin.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class DryRunReportTest {
    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text);
    }

    @Test
    void subscriptionsAndDecisionsThatWouldChangeAreTables() {
        JsonNode run = json("""
                {"clients": 200, "subscriptions": 610, "losingClients": 1, "lostSubscriptions": 2,
                 "losses": [{"clientId": "guest-1", "userName": null, "topicFilter": "plant-2/#", "node": "n1"}],
                 "decisions": {"sampled": 5213, "distinct": 641, "since": "2026-11-29T10:02:11Z", "nodes": ["n1", "n2"],
                               "wouldDeny": 12, "wouldAllow": 0,
                               "changes": [{"clientId": "pump-7", "userName": "pumps", "action": "PUBLISH", "topic": "a\\u001b",
                                            "qos": 1, "retain": false, "decision": "ALLOWED", "proposed": "DENIED",
                                            "sampled": 12, "lastAt": "2026-11-29T10:11:58Z", "nodes": ["n1", "n2"]}]},
                 "notRehearsed": ["limit", "authenticate"], "missingNodes": ["n3"]}""");

        assertThat(DryRunReport.of(run)).isEqualTo("""
                Subscriptions: 2 of 610 would be denied, of 1 of 200 connected clients
                Decisions: 12 of 5213 sampled ones would deny instead of allow, 0 would allow instead of deny
                Sample: 641 different decisions since 2026-11-29T10:02:11Z of the nodes n1, n2; of each client the first ones in ten seconds, then fewer
                Not tried: lines that begin with limit, authenticate
                Without an answer: n3

                SUBSCRIPTION  CLIENT   USER  NODE
                plant-2/#     guest-1  -     n1

                DECISION  PROPOSED  ACTION   TOPIC    QOS  RETAIN  CLIENT  USER   SAMPLED  LAST                  NODES
                allowed   denied    publish  a\\u001b  1    false   pump-7  pumps  12       2026-11-29T10:11:58Z  n1, n2""");
        assertThat(DryRunReport.isHarmless(run)).isFalse();
    }

    @Test
    void rulesThatDenyNothingAreHarmless() {
        JsonNode run = json("""
                {"clients": 1, "subscriptions": 1, "losingClients": 0, "lostSubscriptions": 0, "losses": [],
                 "decisions": {"sampled": 0, "distinct": 0, "since": null, "nodes": ["n1"], "wouldDeny": 0, "wouldAllow": 3,
                               "changes": []},
                 "missingNodes": []}""");

        assertThat(DryRunReport.of(run))
                .endsWith(
                        "\nSample: 0 different decisions of the nodes n1; of each client the first ones in ten seconds, then fewer");
        assertThat(DryRunReport.isHarmless(run)).isTrue();
        assertThat(DryRunReport.isHarmless(json("{\"missingNodes\": [\"n1\"]}")))
                .isFalse();
        assertThat(DryRunReport.isHarmless(json("{\"lostSubscriptions\": 1}"))).isFalse();
        assertThat(DryRunReport.isHarmless(json("{\"decisions\": {\"wouldDeny\": 1}}")))
                .isFalse();
    }
}
