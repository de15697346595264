package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.handler.codec.mqtt.MqttVersion;
import java.io.IOException;
import java.net.http.HttpResponse;
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

/** The clients of three brokers, seen and changed through one of them. The last test kills a broker. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(value = 6, unit = TimeUnit.MINUTES)
abstract class AdministeredClientsCases {
    private static final int ADMINISTRATIVE_ACTION = 0x98;
    private static final Duration KILLED_WITHIN = Duration.ofSeconds(30);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final AdministeredNodes nodes;

    AdministeredClientsCases(AdministeredNodes nodes) {
        this.nodes = nodes;
    }

    private HttpResponse<String> send(String method, String path) throws IOException, InterruptedException {
        return nodes.send(0, method, path, "");
    }

    private JsonNode get(String path) throws IOException, InterruptedException {
        return nodes.get(0, path);
    }

    private static List<String> ids(JsonNode page) {
        return page.path("items")
                .valueStream()
                .map(each -> each.path("clientId").asString())
                .toList();
    }

    private static List<String> missing(JsonNode page) {
        return page.path("missingNodes").valueStream().map(JsonNode::asString).toList();
    }

    private static RawConnect persistent(String clientId) {
        return new RawConnect(MqttVersion.MQTT_5, clientId).persistent(3_600);
    }

    private int port(int node) {
        return nodes.port(node);
    }

    @Order(1)
    @Test
    void clientsOfAllNodesAreListedAndFiltered() throws Exception {
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            clients.add(new RawConnect("list-" + i).keepAliveSeconds(600 + i).open(port(i % AdministeredNodes.COUNT)));
        }
        persistent("list-away").open(port(1)).leave();
        await().untilAsserted(() -> assertThat(get("/api/v1/client?clientId=list-away")
                        .path("client")
                        .path("state")
                        .asString())
                .isEqualTo("AWAY"));

        List<String> all = new ArrayList<>();
        String path = "/api/v1/clients?clientIdPrefix=list-&limit=4";
        JsonNode page = get(path);
        while (true) {
            assertThat(page.path("items").size()).isLessThanOrEqualTo(4);
            assertThat(missing(page)).isEmpty();
            all.addAll(ids(page));
            if (page.path("next").isNull()) {
                break;
            }
            page = get(path + "&after=" + page.path("next").asString());
        }
        assertThat(all)
                .containsExactly(
                        "list-0",
                        "list-1",
                        "list-2",
                        "list-3",
                        "list-4",
                        "list-5",
                        "list-6",
                        "list-7",
                        "list-8",
                        "list-away");
        assertThat(ids(get("/api/v1/clients?clientIdPrefix=list-&node=" + AdministeredNodes.id(1))))
                .containsExactly("list-1", "list-4", "list-7");
        assertThat(ids(get("/api/v1/clients?clientId=list-*&state=AWAY"))).containsExactly("list-away");
        assertThat(ids(get("/api/v1/clients?clientId=list-?&address=127.0.0.0/8&sort=-clientId&limit=2")))
                .containsExactly("list-8", "list-7");
        assertThat(ids(get("/api/v1/clients?clientIdPrefix=list-&address=10.0.0.0/8")))
                .isEmpty();
        JsonNode two = get("/api/v1/clients?clientId=list-2").path("items").path(0);
        assertThat(two.path("node").asString()).isEqualTo(AdministeredNodes.id(2));
        assertThat(two.path("keepAliveSeconds").asInt()).isEqualTo(602);
        assertThat(two.path("protocolVersion").asString()).isEqualTo("5.0");
        clients.forEach(RawClient::leave);
        assertThat(send("DELETE", "/api/v1/client/session?clientId=list-away").statusCode())
                .isEqualTo(204);
        await().untilAsserted(() ->
                assertThat(ids(get("/api/v1/clients?clientIdPrefix=list-"))).isEmpty());
    }

    @Order(2)
    @Test
    void sessionsOfAllNodesEndThroughOne() throws Exception {
        for (int node = 0; node < AdministeredNodes.COUNT; node++) {
            String clientId = "end-" + node;
            RawClient client = persistent(clientId).open(port(node)).subscribe("queue", 1);
            JsonNode subscriptions = get("/api/v1/client/subscriptions?clientId=" + clientId);
            assertThat(subscriptions.path("items").path(0).path("qos").asInt()).isEqualTo(1);

            assertThat(send("DELETE", "/api/v1/client/session?clientId=" + clientId)
                            .statusCode())
                    .isEqualTo(204);

            assertThat(client.closedBecause()).isEqualTo(ADMINISTRATIVE_ACTION);
            try (RawClient again = persistent(clientId).open(port((node + 1) % AdministeredNodes.COUNT))) {
                assertThat(again.sessionPresent()).isFalse();
                assertThat(again.packetsUntilPing()).isEmpty();
            }
        }
    }

    @Order(3)
    @Test
    void anyNodeIsDrainedThroughAnother() throws Exception {
        assertThat(nodes.send(0, "POST", "/api/v1/nodes/drain?nodeId=absent", "")
                        .statusCode())
                .isEqualTo(404);
        assertThat(nodes.send(0, "POST", "/api/v1/nodes/drain?nodeId=" + AdministeredNodes.id(2), "")
                        .statusCode())
                .isEqualTo(202);

        nodes.node(2).awaitEnd(PATIENCE);
    }

    /** While Kafka stands still, the killed node stays a member. */
    @Order(4)
    @Test
    void aKilledNodeIsMissing() throws Exception {
        new RawConnect("killed-c").open(port(1)).close();
        try (RawClient _ = new RawConnect("killed-b").open(port(0))) {
            nodes.kafka().pause();
            try {
                nodes.node(1).kill();
                nodes.node(1).awaitEnd(KILLED_WITHIN);

                JsonNode page = get("/api/v1/clients?clientIdPrefix=killed-");

                assertThat(ids(page)).containsExactly("killed-b");
                assertThat(missing(page)).containsExactly(AdministeredNodes.id(1));
            } finally {
                nodes.kafka().resume();
            }
        }
    }
}
