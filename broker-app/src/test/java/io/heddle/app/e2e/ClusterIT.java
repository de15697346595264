package io.heddle.app.e2e;

import static io.netty.handler.codec.mqtt.MqttMessageType.PUBACK;
import static io.netty.handler.codec.mqtt.MqttMessageType.PUBCOMP;
import static io.netty.handler.codec.mqtt.MqttMessageType.PUBREC;
import static io.netty.handler.codec.mqtt.MqttMessageType.PUBREL;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.app.launcher.BrokerProcess;
import io.heddle.app.launcher.Ended;
import io.heddle.app.launcher.OwnProcesses;
import io.heddle.standalone.testkit.TestServers;
import io.netty.handler.codec.mqtt.MqttVersion;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two or three broker processes on the same stores: one serves, and another takes over when it leaves, is killed, or freezes. */
@OwnProcesses(because = "kill -9 ends a process")
@Tag("ci")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class ClusterIT {
    private static final Duration ENDS_WITHIN = Duration.ofSeconds(60);
    private static final int NODE_IS_OVER = 75;
    private static final String TOPIC = "cluster/test";
    private static final String SUBSCRIBED_MEANWHILE = "cluster/meanwhile";

    @Test
    void theOtherNodesServeOnWhenOneIsKilledOrStopped() throws Exception {
        try (BrokerProcess first = node("cluster-a").awaitReady();
                BrokerProcess second = node("cluster-b").awaitReady();
                BrokerProcess third = node("cluster-c").awaitReady()) {
            RawConnect subscriber = persistent();
            subscriber.open(first.mqttPort()).subscribe(TOPIC, 1).leave();
            publish(first);

            first.kill();
            publish(second);
            first.awaitEnd(ENDS_WITHIN);

            second.terminate();
            publish(third);
            second.awaitEnd(ENDS_WITHIN);
            try (RawClient subscribed = subscriber.open(third.mqttPort())) {
                assertThat(subscribed.sessionPresent()).isTrue();
                assertThat(subscribed.take(3)).extracting(RawPublish::payload).containsOnly("message");
                assertThat(subscribed.packetsUntilPing()).isEmpty();
                subscribed.disconnect((byte) 0);
            }
        }
    }

    @Test
    void aNodeThatWasFrozenForLongerThanTheLeaseChangesNothingAndReturns() throws Exception {
        try (BrokerProcess first = node("cluster-a").awaitReady();
                BrokerProcess second = node("cluster-b").awaitReady()) {
            RawConnect subscriber = persistent();
            RawConnect publisher = persistent();
            subscriber.open(first.mqttPort()).subscribe(TOPIC, 2).leave();
            RawClient publishing = publisher.open(first.mqttPort());
            RawClient withoutSubscribers = new RawConnect(Library.newClientId()).open(first.mqttPort());
            first.freeze();
            try {
                // Waits in the socket of the frozen node.
                publishing.publish(TOPIC, "sent to the frozen node", 2, 7, false);
                withoutSubscribers.publish(SUBSCRIBED_MEANWHILE, "must not be acknowledged", 1, 1, false);
                second.awaitDeclarationOfDeath();
                persistent()
                        .open(second.mqttPort())
                        .subscribe(SUBSCRIBED_MEANWHILE, 1)
                        .leave();
                publish(second);
            } finally {
                first.thaw();
            }

            assertThat(withoutSubscribers.packetsUntilEnd()).noneMatch(packet -> packet.startsWith(PUBACK.name()));
            Ended ended = first.awaitEnd(ENDS_WITHIN);
            assertThat(ended.status()).isEqualTo(NODE_IS_OVER);
            assertThat(ended.errors() + ended.output()).contains("This node is over");
            try (RawClient back = publisher.open(second.mqttPort())) {
                assertThat(back.sessionPresent()).isTrue();
                back.publish(TOPIC, "sent to the frozen node", 2, 7, true);
                assertThat(back.expect(PUBREC).packetId()).isEqualTo(7);
                back.answer(PUBREL, 7);
                assertThat(back.expect(PUBCOMP).packetId()).isEqualTo(7);
                back.disconnect((byte) 0);
            }
            try (RawClient subscribed = subscriber.open(second.mqttPort())) {
                assertThat(subscribed.take(2))
                        .extracting(RawPublish::payload)
                        .containsExactly("message", "sent to the frozen node");
                assertThat(subscribed.packetsUntilPing()).isEmpty();
                subscribed.disconnect((byte) 0);
            }
            try (BrokerProcess again = node("cluster-a").awaitReady()) {
                second.terminate();
                publish(again);
            }
        }
    }

    private static BrokerProcess node(String id) throws Exception {
        List<String> settings = BrokerUnderTest.settings(
                id,
                TestServers.shared(),
                "--heddle.authentication.anonymous.enabled=true",
                "--heddle.cluster.lease=3s",
                "--heddle.cluster.heartbeat-interval=300ms");
        return BrokerProcess.withoutServers(settings);
    }

    private static RawConnect persistent() {
        return new RawConnect(MqttVersion.MQTT_5, Library.newClientId()).persistent(3_600);
    }

    private static void publish(BrokerProcess broker) {
        try (RawClient publisher = new RawConnect(Library.newClientId()).open(broker.mqttPort())) {
            publisher.publish(TOPIC, "message", 1, 1, false);
            publisher.expect(PUBACK);
        }
    }
}
