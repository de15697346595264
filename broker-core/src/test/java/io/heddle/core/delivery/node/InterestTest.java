package io.heddle.core.delivery.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.packet.SubAckPacket;
import io.heddle.core.session.TestClient;
import io.heddle.core.session.TestStores;
import io.heddle.core.subscription.Subscription;
import io.heddle.core.testkit.RecordingSession;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What nodes know of the subscribers of others. */
final class InterestTest {
    private static final int MANY = 3_000;

    private final MessageCluster cluster = new MessageCluster(2);

    static Subscription subscription(String filter) {
        return new Subscription(TopicFilter.parse(filter, 8), QoS.AT_MOST_ONCE, false, false, 0);
    }

    private void subscribeMany() {
        for (int i = 0; i < MANY; i++) {
            cluster.messages(0).interest().changed(null, subscription("many/" + i));
        }
        cluster.run();
    }

    @Test
    void aNodeThatJoinsLearnsEverythingBeforeItServes() {
        subscribeMany();
        int joined = cluster.prepare(new TestStores());
        cluster.messages(joined).onMembers(List.of(cluster.incarnation(0), cluster.incarnation(1)));
        assertThat(cluster.isInStep(joined)).isFalse();

        cluster.meet(0, joined);
        cluster.run();
        assertThat(cluster.isInStep(joined))
                .as("the second node has not read of it")
                .isFalse();
        cluster.meet(1, joined);
        cluster.run();

        assertThat(cluster.isInStep(joined)).isTrue();
        assertThat(entries(joined, 0)).isEqualTo(MANY);
        assertThat(entries(joined, 1)).isZero();
        TestClient publisher = cluster.connect(joined, "publisher");
        publisher.publish("many/" + (MANY - 1), "m");
        assertThat(cluster.node(0).count("heddle.forwards.received")).isOne();
    }

    private double entries(int reader, int of) {
        return cluster.node(reader)
                .metrics
                .get("heddle.interest.entries")
                .tag("node", cluster.incarnation(of).toString())
                .gauge()
                .value();
    }

    @Test
    void subscriptionsDuringAJoinReachTheJoiningNode() {
        subscribeMany();
        int joined = cluster.prepare(new TestStores());
        cluster.meet(0, joined);
        cluster.meet(1, joined);
        cluster.cut(0, joined);
        cluster.run();
        TestClient subscriber = cluster.connect(0, "s").subscribe(QoS.AT_LEAST_ONCE, "new");
        assertThat(subscriber.connection().sent(SubAckPacket.class)).isEmpty();

        cluster.heal(0, joined);
        assertThat(subscriber.subscribed()).containsExactly(ReasonCode.GRANTED_QOS_1);
        assertThat(entries(joined, 0)).isEqualTo(MANY + 1);
        assertThat(cluster.isInStep(joined)).isTrue();
    }

    @Test
    void aNodeThatJoinsWaitsForAMemberUntilItHasEnded() {
        cluster.kill(1);
        int joined = cluster.prepare(new TestStores());
        cluster.meet(0, joined);
        cluster.readView(joined);
        assertThat(cluster.isInStep(joined)).isFalse();
        cluster.end(1);

        assertThat(cluster.isInStep(joined)).isTrue();
    }

    @Test
    void theEntriesOfANodeThatEndsAreRemovedInSteps() {
        subscribeMany();
        assertThat(entries(1, 0)).isEqualTo(MANY);
        cluster.kill(0);
        cluster.end(0);

        assertThat(cluster.node(1).trie.nodeCount()).isOne();
        assertThat(cluster.node(1).metrics.find("heddle.interest.entries").gauges())
                .isEmpty();
    }

    @Test
    void clientsThatReconnectDoNotChangeTheInterest() {
        TestClient first = cluster.connect(0, "s").subscribe(QoS.AT_MOST_ONCE, "t");
        double frames = sent();
        first.disconnect();
        cluster.advance(Duration.ofSeconds(1));
        cluster.connect(0, "s").subscribe(QoS.AT_MOST_ONCE, "t");
        cluster.advance(Duration.ofSeconds(6));

        assertThat(sent()).isEqualTo(frames);
        assertThat(entries(1, 0)).isOne();
    }

    private double sent() {
        return cluster.node(0).count("heddle.interest.batches");
    }

    @Test
    void interestNeedsNoAdmissionAndCountsForNoClient() {
        for (int i = 0; i < 7; i++) {
            String filter = "+/".repeat(i) + "x";
            cluster.messages(0).interest().changed(null, subscription(filter));
        }
        cluster.run();

        assertThat(entries(1, 0)).isEqualTo(7);
        assertThat(cluster.node(1).trie.wildcardPatterns()).isGreaterThan(5);
        assertThat(cluster.node(1).trie.exceededLimits())
                .noneMatch(each -> each.setting().endsWith("per-client"));
        assertThat(cluster.node(1).trie.size()).as("subscriptions of this node").isZero();
    }

    @Test
    void sessionsOfBothKindsShareAFilterWithANode() {
        RecordingSession local = new RecordingSession("local", cluster.node(1).loop);
        cluster.node(1).trie.put(local, subscription("t"));
        TestClient remote = cluster.connect(0, "remote").subscribe(QoS.AT_MOST_ONCE, "t");
        cluster.connect(1, "publisher").publish("t", "m");

        assertThat(local.delivered()).hasSize(1);
        assertThat(remote.payloads()).containsExactly("m");
        assertThat(local.clientId()).isEqualTo(new ClientId("local"));
    }
}
