package io.heddle.core.sys;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.RetainHandling;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.mqtt.packet.SubscriptionRequest;
import io.heddle.core.routing.Router;
import io.heddle.core.session.Connect;
import io.heddle.core.session.TestClient;
import io.heddle.core.session.TestNode;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class SysStatusTest {
    private static final String CONNECTED = "$SYS/broker/clients/connected";

    private final TestNode node = new TestNode();
    private final Map<String, NodeFigures> others = new TreeMap<>();
    private final SysStatus status = new SysStatus(
            node.sys,
            new SysDelivery(new Router(node.trie), List.of(node.loop, node.otherLoop), node.ledger),
            new BrokerMeters(node.metrics, node.loop::nanoTime),
            "1.2",
            "a",
            () -> others);

    private void update() {
        status.run();
        node.runAll();
    }

    private static Map<String, String> values(TestClient client) {
        return client.messages().stream()
                .collect(Collectors.toMap(
                        each -> String.valueOf(each.topic()), TestClient::payload, (_, last) -> last, TreeMap::new));
    }

    @Test
    void aNewSubscriptionGetsAllCurrentValuesAtOnce() {
        node.advance(Duration.ofSeconds(61));
        update();

        TestClient client = node.connect("c").subscribe(QoS.EXACTLY_ONCE, "$SYS/#");

        assertThat(client.subscribed()).containsExactly(ReasonCode.GRANTED_QOS_2);
        assertThat(client.messages()).allMatch(PublishPacket::retain).allMatch(each -> each.qos() == QoS.AT_MOST_ONCE);
        assertThat(values(client))
                .containsEntry("$SYS/broker/version", "heddle version 1.2")
                .containsEntry("$SYS/broker/uptime", "61 seconds")
                .containsEntry("$SYS/broker/clients/total", "0")
                .containsEntry("$SYS/broker/load/messages/received/15min", "0.00")
                .containsEntry("$SYS/broker/retained messages/count", "0")
                .containsEntry("$SYS/broker/nodes/a/uptime", "61 seconds")
                .containsEntry("$SYS/broker/cluster/nodes", "1");
        assertThat(node.retained.checksum()).as("nothing is retained").isEqualTo(new TestNode().retained.checksum());
        assertThat(node.gauge("heddle.retained.messages")).isZero();
    }

    @Test
    void bytesOfPayloadsOfTheStoreAndOfTheHeapAreShown() {
        node.metrics.counter("heddle.publish.bytes.received").increment(3);
        node.metrics.counter("heddle.publish.bytes.sent").increment(4);
        node.connect("p").retain("t", "payload");
        TestClient client = node.connect("c").subscribe(QoS.AT_MOST_ONCE, "$SYS/#");
        long stored = (long) (node.gauge("heddle.retained.bytes") + node.gauge("heddle.sessions.memory.bytes"));

        update();

        Map<String, String> values = values(client);
        assertThat(stored).isGreaterThan(1_000);
        assertThat(values)
                .containsEntry("$SYS/broker/publish/bytes/received", "3")
                .containsEntry("$SYS/broker/publish/bytes/sent", "4")
                .containsEntry("$SYS/broker/store/messages/count", "1")
                .containsEntry("$SYS/broker/messages/stored", "1")
                .containsEntry("$SYS/broker/store/messages/bytes", Long.toString(stored));
        long heap = Long.parseLong(values.get("$SYS/broker/heap/current"));
        assertThat(heap)
                .isGreaterThan(1_000_000)
                .isLessThan(Runtime.getRuntime().maxMemory());
        assertThat(Long.parseLong(values.get("$SYS/broker/heap/maximum"))).isGreaterThanOrEqualTo(heap);
    }

    @Test
    void subscribersGetChangedValuesOnly() {
        TestClient client = node.connect("c").subscribe(QoS.AT_MOST_ONCE, "$SYS/broker/clients/#");
        update();
        int all = client.messages().size();
        assertThat(values(client)).containsEntry(CONNECTED, "1").containsEntry("$SYS/broker/clients/maximum", "1");

        update();
        assertThat(client.messages()).hasSize(all);
        node.connect("d").lose();
        node.connect(node.otherLoop, new Connect("e").packet());
        update();

        assertThat(client.messages().subList(all, client.messages().size()))
                .extracting(each -> each.topic() + "=" + TestClient.payload(each))
                .containsExactlyInAnyOrder(
                        CONNECTED + "=2",
                        "$SYS/broker/clients/active=2",
                        "$SYS/broker/clients/total=2",
                        "$SYS/broker/clients/maximum=2");
        assertThat(client.messages().getLast().retain())
                .as("not a new subscription")
                .isFalse();
    }

    @Test
    void subscribersOfAllLoopsAndKindsAreReached() {
        TestClient transients =
                node.connect(node.otherLoop, new Connect("c").packet()).subscribe(QoS.AT_MOST_ONCE, CONNECTED);
        TestClient persistent =
                node.connect(new Connect("p").persistent(60).packet()).subscribe(QoS.AT_LEAST_ONCE, CONNECTED);
        TestClient asPublished = node.connect(
                        new Connect("r").version(MqttVersion.V5).packet())
                .subscribe(new SubscriptionRequest(CONNECTED, QoS.AT_MOST_ONCE, true, true, RetainHandling.SEND));

        update();

        assertThat(values(transients)).containsEntry(CONNECTED, "3");
        assertThat(values(persistent)).containsEntry(CONNECTED, "3");
        assertThat(asPublished.messages()).singleElement().returns(true, PublishPacket::retain);
    }

    @Test
    void aPersistentSessionMissesWhatChangedWhileItsClientWasAway() {
        TestClient client =
                node.connect(new Connect("p").persistent(60).packet()).subscribe(QoS.AT_LEAST_ONCE, CONNECTED);
        client.lose();
        update();

        TestClient back = node.connect(new Connect("p").persistent(60).packet());

        assertThat(back.messages()).isEmpty();
        assertThat(node.dropped("disconnected")).isZero();
        update();
        assertThat(values(back)).containsEntry(CONNECTED, "1");
    }

    @Test
    void otherWildcardsDoNotMatch() {
        TestClient client = node.connect("c").subscribe(QoS.AT_MOST_ONCE, "#", "+/broker/uptime", "+/#");

        update();

        assertThat(client.messages()).isEmpty();
    }

    @Test
    void anonymousClientsFromElsewhereMayNotSubscribe() {
        TestClient client = node.connect("c");
        TestClient persistent = node.connect(new Connect("p").persistent(60).packet());
        for (TestClient each : List.of(client, persistent)) {
            each.connection().address(new InetSocketAddress("192.0.2.1", 50_000));

            each.subscribe(QoS.AT_MOST_ONCE, "t", "$SYS/#", "$SYS");

            assertThat(each.subscribed())
                    .containsExactly(ReasonCode.SUCCESS, ReasonCode.NOT_AUTHORIZED, ReasonCode.NOT_AUTHORIZED);
        }
        assertThat(node.count("heddle.subscriptions.refused")).isEqualTo(4);
    }

    @Test
    void aClientThatMayNotReadAnyMoreGetsNothing() {
        TestClient client = node.connect("c").subscribe(QoS.AT_MOST_ONCE, CONNECTED);
        client.connection().address(new InetSocketAddress("192.0.2.1", 50_000));

        update();

        assertThat(client.messages()).isEmpty();
    }

    @Test
    void sharedSubscriptionsAreRefused() {
        TestClient client = node.connect("c");
        TestClient persistent = node.connect(new Connect("p").persistent(60).packet());

        client.subscribe(QoS.AT_MOST_ONCE, "$share/g/$SYS/#", "$share/g/t");
        persistent.subscribe(QoS.AT_MOST_ONCE, "$share/g/$SYS/broker/uptime");

        assertThat(client.subscribed()).containsExactly(ReasonCode.TOPIC_FILTER_INVALID, ReasonCode.SUCCESS);
        assertThat(persistent.subscribed()).containsExactly(ReasonCode.TOPIC_FILTER_INVALID);
    }

    @Test
    void figuresOfOtherNodesAreShownUntilTheyEnd() {
        TestClient client =
                node.connect("c").subscribe(QoS.AT_MOST_ONCE, "$SYS/broker/nodes/b/#", "$SYS/broker/cluster/#");
        others.put("b", new NodeFigures(100, 7, 5, 1, 2, 3, 4, 5, 6));

        update();
        assertThat(values(client))
                .containsEntry("$SYS/broker/nodes/b/uptime", "100 seconds")
                .containsEntry("$SYS/broker/nodes/b/clients/connected", "7")
                .containsEntry("$SYS/broker/nodes/b/bytes/sent", "6")
                .containsEntry("$SYS/broker/cluster/clients/connected", "8")
                .containsEntry("$SYS/broker/cluster/nodes", "2");

        others.clear();
        update();
        assertThat(values(client))
                .containsEntry("$SYS/broker/nodes/b/uptime", "")
                .containsEntry("$SYS/broker/cluster/clients/connected", "1");
    }

    @Test
    void absentClientsOfPersistentSessionsAreDisconnectedOnes() {
        TestClient client = node.connect("c").subscribe(QoS.AT_MOST_ONCE, "$SYS/broker/clients/#");
        node.connect(new Connect("away").persistent(60).packet()).lose();
        node.connect(new Connect("there").persistent(60).packet());

        update();

        assertThat(values(client))
                .containsEntry(CONNECTED, "2")
                .containsEntry("$SYS/broker/clients/disconnected", "1")
                .containsEntry("$SYS/broker/clients/total", "3");
    }

    @Test
    void noFurtherValuesAreSentWhileALoopHasNotSentTheLast() {
        TestClient client = node.connect(node.otherLoop, new Connect("c").packet())
                .subscribe(QoS.AT_MOST_ONCE, "$SYS/broker/uptime");
        status.run();
        node.loop.advance(Duration.ofSeconds(10));

        status.run();
        node.runAll();

        assertThat(client.payloads()).containsExactly("0 seconds");
        update();
        assertThat(client.payloads()).containsExactly("0 seconds", "10 seconds");
    }
}
