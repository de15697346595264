package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttVersion;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** The reasons why clients of three brokers have not got a message, as one of the others explains them. */
@Timeout(value = 6, unit = TimeUnit.MINUTES)
abstract class ExplanationCases {

    private final AdministeredNodes nodes;

    ExplanationCases(AdministeredNodes nodes) {
        this.nodes = nodes;
    }

    @BeforeEach
    void allowEverything() throws Exception {
        rules("default allow");
    }

    private void rules(String text) throws Exception {
        nodes.ok(0, "PUT", "/api/v1/rules", "{\"text\": \"" + text + "\"}");
    }

    /** Returns the sentences about the messages of the last ten minutes. */
    private String past(String clientId, String topic) throws Exception {
        return nodes.get(2, "/api/v1/explain?since=PT10M&clientId=" + clientId + "&topic=" + topic)
                .path("past")
                .path("summary")
                .asString();
    }

    private static RawConnect persistent(String clientId) {
        return new RawConnect(MqttVersion.MQTT_5, clientId).persistent(600);
    }

    @Test
    void pastMessagesOfAClientThatMissesSomeAreTold() throws Exception {
        rules("default allow\\npartial-subscriptions filter\\ndeny all explained/secret for client explained-past");
        try (RawClient client =
                        new RawConnect("explained-past").open(nodes.port(0)).subscribe("explained/#", 1);
                RawClient publisher = new RawConnect("explaining").open(nodes.port(1))) {
            publisher.publish("explained/secret", "x", 1, 1, false);
            publisher.expect(MqttMessageType.PUBACK);
            publisher.publish("explained/open", "first", 1, 2, false);
            client.take(1);
            publisher.publish("explained/open", "second", 1, 3, false);
            assertThat(client.message().topic()).isEqualTo("explained/open");

            Soon.untilAsserted(() -> assertThat(past("explained-past", "explained/open"))
                    .startsWith("Of 2 remembered messages on explained/open for the client since ")
                    .contains(
                            ", 1 was delivered and acknowledged, 1 was sent and not acknowledged. ",
                            " Node " + AdministeredNodes.id(0) + " remembers deliveries to the client since ")
                    .endsWith(" only."));
            assertThat(past("explained-past", "explained/secret"))
                    .startsWith("The only remembered message on explained/secret for the client since ")
                    .contains(" was dropped because the rules did not allow it (denied_to_receive).");
        }
    }

    @Test
    void eachSubscriberOfATopicIsExplained() throws Exception {
        persistent("explained-away")
                .open(nodes.port(0))
                .subscribe("explained/all", 1)
                .close();
        rules("default allow\\npartial-subscriptions filter\\ndeny all explained/all for client explained-denied");
        try (RawClient _ =
                        new RawConnect("explained-denied").open(nodes.port(0)).subscribe("explained/#", 1);
                RawClient _ =
                        new RawConnect("explained-well").open(nodes.port(1)).subscribe("explained/+", 1)) {
            JsonNode found = nodes.get(2, "/api/v1/explain/recipients?topic=explained/all");

            assertThat(found.path("missingNodes")).isEmpty();
            assertThat(found.path("items").values())
                    .extracting(
                            each -> each.path("clientId").asString(),
                            each -> each.path("verdict").asString())
                    .containsExactly(
                            tuple("explained-away", "STORED"),
                            tuple("explained-denied", "DENIED"),
                            tuple("explained-well", "DELIVERED"));
        }
        nodes.send(1, "DELETE", "/api/v1/client/session?clientId=explained-away", "");
    }
}
