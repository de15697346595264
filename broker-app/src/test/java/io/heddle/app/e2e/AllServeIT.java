package io.heddle.app.e2e;

import static io.netty.handler.codec.mqtt.MqttMessageType.PUBACK;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.app.launcher.BrokerProcess;
import io.heddle.app.launcher.OwnProcesses;
import io.heddle.standalone.testkit.TestServers;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.mqtt.MqttMessageBuilders;
import io.netty.handler.codec.mqtt.MqttQoS;
import io.netty.handler.codec.mqtt.MqttVersion;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Three brokers on the same stores that all serve. */
@OwnProcesses(because = "kill -9 ends a process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class AllServeIT {
    private static final String ANONYMOUS = "--heddle.authentication.anonymous.enabled=true";
    private static final int SUBSCRIBERS = Integer.getInteger("test.subscribers", 200);
    private static final int SOCKETS = 100;
    private static final int MOVES = 60;
    private static final int HASTY = 150;
    /** For so long, PUBLISH waits for the SUBACK of its connection (PublishOrder). */
    private static final Duration PUBLISH_WAITS = Duration.ofSeconds(1);

    private final List<BrokerUnderTest> nodes = new ArrayList<>();

    @BeforeAll
    void start() {
        for (int i = 0; i < 3; i++) {
            nodes.add(BrokerUnderTest.start(ANONYMOUS, BrokerUnderTest.LONG_LEASE));
        }
    }

    @AfterAll
    void stop() {
        nodes.forEach(BrokerUnderTest::close);
    }

    @Test
    void subscribersOfAllNodesReceiveTheMessagesOfAllNodes() {
        String topic = Library.newClientId();
        List<RawClient> subscribers = new ArrayList<>();
        for (BrokerUnderTest node : nodes) {
            for (int qos = 1; qos <= 2; qos++) {
                subscribers.add(persistent().open(node.mqttPort()).subscribe(topic, qos));
                subscribers.add(transientClient().open(node.mqttPort()).subscribe(topic, qos));
            }
        }

        for (BrokerUnderTest node : nodes) {
            publish(node.mqttPort(), topic);
        }

        for (RawClient subscriber : subscribers) {
            assertThat(subscriber.take(nodes.size()))
                    .extracting(RawPublish::payload)
                    .containsOnly("message");
            subscriber.disconnect((byte) 0);
        }
    }

    @Test
    void aSubscriberIsReachedFromEachNodeOnceItsSubscriptionIsAcknowledged() {
        RawClient publisher = transientClient().open(nodes.getLast().mqttPort());
        for (int i = 0; i < SUBSCRIBERS; i++) {
            String topic = Library.newClientId();
            RawConnect subscriber = i % 2 == 0 ? persistent() : transientClient();
            RawClient subscribed = subscriber.open(nodes.getFirst().mqttPort()).subscribe(topic, 1);

            publisher.publish(topic, "message", 1, 1, false);
            publisher.expect(PUBACK);

            assertThat(subscribed.take(1)).as("message " + i).hasSize(1);
            subscribed.disconnect((byte) 0);
        }
        publisher.disconnect((byte) 0);
    }

    @Test
    void aRetainedMessageIsFoundOnEachNodeOnceItIsAcknowledged() {
        RawClient publisher = transientClient().open(nodes.getLast().mqttPort());
        RawClient subscriber = transientClient().open(nodes.getFirst().mqttPort());
        for (int i = 0; i < SUBSCRIBERS; i++) {
            String topic = Library.newClientId();
            publishRetained(publisher, topic, "message " + i);
            publisher.expect(PUBACK);

            subscriber.subscribe(topic, 1);

            assertThat(subscriber.take(1)).extracting(RawPublish::payload).containsExactly("message " + i);
            publishRetained(publisher, topic, "");
            publisher.expect(PUBACK);
            assertThat(subscriber.take(1)).extracting(RawPublish::payload).containsExactly("");
        }
        publisher.disconnect((byte) 0);
        subscriber.disconnect((byte) 0);
    }

    private static void publishRetained(RawClient publisher, String topic, String payload) {
        publisher.send(MqttMessageBuilders.publish()
                .topicName(topic)
                .messageId(1)
                .qos(MqttQoS.AT_LEAST_ONCE)
                .retained(true)
                .payload(Unpooled.copiedBuffer(payload, UTF_8))
                .build());
    }

    /** The requesting client sends SUBSCRIBE and the request without waiting for SUBACK. */
    @Test
    void anAnswerFromAnotherNodeReachesTheSubscriptionSentBeforeTheRequest() {
        String requests = Library.newClientId();
        RawClient responder = transientClient().open(nodes.getLast().mqttPort()).subscribe(requests, 1);
        int inTime = 0;
        for (int i = 0; i < SUBSCRIBERS; i++) {
            String answers = Library.newClientId();
            RawConnect connect = i % 4 == 0 ? transientClient() : persistent();
            RawClient requester = connect.open(nodes.getFirst().mqttPort());
            long start = System.nanoTime();
            requester.send(MqttMessageBuilders.subscribe()
                    .messageId(1)
                    .addSubscription(MqttQoS.AT_LEAST_ONCE, answers)
                    .build());
            requester.publish(requests, answers, 1, 2, false);
            RawPublish request = responder.take(1).getFirst();
            boolean waited = System.nanoTime() - start < PUBLISH_WAITS.toNanos();
            responder.publish(request.payload(), "answer", 1, 1, false);
            responder.expect(PUBACK);

            // A request that took longer has not waited for its SUBACK to the end.
            if (waited) {
                inTime++;
                assertThat(requester.packetsUntilMessages(1))
                        .as("request " + i)
                        .startsWith("SUBACK 1")
                        .last()
                        .asString()
                        .startsWith("PUBLISH answer");
            }
            requester.disconnect((byte) 0);
        }
        assertThat(inTime).isGreaterThan(SUBSCRIBERS / 2);
        responder.disconnect((byte) 0);
    }

    @Test
    void theWillOfAConnectionPrecedesWhatTheNextConnectionPublishes() {
        String topic = Library.newClientId();
        String device = Library.newClientId();
        RawClient watcher = transientClient().open(nodes.getLast().mqttPort()).subscribe(topic, 1);
        for (int i = 0; i < MOVES; i++) {
            RawClient connection = new RawConnect(MqttVersion.MQTT_5, device)
                    .retainedWill(topic, "offline")
                    .open(nodes.get(i % nodes.size()).mqttPort());
            publishRetained(connection, topic, "online " + i);
            connection.expect(PUBACK);

            List<String> expected = i == 0 ? List.of("online 0") : List.of("offline", "online " + i);
            assertThat(watcher.take(expected.size()))
                    .as("move " + i)
                    .extracting(RawPublish::payload)
                    .isEqualTo(expected);
        }
        assertThat(watcher.packetsUntilPing()).isEmpty();
        RawClient reader = transientClient().open(nodes.getFirst().mqttPort()).subscribe(topic, 1);
        assertThat(reader.take(1)).extracting(RawPublish::payload).containsExactly("online " + (MOVES - 1));
        reader.disconnect((byte) 0);
        watcher.disconnect((byte) 0);
    }

    @ParameterizedTest
    @EnumSource
    void aMessageOfAClientThatDoesNotWaitForConnackIsPublished(HastyClient kind) {
        String topic = Library.newClientId();
        RawClient subscriber =
                transientClient().open(nodes.getFirst().mqttPort()).subscribe(topic, 0);
        List<String> published = new ArrayList<>();
        for (int i = 0; i < HASTY; i++) {
            String payload = "message " + i;
            // Every other client has the client id of an earlier one, which may still be connecting.
            String clientId = i % 2 == 0 ? Library.newClientId() : topic;
            kind.publish(nodes.get(i % nodes.size()).mqttPort(), clientId, topic, payload);
            published.add(payload);
        }

        List<String> received = new ArrayList<>();
        while (received.size() < HASTY) {
            received.add(subscriber.message().payload());
        }
        assertThat(received).containsExactlyInAnyOrderElementsOf(published);
        subscriber.disconnect((byte) 0);
    }

    @Test
    void ofManyConnectionsWithOneClientIdOneIsLeft() throws Exception {
        RawConnect client = persistent();
        try (ExecutorService threads = Executors.newFixedThreadPool(SOCKETS)) {
            List<Future<RawClient>> opening = new ArrayList<>();
            for (int i = 0; i < SOCKETS; i++) {
                int port = nodes.get(i % nodes.size()).mqttPort();
                opening.add(threads.submit(() -> client.open(port)));
            }
            List<RawClient> connected = new ArrayList<>();
            for (Future<RawClient> each : opening) {
                connected.add(each.get());
            }
            Soon.until(() -> nodes.stream()
                            .filter(node -> node.hasConnection(client.clientId()))
                            .count()
                    == 1);

            int answering = 0;
            for (RawClient each : connected) {
                answering += answersPing(each) ? 1 : 0;
            }
            assertThat(answering).isOne();
        }
    }

    private static boolean answersPing(RawClient client) {
        try {
            var _ = client.packetsUntilPing();
            return true;
        } catch (UncheckedIOException | AssertionError e) {
            return false;
        }
    }

    @Test
    void aPersistentSessionMovesFromNodeToNode() {
        String topic = Library.newClientId();
        RawConnect client = persistent();
        client.open(nodes.getFirst().mqttPort()).subscribe(topic, 1).leave();
        for (BrokerUnderTest node : nodes) {
            publish(nodes.getFirst().mqttPort(), topic);
            try (RawClient back = client.open(node.mqttPort())) {
                assertThat(back.sessionPresent()).isTrue();
                assertThat(back.take(1)).extracting(RawPublish::payload).containsExactly("message");
                assertThat(back.packetsUntilPing()).isEmpty();
                back.leave();
            }
        }
    }

    @Test
    void theBucketsOfAKilledNodeAreTakenByTheOthers() throws Exception {
        String topic = Library.newClientId();
        List<RawConnect> clients = new ArrayList<>();
        try (BrokerProcess killed = BrokerProcess.withoutServers(BrokerUnderTest.settings(
                        "all-killed", TestServers.shared(), ANONYMOUS, BrokerUnderTest.LONG_LEASE))
                .awaitReady()) {
            for (int i = 0; i < 30; i++) {
                RawConnect client = persistent();
                client.open(killed.mqttPort()).subscribe(topic, 1).leave();
                clients.add(client);
            }
            publish(nodes.getFirst().mqttPort(), topic);
            killed.kill();
            publish(nodes.getLast().mqttPort(), topic);
        }

        for (RawConnect client : clients) {
            try (RawClient back = client.open(nodes.getFirst().mqttPort())) {
                assertThat(back.sessionPresent()).isTrue();
                assertThat(back.take(2)).extracting(RawPublish::payload).containsOnly("message");
                assertThat(back.packetsUntilPing()).isEmpty();
                back.leave();
            }
        }
    }

    private static RawConnect persistent() {
        return new RawConnect(MqttVersion.MQTT_5, Library.newClientId()).persistent(3_600);
    }

    private static RawConnect transientClient() {
        return new RawConnect(MqttVersion.MQTT_5, Library.newClientId());
    }

    private static void publish(int port, String topic) {
        try (RawClient publisher = transientClient().open(port)) {
            publisher.publish(topic, "message", 1, 1, false);
            publisher.expect(PUBACK);
            publisher.disconnect((byte) 0);
        }
    }
}
