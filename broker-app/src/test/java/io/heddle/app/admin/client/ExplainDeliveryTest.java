package io.heddle.app.admin.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

final class ExplainDeliveryTest {
    @Test
    void theSummaryComesFirstAndTheMissedMessagesLast() {
        String text = ExplainDelivery.text(JsonMapper.shared().readTree("""
                {"verdict": "DELIVERED", "summary": "The client gets \\u001bit.", "qos": 1,
                 "client": {"clientId": "pump", "userName": null}, "subscriptions": 2,
                 "matching": [{"topicFilter": "a/#", "qos": 1}], "similar": [], "groups": [], "rules": {"allowed": true},
                 "output": null, "stored": null,
                 "missed": [{"at": "2026-11-01T10:00:00Z", "reason": "expired", "topic": null, "qos": 1, "payloadBytes": 2048}],
                 "lastDisconnection": null, "missingNodes": []}"""));

        assertThat(text).isEqualTo("""
                The client gets \\u001bit.

                verdict        DELIVERED
                qos            1
                client
                  client id    pump
                  user name    -
                subscriptions  2
                matching       topicFilter=a/# qos=1
                rules
                  allowed      true

                MISSED                REASON   TOPIC  QOS  PAYLOAD
                2026-11-01T10:00:00Z  expired  -      1    2.0 KB""");
    }

    @Test
    void theNextMemberOfAGroupIsShown() {
        String text = ExplainDelivery.text(JsonMapper.shared().readTree("""
                {"verdict": "SHARED", "summary": "In turns.", "missed": [],
                 "groups": [{"topicFilter": "$share/g/a", "members": ["one", "two"], "complete": true,
                             "next": {"node": "a", "clientId": "two", "memberNode": null, "explanation": "It goes to two."}}]}"""));

        assertThat(text).isEqualTo("""
                In turns.

                verdict  SHARED
                groups   topicFilter=$share/g/a members=one, two complete=true next=(node=a clientId=two memberNode= \
                explanation=It goes to two.)""");
    }

    @Test
    void earlierMessagesComeFirst() {
        String text = ExplainDelivery.text(JsonMapper.shared().readTree("""
                {"verdict": "DELIVERED", "summary": "The client gets it.", "missed": [],
                 "past": {"since": "2026-11-01T10:00:00Z", "summary": "Of 2 messages, 1 was sent.", "nodes": [],
                          "messages": [{"at": "2026-11-01T10:00:01Z", "node": "b", "outcome": "DROPPED", "reason": "expired", "qos": 1,
                                        "payloadBytes": null, "packetId": null, "sentAgainAt": null, "acknowledgedAt": null}]}}"""));

        assertThat(text).isEqualTo("""
                Of 2 messages, 1 was sent.

                TIME                  OUTCOME  REASON   QOS  PAYLOAD  PACKET-ID  SENT-AGAIN  ACKNOWLEDGED  NODE
                2026-11-01T10:00:01Z  DROPPED  expired  1    -        -          -           -             b

                The client gets it.

                verdict  DELIVERED""");
    }

    @Test
    void theBeginIsATimeOrADuration() {
        Instant now = Instant.parse("2026-11-01T10:00:00Z");

        assertThat(ExplainDelivery.ago("10m", now)).isEqualTo("2026-11-01T09:50:00Z");
        assertThat(ExplainDelivery.ago("2026-10-31T10:00:00Z", now)).isEqualTo("2026-10-31T10:00:00Z");
        assertThat(ExplainDelivery.ago("PT10M", now)).isEqualTo("PT10M");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> ExplainDelivery.ago("1x", now))
                .withMessage(
                        "--since is 1x: use a time in UTC such as 2026-11-01T10:00:00Z, or a duration such as 10m");
    }

    @Test
    void withoutMissedMessagesThereIsNoTable() {
        assertThat(ExplainDelivery.text(JsonMapper.shared()
                        .readTree("{\"verdict\": \"NO_SESSION\", \"summary\": \"It has none.\", \"missed\": []}")))
                .isEqualTo("It has none.\n\nverdict  NO_SESSION");
    }
}
