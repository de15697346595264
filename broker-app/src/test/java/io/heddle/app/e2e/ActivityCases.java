package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttVersion;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
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
            JsonNode tree = nodes.get(2, "/api/v1/top/topics");
            assertThat(tree.path("missingNodes")).isEmpty();
            assertThat(tree.path("branches").values()).anySatisfy(each -> {
                assertThat(each.path("topic").asString()).startsWith("activity");
                assertThat(each.at("/traffic/messagesOut").asDouble())
                        .isGreaterThan(each.at("/traffic/messagesIn").asDouble());
            });
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
        } finally {
            nodes.send(1, "DELETE", "/api/v1/client/session?clientId=slow", "");
        }
    }

    @Test
    void theMembersOfASharedGroupSayWhichMessagesTheyGet() throws Exception {
        String filter = "$share/workers/activity/jobs";
        try (RawClient _ = new RawConnect("worker-1").open(nodes.port(0)).subscribe(filter, 1);
                RawClient _ = new RawConnect(MqttVersion.MQTT_5, "worker-2")
                        .persistent(60)
                        .open(nodes.port(1))
                        .subscribe(filter, 1)) {
            RawClient away = new RawConnect(MqttVersion.MQTT_5, "worker-3")
                    .persistent(60)
                    .open(nodes.port(1))
                    .subscribe(filter, 1);
            away.close();

            Soon.untilAsserted(() -> {
                JsonNode group = nodes.get(2, "/api/v1/shared-groups?shareNamePrefix=workers")
                        .at("/items/0");
                assertThat(group.path("filter").asString("")).isEqualTo("activity/jobs");
                assertThat(group.path("members").asInt()).isEqualTo(3);
                assertThat(group.path("connected").asInt()).isEqualTo(2);
                JsonNode members =
                        nodes.get(2, "/api/v1/shared-groups/members?topicFilter=%24share%2Fworkers%2Factivity%2Fjobs");
                assertThat(members.path("missingNodes")).isEmpty();
                assertThat(members.at("/nextMember/explanation").asString(""))
                        .matches("A message that is published at node " + AdministeredNodes.id(2)
                                + " now goes to (worker-2: it is the turn|a member at node " + AdministeredNodes.id(0)
                                + ",).*");
                assertThat(members.path("items").values().stream()
                                .map(each -> each.path("clientId").asString() + " "
                                        + each.path("state").asString() + " "
                                        + each.path("node").asString("nowhere")))
                        .containsExactly(
                                "worker-1 READY " + AdministeredNodes.id(0),
                                "worker-2 READY " + AdministeredNodes.id(1),
                                "worker-3 AWAY nowhere");
            });
        } finally {
            nodes.send(1, "DELETE", "/api/v1/client/session?clientId=worker-2", "");
            nodes.send(1, "DELETE", "/api/v1/client/session?clientId=worker-3", "");
        }
    }

    @Test
    void theMessagesInTheQueueOfAMemberWait() throws Exception {
        try (RawClient _ = new RawConnect(MqttVersion.MQTT_5, "worker-4")
                        .persistent(60)
                        .receiveMaximum(1)
                        .open(nodes.port(0))
                        .subscribe("$share/waiting/activity/jobs", 1);
                RawClient publisher = new RawConnect("busy").open(nodes.port(1))) {
            for (int i = 0; i < 3; i++) {
                publisher.publish("activity/jobs", "x", 1, 1, false);
                publisher.expect(MqttMessageType.PUBACK);
            }

            Soon.untilAsserted(() -> {
                JsonNode member = nodes.get(
                                2, "/api/v1/shared-groups/members?topicFilter=%24share%2Fwaiting%2Factivity%2Fjobs")
                        .at("/items/0");
                assertThat(member.path("state").asString("")).isEqualTo("BUSY");
                assertThat(member.path("inFlight").asInt()).isEqualTo(1);
                assertThat(member.path("waiting").asInt()).isEqualTo(2);
            });
        } finally {
            nodes.send(1, "DELETE", "/api/v1/client/session?clientId=worker-4", "");
        }
    }

    @Test
    void allNodesSayWhichAlertsFire() throws Exception {
        JsonNode alerts = nodes.get(2, "/api/v1/alerts");

        assertThat(alerts.path("missingNodes")).isEmpty();
        assertThat(alerts.path("items").isArray()).isTrue();
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
                // Two values are left out at most, until all nodes have recorded them.
                JsonNode connects = history.at("/cluster/connects");
                assertThat(IntStream.rangeClosed(357, 359)
                                .filter(i -> connections.get(i).asInt() >= 2
                                        && !connects.get(i).isNull()))
                        .isNotEmpty();
            });
        }
    }

    @Test
    void theLedgerAccountsForTheCopiesOfAllNodes() throws Exception {
        try (RawClient subscriber =
                        new RawConnect("audited").open(nodes.port(0)).subscribe("activity/ledger", 1);
                RawClient publisher = new RawConnect("auditor").open(nodes.port(1))) {
            Soon.untilAsserted(() -> {
                publisher.publish("activity/ledger", "x", 1, 1, false);
                publisher.expect(MqttMessageType.PUBACK);
                subscriber.take(1);
                JsonNode ledger = nodes.get(2, "/api/v1/ledger");
                assertThat(ledger.path("missingNodes")).isEmpty();
                assertThat(copies(ledger, 0, "received")).isPositive();
                assertThat(copies(ledger, 0, "delivered")).isPositive();
                assertThat(copies(ledger, 1, "accepted")).isPositive();
                assertThat(ledger.at("/cluster/differences").values())
                        .hasSize(3)
                        .allMatch(each -> each.path("copies").asInt() == 0);
            });
        }
    }

    private static long copies(JsonNode ledger, int node, String flow) {
        return ledger.path("nodes").path(node).path("flows").values().stream()
                .filter(each -> each.path("flow").asString().equals(flow))
                .mapToLong(each -> each.path("copies").asLong())
                .sum();
    }
}
