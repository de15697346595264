package io.heddle.app.e2e;

import static io.netty.handler.codec.mqtt.MqttMessageType.PUBACK;
import static io.netty.handler.codec.mqtt.MqttMessageType.PUBCOMP;
import static io.netty.handler.codec.mqtt.MqttMessageType.PUBREC;
import static io.netty.handler.codec.mqtt.MqttMessageType.PUBREL;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.app.launcher.OwnProcesses;
import io.heddle.standalone.Server;
import io.heddle.standalone.Servers;
import io.heddle.standalone.Tuning;
import io.heddle.standalone.process.SupervisedProcess;
import io.netty.handler.codec.mqtt.MqttVersion;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kill -9} of the broker while it writes the progress of an APPLICATION client. The test has its own servers and stalls Kafka,
 * so that a write is certainly in flight.
 */
@OwnProcesses(because = "kill -9 ends a process")
@Tag("ci")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class KilledProgressIT {
    private static final Duration READY = Duration.ofMinutes(2);
    private static final int WINDOW = 20;

    @TempDir
    static Path directory;

    private static Servers servers;
    private static KillableBroker broker;

    @BeforeAll
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    static void start() throws Exception {
        servers = Servers.builder(directory).tuning(Tuning.TESTS).start();
        servers.awaitReady(READY);
        broker = KillableBroker.startOn(servers.endpoints(), DeliveryPath.SETTING);
    }

    @AfterAll
    static void stop() {
        try {
            if (broker != null) {
                broker.close();
            }
        } finally {
            servers.close();
        }
    }

    private static RawConnect application() {
        return new RawConnect(MqttVersion.MQTT_5, DeliveryPath.APPLICATION.newClientId())
                .persistent(3_600)
                .receiveMaximum(WINDOW);
    }

    /** Publishes messages, the odd ones at QoS 1 and the even ones at QoS 2; returns when all are acknowledged. */
    private static void publish(String topic, int count) {
        try (RawClient publisher = broker.open(new RawConnect(Library.newClientId()))) {
            for (int number = 1; number <= count; number++) {
                int qos = 2 - number % 2;
                publisher.publish(topic, "m" + number, qos, number, false);
                if (qos == 1) {
                    publisher.expect(PUBACK);
                } else {
                    publisher.expect(PUBREC);
                    publisher.answer(PUBREL, number);
                    publisher.expect(PUBCOMP);
                }
            }
        }
    }

    @Test
    void duringOneWrite() throws Exception {
        String topic = "killed/under-way";
        RawConnect connect = application();
        RawClient first = broker.open(connect).subscribe(topic, 2);
        publish(topic, 6);
        List<RawPublish> sent =
                IntStream.rangeClosed(1, 6).mapToObj(_ -> first.message()).toList();
        int one = sent.get(0).packetId();
        int two = sent.get(1).packetId();
        int four = sent.get(3).packetId();
        first.answer(PUBREC, two);
        assertThat(first.expect(PUBREL).packetId()).isEqualTo(two);
        SupervisedProcess kafka = servers.process(Server.KAFKA, 0);
        kafka.pause();
        try {
            first.answer(PUBACK, one);
            first.answer(PUBCOMP, two);
            first.answer(PUBREC, four);
            assertThat(first.packetsUntilPing())
                    .as("PUBREL follows what is written")
                    .isEmpty();
            broker.kill();
        } finally {
            kafka.resume();
        }
        broker.restart();

        try (RawClient second = broker.open(connect)) {
            assertThat(second.sessionPresent()).isTrue();
            broker.publish(topic, "end");
            List<String> came = new ArrayList<>();
            for (String packet = second.packet(); !packet.startsWith("PUBLISH end "); packet = second.packet()) {
                came.add(packet);
            }
            // The write in flight is durable or not; each exchange continues from either state.
            assertThat(came).doesNotHaveDuplicates();
            assertThat(came)
                    .contains(
                            "PUBLISH m3 " + sent.get(2).packetId() + " DUP",
                            "PUBLISH m5 " + sent.get(4).packetId() + " DUP",
                            "PUBLISH m6 " + sent.get(5).packetId() + " DUP")
                    .isSubsetOf(
                            "PUBLISH m1 " + one + " DUP",
                            "PUBREL " + two,
                            "PUBLISH m3 " + sent.get(2).packetId() + " DUP",
                            "PUBLISH m4 " + four + " DUP",
                            "PUBREL " + four,
                            "PUBLISH m5 " + sent.get(4).packetId() + " DUP",
                            "PUBLISH m6 " + sent.get(5).packetId() + " DUP");
            assertThat(came.stream().filter(packet -> packet.contains(" " + four)))
                    .as("the received message")
                    .hasSize(1);
        }
    }
}
