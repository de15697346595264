package io.heddle.app.admin.client;

import static org.assertj.core.api.Assertions.assertThat;

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
    void withoutMissedMessagesThereIsNoTable() {
        assertThat(ExplainDelivery.text(JsonMapper.shared()
                        .readTree("{\"verdict\": \"NO_SESSION\", \"summary\": \"It has none.\", \"missed\": []}")))
                .isEqualTo("It has none.\n\nverdict  NO_SESSION");
    }
}
