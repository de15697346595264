package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** The reasons why clients of three brokers have not got a message, as one of the others explains them. */
@Timeout(value = 6, unit = TimeUnit.MINUTES)
abstract class ExplanationCases {
    private static final int QUEUE = 1_000;

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

    private JsonNode explain(String clientId, String topic) throws Exception {
        return nodes.get(2, "/api/v1/explain?clientId=" + clientId + "&topic=" + topic);
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
    void noSubscriptionMatches() throws Exception {
        try (RawClient _ = new RawConnect("explained").open(nodes.port(0)).subscribe("Explained/State", 1)) {
            JsonNode explanation = explain("explained", "explained/state");

            assertThat(explanation.path("verdict").asString()).isEqualTo("NO_SUBSCRIPTION");
            assertThat(explanation.path("summary").asString())
                    .startsWith("The only subscription of the client does not match the topic. The filter"
                            + " \"Explained/State\" would match");
            assertThat(explanation.path("client").path("node").asString()).isEqualTo(AdministeredNodes.id(0));
        }
    }

    @Test
    void aRuleDenies() throws Exception {
        rules("default allow\\npartial-subscriptions filter\\ndeny all explained/secret for client explained");
        try (RawClient client = new RawConnect("explained").open(nodes.port(0)).subscribe("explained/#", 1);
                RawClient publisher = new RawConnect("explaining").open(nodes.port(1))) {
            publisher.publish("explained/secret", "x", 1, 1, false);
            publisher.expect(MqttMessageType.PUBACK);
            publisher.publish("explained/open", "x", 1, 2, false);
            assertThat(client.take(1)).extracting(RawPublish::topic).containsExactly("explained/open");

            JsonNode explanation = explain("explained", "explained/secret");

            assertThat(explanation.path("verdict").asString()).isEqualTo("DENIED");
            assertThat(explanation.path("summary").asString())
                    .contains("rule 1, \"deny all explained/secret for client explained\".");
            assertThat(explanation.path("missed").path(0).path("reason").asString())
                    .isEqualTo("denied_to_receive");
            assertThat(explain("explained", "explained/open").path("verdict").asString())
                    .isEqualTo("DELIVERED");
        }
    }

    @Test
    void theQueueIsFull() throws Exception {
        persistent("explained-full")
                .open(nodes.port(0))
                .subscribe("explained/full", 1)
                .close();
        try (RawClient publisher = new RawConnect("explaining").open(nodes.port(1))) {
            for (int i = 0; i <= QUEUE; i++) {
                publisher.publish("explained/full", "x", 1, 1, false);
                publisher.expect(MqttMessageType.PUBACK);
            }
        }

        Soon.untilAsserted(() -> assertThat(explain("explained-full", "explained/full")
                        .path("summary")
                        .asString())
                .startsWith("The client is away since ")
                .contains("The message is stored until the client returns")
                .endsWith("its queue was full (queue_full)."));
        assertThat(explain("explained-full", "explained/full")
                        .path("stored")
                        .path("messages")
                        .asInt())
                .isEqualTo(QUEUE);
        assertThat(past("explained-full", "explained/full"))
                .endsWith(" 1000 messages wait for the client, on this topic or others.");
        // The holder of the bucket, which may be another node, tells that messages were dropped.
        try (RawClient client = persistent("explained-full").open(nodes.port(1))) {
            for (int i = 0; i < QUEUE; i++) {
                client.take(1);
            }
            Soon.untilAsserted(() -> assertThat(past("explained-full", "explained/full"))
                    .startsWith("Of 64 remembered messages on explained/full for the client since ")
                    .contains(
                            ", 64 were delivered and acknowledged. 1 message of unknown topic was dropped, too: ",
                            " Node " + AdministeredNodes.id(1)
                                    + " remembers the last 64 deliveries to the client only"));
        }
        nodes.send(1, "DELETE", "/api/v1/client/session?clientId=explained-full", "");
    }

    @Test
    void theMessageHasExpired() throws Exception {
        persistent("explained-late")
                .open(nodes.port(0))
                .subscribe("explained/late", 1)
                .close();
        nodes.ok(
                1,
                "POST",
                "/api/v1/publish",
                "{\"topic\": \"explained/late\", \"payload\": \"x\", \"qos\": 1, \"expirySeconds\": 1}");
        Instant expired = Instant.now().plus(Duration.ofMillis(1_100));
        Soon.until(() -> Instant.now().isAfter(expired));
        try (RawClient client = persistent("explained-late").open(nodes.port(0))) {
            assertThat(client.messagesUntilPing()).isEmpty();

            Soon.untilAsserted(() -> assertThat(explain("explained-late", "explained/late")
                            .path("summary")
                            .asString())
                    .startsWith("The client gets the message, with QoS 1.")
                    .contains("the latest one on this topic was dropped at")
                    .endsWith("the message had expired (expired)."));
            assertThat(past("explained-late", "explained/late"))
                    .startsWith("The only remembered message on explained/late for the client since ")
                    .contains(" was dropped because the message had expired (expired).");
        }
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
    void pastMessagesOfATracedClientAreTold() throws Exception {
        try (RawClient client =
                        new RawConnect("explained-traced").open(nodes.port(0)).subscribe("explained/traced", 1);
                RawClient publisher = new RawConnect("explaining").open(nodes.port(1))) {
            publisher.publish("explained/traced", "before", 1, 1, false);
            client.take(1);
            assertThat(past("explained-traced", "explained/traced"))
                    .startsWith("No node remembers a message on explained/traced for the client since ")
                    .contains(" The node that the client is connected to, " + AdministeredNodes.id(0)
                            + ", does not remember deliveries to it.");

            assertThat(nodes.send(1, "GET", "/api/v1/trace?clientId=explained-traced&seconds=1", "")
                            .statusCode())
                    .isEqualTo(200);
            publisher.publish("explained/traced", "after", 1, 2, false);
            client.take(1);

            Soon.untilAsserted(() -> assertThat(past("explained-traced", "explained/traced"))
                    .startsWith("The only remembered message on explained/traced for the client since ")
                    .contains(" was delivered and acknowledged."));
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

    @Test
    void theClientIsUnknown() throws Exception {
        assertThat(explain("explained-nobody", "t").path("verdict").asString()).isEqualTo("NO_SESSION");
    }
}
