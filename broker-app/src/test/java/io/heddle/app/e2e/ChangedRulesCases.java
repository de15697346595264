package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5Client;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttVersion;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Rules that are changed over one of three brokers while clients of all of them use their topics. */
@Timeout(value = 6, unit = TimeUnit.MINUTES)
abstract class ChangedRulesCases {
    private static final int NOT_AUTHORIZED = 0x87;
    private static final Duration APPLIED_WITHIN = Duration.ofSeconds(1);
    private static final int TOPICS = 4;
    private static final int CLIENTS = 6;
    private static final int CHANGES = 20;

    private final AdministeredNodes nodes;

    ChangedRulesCases(AdministeredNodes nodes) {
        this.nodes = nodes;
    }

    /** Replaces the rules over a node, and returns when all nodes apply them. */
    private void change(int node, String rules) throws Exception {
        JsonNode changed =
                nodes.ok(node, "PUT", "/api/v1/rules", JsonMapper.shared().writeValueAsString(Map.of("text", rules)));
        assertThat(changed.path("missing").isEmpty()).as(changed.toString()).isTrue();
        assertThat(changed.path("applied").size()).isEqualTo(AdministeredNodes.COUNT);
    }

    @Test
    void aChangeReachesClientsOfAllNodes() throws Exception {
        change(0, "default allow");
        List<RawClient> clients = new ArrayList<>();
        for (int node = 0; node < AdministeredNodes.COUNT; node++) {
            clients.add(new RawConnect(MqttVersion.MQTT_5, "rules-" + node)
                    .open(nodes.port(node))
                    .subscribe("secret/#", 1));
        }

        String denying = "default allow\ndeny all secret/# for everyone";
        JsonNode run = nodes.ok(
                1, "POST", "/api/v1/rules/dry-run", JsonMapper.shared().writeValueAsString(Map.of("text", denying)));
        assertThat(run.path("losingClients").asInt()).as(run.toString()).isEqualTo(clients.size());
        assertThat(run.path("losses").findValuesAsString("node"))
                .containsExactlyInAnyOrder(AdministeredNodes.id(0), AdministeredNodes.id(1), AdministeredNodes.id(2));
        assertThat(run.path("missingNodes").isEmpty()).isTrue();
        assertThat(run.path("decisions").path("nodes").valueStream().map(JsonNode::asString))
                .containsExactlyInAnyOrder(AdministeredNodes.id(0), AdministeredNodes.id(1), AdministeredNodes.id(2));
        change(1, denying);

        for (RawClient each : clients) {
            assertThat(each.closedBecause()).isEqualTo(NOT_AUTHORIZED);
            each.close();
        }
    }

    @Test
    void rulesAreRehearsedWithTheLatestDecisionsOfAllNodes() throws Exception {
        change(0, "default allow\ndeny publish rehearsed/denied for everyone");
        for (int node = 0; node < AdministeredNodes.COUNT; node++) {
            try (RawClient client = new RawConnect("rehearsing").open(nodes.port(node))) {
                for (String topic : List.of("rehearsed/allowed", "rehearsed/denied")) {
                    client.publish(topic, "x", 1, 1, false);
                    client.expect(MqttMessageType.PUBACK);
                }
            }
        }

        String proposed = "default allow\ndeny publish rehearsed/allowed for client rehearsing";
        JsonNode decisions = nodes.ok(
                        2,
                        "POST",
                        "/api/v1/rules/dry-run",
                        JsonMapper.shared().writeValueAsString(Map.of("text", proposed)))
                .path("decisions");

        assertThat(decisions.path("wouldDeny").asInt()).as(decisions.toString()).isEqualTo(AdministeredNodes.COUNT);
        JsonNode change = decisions.path("changes").path(0);
        assertThat(change.path("clientId").asString()).isEqualTo("rehearsing");
        assertThat(change.path("topic").asString()).isEqualTo("rehearsed/allowed");
        assertThat(change.path("proposed").asString()).isEqualTo("DENIED");
        assertThat(change.path("nodes").valueStream().map(JsonNode::asString))
                .containsExactly(AdministeredNodes.id(0), AdministeredNodes.id(1), AdministeredNodes.id(2));
        assertThat(decisions
                        .path("changes")
                        .valueStream()
                        .filter(each -> each.path("topic").asString().equals("rehearsed/denied")))
                .singleElement()
                .matches(each -> each.path("proposed").asString().equals("ALLOWED"))
                .matches(each -> each.path("sampled").asInt() == AdministeredNodes.COUNT);
    }

    /** A message with the time of its arrival at the client. */
    private record Received(int topic, String payload, long nanos) {}

    /** Rules in force from a moment between two times. {@code allowed[client][topic]}. */
    private record Era(long sentNanos, long appliedNanos, List<List<Boolean>> allowed) {}

