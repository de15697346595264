package io.heddle.core.delivery.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.session.TestClient;
import io.heddle.core.session.TestNode;
import io.heddle.core.session.TestStores;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Node 0 is silent for longer than its routing lease, and clients subscribe elsewhere without waiting for it. */
final class FrozenNodeTest {
    private final MessageCluster cluster = new MessageCluster(3);
    private final TestNode frozen = cluster.node(0);

    @BeforeEach
    void beValid() {
        frozen.lease.recoverWith(cluster.messages(0)::catchUp);
        renew();
        assertThat(frozen.lease.isValid()).isTrue();
    }

    private void renew() {
        frozen.lease.renew(frozen.leaseNanos);
        cluster.run();
    }

    /** The node freezes, and the others suspect it. */
    private void freeze() {
        frozen.leaseNanos += TestNode.LEASE.toNanos();
        for (int i = 1; i < 3; i++) {
            cluster.cut(i, 0);
            cluster.cut(0, i);
        }
        suspect(0);
    }

    private void suspect(int node) {
        cluster.suspected.add(cluster.incarnation(node));
        cluster.check();
    }

    private void heal(int other) {
        cluster.heal(other, 0);
        cluster.heal(0, other);
    }

    private TestClient subscribe(int node, String clientId) {
        TestClient client = cluster.connect(node, clientId).subscribe(QoS.AT_LEAST_ONCE, "t");
        assertThat(client.subscribed()).containsExactly(ReasonCode.GRANTED_QOS_1);
        return client;
    }

    private TestClient publish() {
        TestClient publisher = cluster.connect(0, "publisher");
        publisher.publish("t", "m", QoS.AT_LEAST_ONCE, 1);
        return publisher;
    }

    private static List<ReasonCode> acknowledged(TestClient client) {
        return client.connection().sent(PubAckPacket.class).stream()
                .map(PubAckPacket::reason)
                .toList();
    }

    @Test
    void itAcknowledgesNoMessageBeforeItKnowsWhatWasSubscribedMeanwhile() {
        freeze();
        TestClient one = subscribe(1, "one");
        TestClient two = subscribe(2, "two");
        cluster.suspected.clear();
        TestClient publisher = publish();
        heal(1);
        renew();
        assertThat(frozen.lease.isValid()).as("the other node has not answered").isFalse();
        assertThat(acknowledged(publisher)).isEmpty();
        heal(2);

        assertThat(acknowledged(publisher)).containsExactly(ReasonCode.SUCCESS);
        assertThat(one.payloads()).containsExactly("m");
        assertThat(two.payloads()).containsExactly("m");
    }

    @Test
    void anAnswerFollowsAllInterestBeforeIt() {
        freeze();
        for (int i = 0; i < 2_000; i++) {
            cluster.messages(1).interest().changed(null, InterestTest.subscription("many/" + i));
        }
        TestClient one = subscribe(1, "one");
        cluster.suspected.clear();
        TestClient publisher = publish();
        heal(2);
        renew();
        // The question arrives while most of the interest waits for acknowledgements of what was sent before.
        cluster.heal(0, 1);
        cluster.heal(1, 0);

        assertThat(acknowledged(publisher)).containsExactly(ReasonCode.SUCCESS);
        assertThat(one.payloads()).containsExactly("m");
    }

    @Test
    void itAsksAMemberThatHasJoinedMeanwhile() {
        freeze();
        int joined = cluster.prepare(new TestStores());
        for (int i = 1; i < 3; i++) {
            cluster.meet(i, joined);
        }
        cluster.links.connect(cluster.incarnation(0), cluster.incarnation(joined));
        cluster.run();
        TestClient there = subscribe(joined, "there");
        cluster.suspected.clear();
        heal(1);
        heal(2);
        TestClient publisher = publish();
        cluster.readView(0);
        renew();

        assertThat(acknowledged(publisher)).containsExactly(ReasonCode.SUCCESS);
        assertThat(there.payloads()).containsExactly("m");
    }

    @Test
    void aMemberAnswersWhenItHasReadThatTheOtherOneHasJoined() {
        int joined = cluster.prepare(new TestStores());
        for (int i = 0; i < 3; i++) {
            cluster.links.connect(cluster.incarnation(i), cluster.incarnation(joined));
        }
        cluster.readView(joined);
        cluster.readView(0);
        cluster.readView(1);
        cluster.run();
        CompletableFuture<Void> caughtUp = cluster.messages(joined).catchUp().toCompletableFuture();
        cluster.run();
        assertThat(caughtUp).isNotDone();

        cluster.readView(2);
        cluster.run();
        assertThat(caughtUp).isCompleted();
    }

    @Test
    void aMemberThatIsSuspectedIsNotWaitedForAndGetsNothingUntilItAnswers() {
        freeze();
        TestClient one = subscribe(1, "one");
        cluster.suspected.clear();
        suspect(1);
        heal(2);
        TestClient publisher = publish();
        renew();
        cluster.check();
        assertThat(acknowledged(publisher)).hasSize(1);

        cluster.suspected.clear();
        cluster.check();
        assertThat(frozen.gauge("heddle.cluster.nodes.cut.off")).isOne();
        heal(1);
        assertThat(frozen.gauge("heddle.cluster.nodes.cut.off")).isZero();
        publisher.publish("t", "n", QoS.AT_LEAST_ONCE, 2);
        assertThat(one.payloads()).containsExactly("n");
    }

    @Test
    void aMemberThatEndsIsNotWaitedFor() {
        freeze();
        cluster.suspected.clear();
        heal(2);
        TestClient publisher = publish();
        renew();
        assertThat(acknowledged(publisher)).isEmpty();
        cluster.kill(1);
        cluster.end(1);

        assertThat(acknowledged(publisher)).hasSize(1);
    }

    @Test
    void aMemberThatLivesAndDoesNotAnswerIsWaitedForUntilThePatienceIsOver() {
        freeze();
        cluster.suspected.clear();
        heal(2);
        TestClient publisher = publish();
        renew();
        cluster.advance(MessageCluster.PATIENCE.minusSeconds(1));
        assertThat(acknowledged(publisher)).isEmpty();

        cluster.advance(Duration.ofSeconds(2));
        assertThat(acknowledged(publisher)).hasSize(1);
    }

    @Test
    void anotherFreezeDuringTheRecoveryBeginsAnotherOne() {
        freeze();
        cluster.suspected.clear();
        TestClient publisher = publish();
        renew();
        frozen.leaseNanos += TestNode.LEASE.toNanos();
        suspect(0);
        TestClient one = subscribe(1, "one");
        cluster.suspected.clear();
        heal(1);
        heal(2);
        assertThat(frozen.lease.isValid()).isFalse();
        assertThat(acknowledged(publisher)).isEmpty();
        renew();

        assertThat(acknowledged(publisher)).containsExactly(ReasonCode.SUCCESS);
        assertThat(one.payloads()).containsExactly("m");
    }

    @Test
    void questionsOfAnIncarnationThatHasEndedAreDropped() {
        Incarnation stranger = new Incarnation(0, 7);
        cluster.links.connect(stranger, cluster.incarnation(1));
        assertThat(cluster.links
                        .node(stranger)
                        .send(cluster.incarnation(1), 0, 0x42, new byte[] {1, 0, 0, 0, 0, 0, 0, 0, 1}))
                .isTrue();
        cluster.run();

        assertThat(cluster.node(1).count("heddle.cluster.frames.malformed", "of", "interest"))
                .isZero();
    }
}
