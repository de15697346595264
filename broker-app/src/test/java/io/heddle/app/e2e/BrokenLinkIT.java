package io.heddle.app.e2e;

import static io.netty.handler.codec.mqtt.MqttMessageType.PUBACK;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.app.launcher.BrokerProcess;
import io.heddle.app.launcher.Ended;
import io.heddle.app.launcher.OwnProcesses;
import io.heddle.standalone.testkit.Relay;
import io.heddle.standalone.testkit.TestServers;
import io.netty.handler.codec.mqtt.MqttVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Three broker processes, of which the others reach one through a relay only. */
@OwnProcesses(because = "a broker whose links are broken ends its process")
@Tag("ci")
@Tag("alone")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class BrokenLinkIT {
    private static final Duration ENDS_WITHIN = Duration.ofSeconds(40);
    private static final Duration WARNS_WITHIN = Duration.ofSeconds(40);
    private static final int NODE_IS_OVER = 75;
    private static final String TOPIC = "broken-link/test";
    private static final Pattern LINK_PORT = Pattern.compile("Listening for links of other nodes: .*port=([0-9]+)");

    private final Relay relay;

    BrokenLinkIT() throws Exception {
        relay = Relay.open();
    }

    @Test
    void theBrokerThatTheOthersDoNotReachLeavesAndComesBackWhenTheyDo() throws Exception {
        try (relay;
                BrokerProcess first = broker("broken-link-a").awaitReady();
                BrokerProcess second = broker("broken-link-b").awaitReady()) {
            RawConnect subscriber = new RawConnect(MqttVersion.MQTT_5, Library.newClientId()).persistent(3_600);
            try (BrokerProcess third = behindTheRelay()) {
                assertThat(third.awaitReady().isAlive()).isTrue();
                RawClient subscribed = subscriber.open(third.mqttPort()).subscribe(TOPIC, 1);
                relay.cut();
                publish(first);

                Ended ended = third.awaitEnd(ENDS_WITHIN);
                assertThat(ended.status()).isEqualTo(NODE_IS_OVER);
                assertThat(ended.errors() + ended.output())
                        .contains("links between nodes are broken, and this node must leave")
                        .contains("broken-link-a does not reach broken-link-c");
                subscribed.close();
            }
            try (RawClient back = subscriber.open(second.mqttPort())) {
                assertThat(back.sessionPresent()).isTrue();
                assertThat(back.take(1)).extracting(RawPublish::payload).containsExactly("message");
                back.disconnect((byte) 0);
            }
            assertThat(first.isAlive()).isTrue();
            assertThat(second.isAlive()).isTrue();
            serveAgain();
        }
    }

    private void serveAgain() throws Exception {
        try (BrokerProcess third = behindTheRelay()) {
            Soon.until(
                    WARNS_WITHIN,
                    () -> (third.output() + third.errors())
                            .contains("This node had to leave the cluster because of broken links"));
            third.awaitReady();
            publish(third);
        }
    }

    private static BrokerProcess broker(String id, String... further) throws Exception {
        List<String> settings = new ArrayList<>(List.of("--heddle.authentication.anonymous.enabled=true"));
        settings.addAll(List.of(further));
        return BrokerProcess.withoutServers(
                BrokerUnderTest.defaultSettings(id, TestServers.shared(), settings.toArray(String[]::new)));
    }

    /** Starts a broker, and lets the relay pass to it when it listens for links. */
    private BrokerProcess behindTheRelay() throws Exception {
        BrokerProcess broker = broker(
                "broken-link-c",
                "--heddle.cluster.advertise=127.0.0.1:" + relay.port(),
                "--heddle.cluster.bind=127.0.0.1");
        Soon.until(WARNS_WITHIN, () -> linkPort(broker).find());
        Matcher port = linkPort(broker);
        assertThat(port.find()).isTrue();
        relay.forwardTo(Integer.parseInt(port.group(1)));
        return broker;
    }

    private static Matcher linkPort(BrokerProcess broker) {
        return LINK_PORT.matcher(broker.output() + broker.errors());
    }

    private static void publish(BrokerProcess broker) throws Exception {
        try (RawClient publisher = new RawConnect(Library.newClientId()).open(broker.mqttPort())) {
            publisher.publish(TOPIC, "message", 1, 1, false);
            publisher.expect(PUBACK);
            publisher.disconnect((byte) 0);
        }
    }
}
