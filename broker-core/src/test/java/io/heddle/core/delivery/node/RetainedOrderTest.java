package io.heddle.core.delivery.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.mqtt.packet.SubAckPacket;
import io.heddle.core.mqtt.packet.UnsubscribePacket;
import io.heddle.core.session.Connect;
import io.heddle.core.session.TestClient;
import io.heddle.core.session.TestNode;
import io.heddle.core.session.TestStores;
import io.heddle.core.session.persistent.TestReplica;
import io.heddle.core.testkit.Conformance;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The order of retained and live messages for a subscriber. Three nodes over the same stores; the last one publishes. */
final class RetainedOrderTest {
    private static final int SUBSCRIBING = 0;
    private static final int OTHER = 1;
    private static final int PUBLISHING = 2;
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final TestStores stores = new TestStores();
    private final MessageCluster cluster = new MessageCluster(0);
    private TestClient publisher;

    @BeforeEach
    void start() {
        for (int i = 0; i <= PUBLISHING; i++) {
            cluster.add(stores);
        }
        publisher = cluster.connect(PUBLISHING, "publisher");
        publisher.retain("t/1", "1");
        publisher.retain("t/2", "other");
        assertThat(cluster.node(SUBSCRIBING).retained.size()).isEqualTo(2);
    }

    private TestNode publishing() {
        return cluster.node(PUBLISHING);
    }

    /** A client whose SUBACK waits for the log of retained messages. */
    private TestClient subscribing(String filter) {
        stores.retainedLog.holdEnds();
        TestClient subscriber = cluster.connect(SUBSCRIBING, "s").subscribe(QoS.AT_MOST_ONCE, filter);
        assertThat(subscriber.connection().sent(SubAckPacket.class)).isEmpty();
        return subscriber;
    }

    private void answer() {
        stores.retainedLog.releaseEnds();
        cluster.run();
    }

    /** The payloads in their order, those with RETAIN in brackets. */
    private static List<String> received(TestClient client) {
        return client.messages().stream()
                .map(each -> each.retain() ? "[" + TestClient.payload(each) + "]" : TestClient.payload(each))
                .toList();
    }

    private static PublishPacket retained(String topic, String payload) {
        return TestClient.packet(topic, payload, QoS.AT_LEAST_ONCE, 1, true, PublishProperties.NONE);
    }

    @Conformance({"MQTT-3.3.1-9", "MQTT-4.6.0-6"})
    @Test
    void anOlderRetainedMessageDoesNotFollowALiveOne() {
        TestClient subscriber = subscribing("t/+");
        publishing().log.hold(10);
        publisher.retain("t/1", "2");
        assertThat(received(subscriber)).containsExactly("2");
        answer();
        assertThat(received(subscriber)).containsExactly("2", "[other]");
        assertThat(cluster.node(SUBSCRIBING).count("heddle.retained.lookups.overtaken"))
                .isOne();

        publishing().log.release();
        cluster.run();
        cluster.advance(PAUSE);

        assertThat(received(subscriber)).containsExactly("2", "[other]", "[2]");
    }

    @Test
    void aMessageThatTheLogAlreadyHasIsSentWithRetainAtOnce() {
        TestClient subscriber = subscribing("t/1");
        publisher.retain("t/1", "2");
        answer();

        assertThat(received(subscriber)).containsExactly("2", "[2]");
    }

    @Conformance("MQTT-3.3.1-9")
    @Test
    void aRetainedMessageThatALiveOneDoesNotReplaceIsSent() {
        TestClient subscriber = subscribing("t/1");
        publisher.publish("t/1", "not retained");
        answer();

        assertThat(received(subscriber)).containsExactly("not retained", "[1]");
    }

    /** The last message comes late over its link. */
    @Test
    void aRetainedMessageThatIsNewerThanTheLiveOneIsNotLost() {
        TestClient earlier = cluster.connect(SUBSCRIBING, "earlier").subscribe(QoS.AT_MOST_ONCE, "t/1");
        TestClient subscriber = subscribing("t/+");
        cluster.cut(PUBLISHING, SUBSCRIBING);
        publisher.retain("t/1", "2");
        cluster.cut(OTHER, SUBSCRIBING);
        cluster.connect(OTHER, "q").retain("t/1", "3");
        assertThat(received(earlier)).containsExactly("[1]");
        cluster.heal(PUBLISHING, SUBSCRIBING);
        answer();
        assertThat(received(subscriber)).containsExactly("2", "[other]");

        cluster.advance(PAUSE);

        assertThat(received(subscriber)).containsExactly("2", "[other]", "[3]");
    }

    @Test
    void theOldMessageIsSentAfterAllWhenTheNewOneWasNotCommitted() {
        TestClient subscriber = subscribing("t/1");
        publishing().log.failNextWith(new IllegalStateException("test"));
        publisher.send(retained("t/1", "2"));
        answer();
        assertThat(received(subscriber)).containsExactly("2");

        cluster.advance(PAUSE);

        assertThat(received(subscriber)).containsExactly("2", "[1]");
    }

    @Test
    void theSecondLookupReadsTheLogToItsEnd() {
        TestClient subscriber = subscribing("t/1");
        publishing().log.hold(10);
        publisher.retain("t/1", "2");
        answer();
        stores.retainedLog.holdEnds();
        cluster.advance(PAUSE.multipliedBy(3));
        assertThat(received(subscriber)).containsExactly("2");

        publishing().log.release();
        answer();

        assertThat(received(subscriber)).containsExactly("2", "[2]");
    }

    @Test
    void aTopicThatChangesAgainIsLookedUpAgain() {
        TestClient subscriber = subscribing("t/1");
        publishing().log.hold(10);
        publisher.retain("t/1", "2");
        answer();
        cluster.advance(PAUSE.dividedBy(2));
        publisher.retain("t/1", "3");
        cluster.advance(PAUSE.dividedBy(2));
        assertThat(received(subscriber)).containsExactly("2", "3");

        publishing().log.release();
        cluster.advance(PAUSE);

        assertThat(received(subscriber)).containsExactly("2", "3", "[3]");
    }

    @Test
    void aRemovedSubscriptionGetsNothingMore() {
        TestClient subscriber = subscribing("t/1");
        publishing().log.hold(10);
        publisher.retain("t/1", "2");
        answer();
        subscriber.send(new UnsubscribePacket(9, List.of(), List.of("t/1")));
        publishing().log.release();
        cluster.advance(PAUSE);

        assertThat(received(subscriber)).containsExactly("2");
    }

    @Test
    void theNextConnectionOfAPersistentSessionGetsTheMessage() {
        publishing().applying(false);
        TestReplica replica = new TestReplica(stores.clientLog, publishing().persistent, publishing().trie);
        stores.retainedLog.holdEnds();
        Connect persistent = new Connect("s").persistent(60);
        TestClient first = cluster.connect(SUBSCRIBING, persistent).subscribe(QoS.AT_MOST_ONCE, "t/1");
        replica.follow();
        publishing().log.hold(10);
        publisher.retain("t/1", "2");
        answer();
        assertThat(received(first)).containsExactly("2");

        first.lose();
        publishing().log.release();
        TestClient second = cluster.connect(SUBSCRIBING, persistent);

        assertThat(received(second)).containsExactly("[2]");
    }
}
