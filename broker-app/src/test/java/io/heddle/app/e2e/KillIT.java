package io.heddle.app.e2e;

import static io.netty.handler.codec.mqtt.MqttMessageType.PUBACK;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.app.launcher.OwnProcesses;
import io.heddle.standalone.testkit.TestServers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** The kill points with one broker, which is started again. The same small broker survives a flood of subscriptions. */
@OwnProcesses(because = "kill -9 ends a process")
@Tag("ci")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class KillIT extends KillPoints {
    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private RedisGate gate;

    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private KillableBroker broker;

    @BeforeAll
    void start() throws Exception {
        gate = RedisGate.open(TestServers.shared().redisUrls());
        try {
            broker = KillableBroker.startOnRedis(gate.urls(), DeliveryPath.SETTING);
        } catch (Exception e) {
            gate.close();
            throw e;
        }
    }

    @AfterAll
    void stop() throws Exception {
        try {
            broker.close();
        } finally {
            gate.close();
        }
    }

    @Override
    KillableBroker broker() {
        return broker;
    }

    @Override
    RedisGate gate() {
        return gate;
    }

    @Override
    void killAndRestart() throws Exception {
        broker.kill();
        gate.lose();
        broker.restart();
    }

    /** Without limits, these changes would fill the broker's heap of 256 MB. */
    @Test
    void subscriptionFloodNeitherCrashesTheBrokerNorBlocksPublishers() throws Exception {
        String topic = "kill/flood";
        List<String> sent = new ArrayList<>();
        try (SubscribeFlood flood = SubscribeFlood.begin(broker, 20);
                RawClient subscriber = broker.open(broker.persistentClient()).subscribe(topic, 1);
                RawClient publisher = publisher(DeliveryPath.DIRECT)) {
            while (sent.size() < 20 || flood.answered() < 500) {
                int packetId = sent.size() % 60_000 + 1;
                publisher.publish(topic, "m" + sent.size(), 1, packetId, false);
                assertThat(publisher.expect(PUBACK)).isEqualTo(new RawClient.Answer(packetId, 0));
                sent.add("m" + sent.size());
                assertThat(taken(subscriber, 1)).containsExactly(sent.getLast());
            }
        }
    }
}
