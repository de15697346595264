package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttVersion;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** The activity of clients of three brokers, as one of the others shows it. */
@Timeout(value = 6, unit = TimeUnit.MINUTES)
abstract class ActivityCases {
    private final AdministeredNodes nodes;

    ActivityCases(AdministeredNodes nodes) {
        this.nodes = nodes;
    }

    private static JsonNode entry(JsonNode ranking, String name) {
        for (JsonNode each : ranking.path("items").values()) {
            if (each.path("name").asString().equals(name)) {
                return each.path("value");
            }
        }
        return ranking.path(name);
    }

    @Test
    void clientsAndTopicsOfOtherNodesAreRanked() throws Exception {
        try (RawClient busy = new RawConnect("busy").open(nodes.port(0)).subscribe("other", 1);
                RawClient reader = new RawConnect("reader").open(nodes.port(1)).subscribe("activity/state", 1);
                RawClient other = new RawConnect("other").open(nodes.port(2)).subscribe("activity/#", 1)) {
            for (int i = 0; i < 100; i++) {
                busy.publish("activity/state", "0123456789", 1, 1, false);
                busy.expect(MqttMessageType.PUBACK);
            }
            assertThat(reader.take(100)).hasSize(100);
            assertThat(other.take(100)).hasSize(100);

            JsonNode top = nodes.get(2, "/api/v1/top?limit=100");

            assertThat(top.path("missingNodes")).isEmpty();
            double in = entry(top.at("/clients/messagesIn"), "busy").asDouble();
            assertThat(in).isPositive();
            assertThat(entry(top.at("/clients/bytesIn"), "busy").asDouble() / in)
                    .isBetween(9.0, 11.0);
            assertThat(entry(top.at("/clients/messagesOut"), "reader").asDouble())
                    .isPositive();
            // The node of each subscriber counts what it has sent.
            assertThat(entry(top.at("/topics/messagesOut"), "activity/state").asDouble())
                    .isGreaterThan(entry(top.at("/topics/messagesIn"), "activity/state")
                            .asDouble());
            assertThat(entry(top.at("/clients/connects"), "reader").asDouble()).isPositive();
            assertThat(entry(top.at("/clients/subscriptions"), "busy").asInt()).isEqualTo(1);
        }
    }

    @Test
    void aClientThatDoesNotAcknowledgeIsSlow() throws Exception {
        try (RawClient _ = new RawConnect(MqttVersion.MQTT_5, "slow")
                        .persistent(60)
                        .receiveMaximum(1)
                        .open(nodes.port(0))
                        .subscribe("activity/slow", 1);
                RawClient publisher = new RawConnect("busy").open(nodes.port(1))) {
            for (int i = 0; i < 5; i++) {
                publisher.publish("activity/slow", "x", 1, 1, false);
                publisher.expect(MqttMessageType.PUBACK);
            }

            Soon.untilAsserted(() -> {
                JsonNode slow = nodes.get(2, "/api/v1/slow-clients?limit=1");
                assertThat(slow.at("/items/0/clientId").asString("")).isEqualTo("slow");
                assertThat(slow.at("/items/0/node").asString("")).isEqualTo(AdministeredNodes.id(0));
                assertThat(slow.at("/items/0/waiting").asInt()).isEqualTo(5);
                assertThat(slow.at("/items/0/advice").asString("")).startsWith("It has not acknowledged 1 message");
            });
        }
        nodes.send(1, "DELETE", "/api/v1/client/session?clientId=slow", "");
    }

    @Test
    void theHistoryHasTheFiguresOfAllNodes() throws Exception {
        try (RawClient _ = new RawConnect("counted").open(nodes.port(0));
                RawClient _ = new RawConnect("counted-too").open(nodes.port(1))) {
            Soon.untilAsserted(() -> {
                JsonNode history = nodes.get(2, "/api/v1/history?figures=connections,connects");
                assertThat(history.path("missingNodes")).isEmpty();
                assertThat(history.path("nodes")).hasSize(3);
                JsonNode connections = history.at("/cluster/connections");
                assertThat(connections).hasSize(360);
                assertThat(connections.get(359).asInt()).isGreaterThanOrEqualTo(2);
                assertThat(history.at("/cluster/connects").get(359).isNull()).isFalse();
            });
        }
    }
}