    @Test
    void noClientReceivesWhatItsRulesDenyAndAllowedMessagesAreNotLost() throws Exception {
        long seed = Long.getLong("heddle.test.seed", System.nanoTime());
        Random random = new Random(seed);
        List<Era> eras = new ArrayList<>();
        eras.add(change(random, 0));
        List<Mqtt5AsyncClient> clients = new ArrayList<>();
        List<Queue<Received>> received = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            Queue<Received> own = new ConcurrentLinkedQueue<>();
            received.add(own);
            Mqtt5AsyncClient client = connected("rules-client-" + i, i);
            client.publishes(
                    MqttGlobalPublishFilter.ALL,
                    message -> own.add(new Received(
                            message.getTopic().getLevels().get(1).charAt(0) - '0',
                            new String(message.getPayloadAsBytes(), StandardCharsets.UTF_8),
                            System.nanoTime())));
            clients.add(client);
        }
        Mqtt5AsyncClient publisher = connected("rules-any-publisher", 1);
        subscribe(clients);
        int sent = 0;
        for (int i = 0; i < CHANGES; i++) {
            long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(random.nextInt(200));
            do {
                for (int topic = 0; topic < TOPICS; topic++) {
                    publish(publisher, "rules/" + topic, sent);
                }
                publish(publisher, "rules/" + TOPICS, sent++);
            } while (System.nanoTime() < until);
            eras.add(change(random, random.nextInt(AdministeredNodes.COUNT)));
            subscribe(clients);
        }
        int messages = sent;
        for (int i = 0; i < CLIENTS; i++) {
            Queue<Received> own = received.get(i);
            Soon.until(Duration.ofSeconds(30), () -> ofTopic(own, TOPICS).size() >= messages);
            assertThat(ofTopic(own, TOPICS)).as("seed %d, client %d", seed, i).hasSize(messages);
            for (Received each : own) {
                assertThat(each.topic() == TOPICS || mayHaveBeenAllowed(eras, i, each))
                        .as("seed %d, client %d: %s", seed, i, each)
                        .isTrue();
            }
        }
        for (Mqtt5AsyncClient each : clients) {
            each.disconnect().join();
        }
        publisher.disconnect().join();
    }

    private static List<Received> ofTopic(Queue<Received> all, int topic) {
        return all.stream().filter(each -> each.topic() == topic).toList();
    }

    /** Returns whether rules that may have been in force within the second before the arrival allowed the message. */
    private static boolean mayHaveBeenAllowed(List<Era> eras, int client, Received message) {
        long from = message.nanos() - APPLIED_WITHIN.toNanos();
        for (int i = 0; i < eras.size(); i++) {
            Era era = eras.get(i);
            boolean begins = era.sentNanos() <= message.nanos();
            boolean lasts = i + 1 == eras.size() || eras.get(i + 1).appliedNanos() >= from;
            if (begins && lasts && era.allowed().get(client).get(message.topic())) {
                return true;
            }
        }
        return false;
    }

    /** Draws which clients may use which topics. The last topic is always allowed. */
    private Era change(Random random, int node) throws Exception {
        StringBuilder rules = new StringBuilder("default deny\nrevoked-subscriptions remove\n"
                + "allow all rules/# for client rules-any-publisher\n"
                + "allow subscribe rules/" + TOPICS + " for everyone\n");
        List<List<Boolean>> allowed = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
            List<Boolean> topics = new ArrayList<>();
            for (int topic = 0; topic < TOPICS; topic++) {
                boolean isAllowed = random.nextBoolean();
                topics.add(isAllowed);
                if (isAllowed) {
                    rules.append("allow subscribe rules/" + topic + " for client rules-client-" + client + "\n");
                }
            }
            allowed.add(topics);
        }
        long sentNanos = System.nanoTime();
        change(node, rules.toString());
        return new Era(sentNanos, System.nanoTime(), allowed);
    }

    /** The broker answers denied filters with an error, which is expected. */
    private static void subscribe(List<Mqtt5AsyncClient> clients) {
        for (Mqtt5AsyncClient client : clients) {
            for (int topic = 0; topic <= TOPICS; topic++) {
                client.subscribeWith()
                        .topicFilter("rules/" + topic)
                        .qos(MqttQos.AT_LEAST_ONCE)
                        .send()
                        .handle((_, _) -> true)
                        .join();
            }
        }
    }

    private static void publish(Mqtt5AsyncClient publisher, String topic, int number) {
        publisher
                .publishWith()
                .topic(topic)
                .qos(MqttQos.AT_LEAST_ONCE)
                .payload(Integer.toString(number).getBytes(StandardCharsets.UTF_8))
                .send()
                .join();
    }

    /** Half of the clients have persistent sessions. */
    private Mqtt5AsyncClient connected(String clientId, int number) {
        Mqtt5AsyncClient client = Mqtt5Client.builder()
                .identifier(clientId)
                .serverHost("127.0.0.1")
                .serverPort(nodes.port(number % AdministeredNodes.COUNT))
                .buildAsync();
        client.connectWith()
                .cleanStart(true)
                .sessionExpiryInterval(number % 2 == 0 ? 600 : 0)
                .send()
                .join();
        return client;
    }
}
