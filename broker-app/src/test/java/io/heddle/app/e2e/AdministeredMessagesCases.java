package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.handler.codec.mqtt.MqttVersion;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** The messages and buckets of three brokers, seen and changed through any of them. The last test drains a broker. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(value = 6, unit = TimeUnit.MINUTES)
abstract class AdministeredMessagesCases {
    private static final int BUCKETS = 16;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final AdministeredNodes nodes;

    AdministeredMessagesCases(AdministeredNodes nodes) {
        this.nodes = nodes;
    }

    private int port(int node) {
        return nodes.port(node);
    }

    private JsonNode ok(int node, String method, String path, String body) throws IOException, InterruptedException {
        return nodes.ok(node, method, path, body);
    }

    private JsonNode get(int node, String path) throws IOException, InterruptedException {
        return nodes.get(node, path);
    }

    private int publish(int node, String topic, String payload, String further) throws Exception {
        String body = "{\"topic\": \"" + topic + "\", \"payload\": \"" + payload + "\", \"qos\": 1" + further + "}";
        return ok(node, "POST", "/api/v1/publish", body).path("recipients").asInt();
    }

    private static RawConnect persistent(String clientId) {
        return new RawConnect(MqttVersion.MQTT_5, clientId).persistent(3_600);
    }

    private static List<String> payloads(RawClient client, int count) {
        return client.take(count).stream().map(RawPublish::payload).toList();
    }

    @Order(1)
    @Test
    void messagesOfOneNodeReachSubscribersOfAllNodes() throws Exception {
        List<RawClient> subscribers = new ArrayList<>();
        for (int node = 0; node < AdministeredNodes.COUNT; node++) {
            subscribers.add(new RawConnect("publish-" + node).open(port(node)).subscribe("publish/#", 1));
        }

        assertThat(publish(1, "publish/a", "21.5", "")).isEqualTo(3);

        for (RawClient each : subscribers) {
            assertThat(payloads(each, 1)).containsExactly("21.5");
            each.leave();
        }
    }

    @Order(2)
    @Test
    void retainedMessagesAreSeenAndRemovedThroughAnyNode() throws Exception {
        publish(0, "retained/a", "one", ", \"retain\": true");
        publish(1, "retained/b", "two", ", \"retain\": true");
        await().atMost(PATIENCE)
                .until(() -> get(2, "/api/v1/retained?filter=retained/%23")
                                .path("items")
                                .size()
                        == 2);
        assertThat(get(2, "/api/v1/retained/message?topic=retained/a")
                        .path("payload")
                        .asString())
                .isEqualTo("one");

        assertThat(nodes.send(2, "DELETE", "/api/v1/retained/message?topic=retained/a", "")
                        .statusCode())
                .isEqualTo(204);
        assertThat(ok(1, "DELETE", "/api/v1/retained?filter=retained/%2B", "")
                        .path("removed")
                        .asInt())
                .isEqualTo(1);

        try (RawClient late = new RawConnect("retained-late").open(port(0)).subscribe("retained/#", 1)) {
            assertThat(late.messagesUntilPing()).isEmpty();
        }
    }

    @Order(3)
    @Test
    void theLogsOfClientsOfAllNodesAreRewoundAndClearedThroughOne() throws Exception {
        for (int node = 0; node < AdministeredNodes.COUNT; node++) {
            String clientId = "app-" + node;
            String topic = "app/" + node;
            RawClient app = persistent(clientId).open(port(node)).subscribe(topic, 1);
            for (int i = 1; i <= 3; i++) {
                publish((node + 1) % AdministeredNodes.COUNT, topic, "m" + i, "");
            }
            assertThat(payloads(app, 3)).containsExactly("m1", "m2", "m3");
            await().atMost(PATIENCE).until(() -> log(clientId).path("lag").asInt() == 0);
            assertThat(log(clientId).path("connected").asBoolean(false)).isTrue();

            JsonNode moved =
                    ok(0, "POST", "/api/v1/applications/seek", "{\"clientId\": \"" + clientId + "\", \"offset\": 1}");

            assertThat(moved.path("positionBefore").asInt()).isEqualTo(3);
            assertThat(moved.path("position").asInt()).isEqualTo(1);
            assertThat(app.closedBecause()).isPositive();
            try (RawClient back = persistent(clientId).open(port((node + 2) % AdministeredNodes.COUNT))) {
                assertThat(payloads(back, 2)).containsExactly("m2", "m3");
                back.leave();
            }
            publish(1, topic, "m4", "");
            ok(0, "DELETE", "/api/v1/applications/messages?clientId=" + clientId, "");
            publish(1, topic, "m5", "");
            try (RawClient back = persistent(clientId).open(port(node))) {
                assertThat(payloads(back, 1)).containsExactly("m5");
                back.leave();
            }
        }
        assertThat(get(1, "/api/v1/applications?limit=2").path("items").size()).isEqualTo(2);
    }

    private JsonNode log(String clientId) throws IOException, InterruptedException {
        return get(0, "/api/v1/applications/log?clientId=" + clientId);
    }

    @Order(5)
    @Test
    void eachBucketHasAHolder() throws Exception {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(get(1, "/api/v1/buckets").path("items"))
                        .allSatisfy(bucket ->
                                assertThat(bucket.path("lagBytes").asInt()).isZero()));
        JsonNode page = get(1, "/api/v1/buckets");

        assertThat(page.path("missingNodes").size()).isZero();
        assertThat(page.path("items").size()).isEqualTo(BUCKETS);
        for (JsonNode bucket : page.path("items")) {
            assertThat(bucket.path("holder").asString())
                    .isEqualTo(bucket.path("owner").asString());
            assertThat(bucket.path("appliedOffset").isNumber())
                    .as(bucket.toString())
                    .isTrue();
        }
        assertThat(page.path("items").findValuesAsString("holder").stream().distinct())
                .containsExactlyInAnyOrder(AdministeredNodes.id(0), AdministeredNodes.id(1), AdministeredNodes.id(2));
    }
}
