package io.heddle.app.e2e;

import static io.netty.handler.codec.mqtt.MqttMessageType.PUBACK;
import static io.netty.handler.codec.mqtt.MqttMessageType.PUBCOMP;
import static io.netty.handler.codec.mqtt.MqttMessageType.PUBREL;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.app.launcher.BrokerProcess;
import io.heddle.standalone.testkit.TestServers;
import io.netty.handler.codec.mqtt.MqttVersion;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A broker process and a standby with default settings, of which the serving one is killed while clients publish. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class StandbyIT {
    private static final Logger log = LoggerFactory.getLogger(StandbyIT.class);
    private static final Duration SERVES_WITHIN = Duration.ofSeconds(5);
    private static final Duration ENDS_WITHIN = Duration.ofSeconds(60);
    /** Not above the Receive Maximum of the broker. */
    private static final int MESSAGES = 20;

    private static final int ANSWERED = 6;
    private static final String TOPIC = "standby/messages";
    private static final String WILL_TOPIC = "standby/will";

    @Test
    void theStandbyServesWithinSecondsAndNothingIsLostOrRepeated() throws Exception {
        try (BrokerProcess first = node("standby-a").awaitReady();
                BrokerProcess second = node("standby-b").awaitStandby()) {
            assertThat(get(second, "/actuator/health/readiness")).isEqualTo("503 {\"status\":\"STANDBY\"}");
            assertThat(get(second, "/actuator/health/liveness")).isEqualTo("200 {\"status\":\"UP\"}");
            List<RawConnect> subscribers = Stream.of(DeliveryPath.DEVICE, DeliveryPath.APPLICATION)
                    .map(StandbyIT::subscriber)
                    .toList();
            for (RawConnect each : subscribers) {
                each.open(first.mqttPort())
                        .subscribe(TOPIC, 2)
                        .subscribe(WILL_TOPIC, 1)
                        .leave();
            }
            RawConnect publisher = persistent(Library.newClientId());
            RawClient witness =
                    new RawConnect(Library.newClientId()).open(first.mqttPort()).subscribe(TOPIC, 0);
            RawClient _ = persistent(Library.newClientId())
                    .will(WILL_TOPIC, "will", 0)
                    .open(first.mqttPort());
            RawClient publishing = publisher.open(first.mqttPort());
            publishing.publish(TOPIC, "m0", 0, -1, false);
            assertThat(witness.message().payload()).isEqualTo("m0");
            send(publishing, ids().toList(), false);
            Set<Integer> answered = new HashSet<>();
            while (answered.size() < ANSWERED) {
                answered.add(answer(publishing));
            }

            long killed = System.nanoTime();
            first.kill();
            second.awaitReady();
            Duration outage = Duration.ofNanos(System.nanoTime() - killed);
            log.info("The standby serves after {}", outage);
            first.awaitEnd(ENDS_WITHIN);

            try (RawClient back = publisher.open(second.mqttPort())) {
                assertThat(back.sessionPresent()).isTrue();
                publishTheRest(back, answered);
            }
            publishEnd(second);
            for (RawConnect each : subscribers) {
                assertReceived(each, second);
            }
            assertThat(get(second, "/actuator/health/readiness")).isEqualTo("200 {\"status\":\"UP\"}");
            assertThat(outage).isLessThan(SERVES_WITHIN);
        }
    }

    private static Stream<Integer> ids() {
        return IntStream.rangeClosed(1, MESSAGES).boxed();
    }

    private static boolean isExactlyOnce(int id) {
        return id % 2 == 0;
    }

    /** Publishes messages, the odd ones at QoS 1 and the even ones at QoS 2. */
    private static void send(RawClient publisher, List<Integer> ids, boolean duplicate) {
        ids.forEach(id -> publisher.publish(TOPIC, "m" + id, isExactlyOnce(id) ? 2 : 1, id, duplicate));
    }

    /** Returns the packet id of the next PUBACK or PUBREC. */
    private static int answer(RawClient publisher) {
        String[] packet = publisher.packet().split(" ", -1);
        assertThat(packet[0]).isIn("PUBACK", "PUBREC");
        return Integer.parseInt(packet[1]);
    }

    /** Repeats the messages that were not answered, and completes all that are at QoS 2. */
    private static void publishTheRest(RawClient publisher, Set<Integer> answered) {
        send(publisher, ids().filter(id -> !answered.contains(id)).toList(), true);
        while (answered.size() < MESSAGES) {
            answered.add(answer(publisher));
        }
        ids().filter(StandbyIT::isExactlyOnce).forEach(id -> {
            publisher.answer(PUBREL, id);
            assertThat(publisher.expect(PUBCOMP).packetId()).isEqualTo(id);
        });
    }

    private static void publishEnd(BrokerProcess broker) {
        try (RawClient publisher = new RawConnect(Library.newClientId()).open(broker.mqttPort())) {
            publisher.publish(TOPIC, "end", 1, 1, false);
            publisher.expect(PUBACK);
        }
    }

    /** Asserts that a session has received QoS 2 messages and the will exactly once, and QoS 1 messages at least once. */
    private static void assertReceived(RawConnect connect, BrokerProcess broker) {
        try (RawClient subscriber = connect.open(broker.mqttPort())) {
            assertThat(subscriber.sessionPresent()).isTrue();
            List<String> received = new ArrayList<>();
            Set<String> missing = new HashSet<>(Set.of("will", "end"));
            ids().forEach(id -> missing.add("m" + id));
            while (!missing.isEmpty()) {
                String payload = subscriber.take(1).getFirst().payload();
                received.add(payload);
                missing.remove(payload);
            }
            assertThat(subscriber.packetsUntilPing()).isEmpty();
            List<String> once = Stream.concat(
                            Stream.of("will"),
                            ids().filter(StandbyIT::isExactlyOnce).map(id -> "m" + id))
                    .toList();
            assertThat(received).filteredOn(once::contains).containsExactlyInAnyOrderElementsOf(once);
            subscriber.disconnect((byte) 0);
        }
    }

    /** One message at a time, so that no packet comes between those of an exchange. */
    private static RawConnect subscriber(DeliveryPath path) {
        return persistent(path.newClientId()).receiveMaximum(1);
    }

    private static RawConnect persistent(String clientId) {
        return new RawConnect(MqttVersion.MQTT_5, clientId).persistent(3_600);
    }

    private static String get(BrokerProcess broker, String path) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + broker.httpPort() + path))
                    .timeout(Duration.ofSeconds(60))
                    .build();
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            return response.statusCode() + " " + response.body();
        }
    }

    private static BrokerProcess node(String id) throws Exception {
        return BrokerProcess.withoutServers(BrokerUnderTest.settings(
                id,
                TestServers.shared(),
                "--heddle.authentication.anonymous.enabled=true",
                DeliveryPath.SETTING,
                "--heddle.cluster.lease=10s",
                "--heddle.cluster.heartbeat-interval=1s"));
    }
}
