package io.heddle.api.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authorization.Action;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.operator.rule.ChangedDecision;
import io.heddle.core.operator.rule.DryRun;
import io.heddle.core.operator.rule.DryRun.NodeLoss;
import io.heddle.core.operator.rule.RehearsedDecisions;
import io.heddle.core.operator.rule.RuleDryRun.Loss;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

final class DryRunResponseTest {
    @Test
    void theAnswerHasSubscriptionsAndDecisionsThatWouldChange() {
        DryRun run = new DryRun(
                200,
                610,
                1,
                2,
                List.of(new NodeLoss("n1", new Loss("guest-1", null, "plant-2/#"))),
                new RehearsedDecisions(
                        9,
                        4,
                        1_000,
                        3,
                        2,
                        List.of(
                                new ChangedDecision(
                                        "pump-7",
                                        "pumps",
                                        Action.PUBLISH,
                                        "plant-2/x",
                                        QoS.AT_LEAST_ONCE,
                                        true,
                                        true,
                                        3,
                                        61_000,
                                        List.of("n1", "n2")),
                                new ChangedDecision(
                                        "guest-1",
                                        null,
                                        Action.SUBSCRIBE,
                                        "plant-3/#",
                                        QoS.EXACTLY_ONCE,
                                        false,
                                        false,
                                        2,
                                        62_000,
                                        List.of("n2")))),
                List.of("n1", "n2"),
                List.of("n3"));

        String answer = JsonMapper.shared().writeValueAsString(DryRunResponse.of(run, List.of("limit")));

        assertThat(JsonMapper.shared().readTree(answer))
                .isEqualTo(JsonMapper.shared().readTree("""
                {"clients": 200, "subscriptions": 610, "losingClients": 1, "lostSubscriptions": 2,
                 "losses": [{"clientId": "guest-1", "userName": null, "topicFilter": "plant-2/#", "node": "n1"}],
                 "decisions": {
                   "sampled": 9, "distinct": 4, "since": "1970-01-01T00:00:01Z", "nodes": ["n1", "n2"], "wouldDeny": 3, "wouldAllow": 2,
                   "changes": [
                     {"clientId": "pump-7", "userName": "pumps", "action": "PUBLISH", "topic": "plant-2/x", "qos": 1, "retain": true,
                      "decision": "ALLOWED", "proposed": "DENIED", "sampled": 3, "lastAt": "1970-01-01T00:01:01Z", "nodes": ["n1", "n2"]},
                     {"clientId": "guest-1", "userName": null, "action": "SUBSCRIBE", "topic": "plant-3/#", "qos": 2, "retain": false,
                      "decision": "DENIED", "proposed": "ALLOWED", "sampled": 2, "lastAt": "1970-01-01T00:01:02Z", "nodes": ["n2"]}]},
                 "notRehearsed": ["limit"], "missingNodes": ["n3"]}"""));
    }
}
