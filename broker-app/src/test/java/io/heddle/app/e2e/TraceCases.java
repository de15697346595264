package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Packets of clients of one broker, as another one shows them while they are sent and received. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
abstract class TraceCases {
    private final AdministeredNodes nodes;

    TraceCases(AdministeredNodes nodes) {
        this.nodes = nodes;
    }

    private static final class Traced implements AutoCloseable {
        private final AdministeredNodes nodes;
        private final ExecutorService thread = Executors.newVirtualThreadPerTaskExecutor();
        private final Future<String> stream;

        Traced(AdministeredNodes nodes, String query) {
            this.nodes = nodes;
            stream = thread.submit(
                    () -> nodes.send(2, "GET", "/api/v1/trace?" + query, "").body());
            awaitActive(1);
        }

        private void awaitActive(int count) {
            Soon.untilAsserted(() -> {
                for (int node = 0; node < AdministeredNodes.COUNT; node++) {
                    assertThat(nodes.send(node, "GET", "/actuator/prometheus", "")
                                    .body())
                            .contains("\nheddle_traces_active " + count + ".0\n");
                }
            });
        }

        /** Returns the events of the packets and the last event. */
        List<JsonNode> events() throws Exception {
            List<JsonNode> events = new ArrayList<>();
            for (String line : stream.get().split("\n\n", -1)) {
                if (line.startsWith("data: ")) {
                    JsonNode event = JsonMapper.shared().readTree(line.substring("data: ".length()));
                    if (!event.path("event").asString("").equals("node")) {
                        events.add(event);
                    }
                }
            }
            awaitActive(0);
            return events;
        }

        @Override
        public void close() {
            thread.shutdownNow();
        }
    }

    private static List<String> described(List<JsonNode> events) {
        return events.stream()
                .map(each -> each.path("event").asString("")
                        + " " + each.path("direction").asString("") + " "
                        + each.path("packet").asString(each.path("reason").asString("")))
                .toList();
    }

    @Test
    void aClientOfAnotherNodeIsSeenFromItsConnectToItsEnd() throws Exception {
        try (Traced traced = new Traced(nodes, "clientId=traced&seconds=60&maxEvents=12")) {
            try (RawClient client = new RawConnect(MqttVersion.MQTT_5, "traced")
                    .open(nodes.port(0))
                    .subscribe("traced/#", 2)) {
                client.publish("traced/state", "x", 1, 5, false);
                assertThat(client.packetsUntilPing()).hasSize(2);
            }
            List<JsonNode> events = traced.events();

            assertThat(events.getFirst().path("node").asString()).isEqualTo(AdministeredNodes.id(0));
            assertThat(described(events))
                    .contains(
                            "packet in CONNECT",
                            "packet out CONNACK",
                            "packet in SUBSCRIBE",
                            "packet out SUBACK",
                            "packet in PUBLISH",
                            "packet out PUBLISH",
                            "packet out PUBACK",
                            "packet in PINGREQ",
                            "packet out PINGRESP")
                    .endsWith("disconnected  closed_without_disconnect", "end  count");
            assertThat(events.toString()).doesNotContain("\"payload\"");
        }
    }

    @Test
    void aTraceOfATopicShowsTheMessageFromThePublisherToTheSubscriberOfAnotherNode() throws Exception {
        try (RawClient subscriber =
                        new RawConnect("traced-reader").open(nodes.port(1)).subscribe("traced/t", 1);
                RawClient publisher = new RawConnect("traced-writer").open(nodes.port(0));
                Traced traced = new Traced(nodes, "topicFilter=traced/%2B&seconds=60&maxEvents=2&payload=true")) {
            publisher.publish("traced/t", "warm", 1, 5, false);
            publisher.expect(MqttMessageType.PUBACK);
            assertThat(subscriber.take(1)).hasSize(1);

            List<JsonNode> events = traced.events();

            assertThat(described(events))
                    .containsExactlyInAnyOrder("packet in PUBLISH", "packet out PUBLISH", "end  count");
            assertThat(events.subList(0, 2))
                    .allSatisfy(
                            each -> assertThat(each.path("payload").asString()).isEqualTo("warm"))
                    .extracting(each -> each.path("node").asString())
                    .containsExactlyInAnyOrder(AdministeredNodes.id(0), AdministeredNodes.id(1));
        }
    }
}
