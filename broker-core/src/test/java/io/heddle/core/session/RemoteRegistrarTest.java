package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authorization.TopicRules;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.PubRecPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.testkit.Conformance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Opening, taking over and leaving sessions through other nodes than the one that decides. */
final class RemoteRegistrarTest extends RemoteRegistrarFixture {
    @Test
    void aSessionBeginsAndIsResumedThroughAnotherNode() {
        TestClient first = cluster.connect(1, persistent()).subscribe(QoS.AT_LEAST_ONCE, "t");
        assertThat(first.connAck().sessionPresent()).isFalse();
        assertThat(first.subscribed()).containsExactly(ReasonCode.GRANTED_QOS_1);
        assertThat(record().owner()).isEqualTo(incarnation(1));
        first.lose();
        assertThat(record().isAway()).isTrue();
        publish("a");

        TestClient second = cluster.connect(2, persistent());

        assertThat(second.connAck().sessionPresent()).isTrue();
        assertThat(second.payloads()).containsExactly("a");
        assertThat(record().owner()).isEqualTo(incarnation(2));
    }

    @Conformance({"MQTT-3.1.4-3", "MQTT-3.3.1-1"})
    @Test
    void aConnectionOfTheOwnerTakesOverFromAnotherNode() {
        takeOver(1, OWNER);
    }

    @Conformance({"MQTT-3.1.4-3", "MQTT-3.3.1-1"})
    @Test
    void aConnectionOfAnotherNodeTakesOverFromTheOwner() {
        takeOver(OWNER, 1);
    }

    @Conformance({"MQTT-3.1.4-3", "MQTT-3.3.1-1"})
    @Test
    void aConnectionTakesOverBetweenTwoNodesThatDoNotDecide() {
        takeOver(1, 2);
    }

    private void takeOver(int from, int to) {
        TestClient old = cluster.connect(from, persistent()).subscribe(QoS.AT_LEAST_ONCE, "t");
        old.lose();
        publish("a");
        old = cluster.connect(from, persistent());
        assertThat(old.payloads()).containsExactly("a");

        TestClient fresh = cluster.connect(to, persistent());

        assertThat(old.disconnected()).containsExactly(ReasonCode.SESSION_TAKEN_OVER);
        assertThat(old.connection().isOpen()).isFalse();
        assertThat(fresh.connAck().sessionPresent()).isTrue();
        assertThat(fresh.messages()).extracting(PublishPacket::duplicate).containsExactly(true);
        assertThat(record().owner()).isEqualTo(incarnation(to));
        assertThat(cluster.node(from).count("heddle.sessions.taken.over")).isOne();
    }

    @Conformance("MQTT-4.3.3-10")
    @Test
    void theNextConnectionWaitsForTheMarkersOfTheEarlierNode() {
        TestClient first = cluster.connect(1, persistent());
        cluster.owner().applying(false);
        first.publish("t", "once", QoS.EXACTLY_ONCE, 7);
        cluster.run();
        first.lose();
        cluster.run();

        TestClient second = cluster.connect(2, persistent());
        assertThat(second.connection().sent()).isEmpty();
        cluster.owner().applying(true);
        cluster.run();
        assertThat(second.connAck().sessionPresent()).isTrue();
        List<Long> ends = cluster.stores.bucketLog.ends().toCompletableFuture().join();
        second.publish("t", "once", QoS.EXACTLY_ONCE, 7);
        cluster.run();

        assertThat(second.connection().sent(PubRecPacket.class)).hasSize(1);
        assertThat(cluster.stores.bucketLog.ends().toCompletableFuture().join())
                .as("the message is known")
                .isEqualTo(ends);
    }

    @Test
    void aTakeoverWaitsForNoTimer() {
        cluster.connect(1, persistent());
        TestClient fresh = cluster.connect(2, persistent());

        assertThat(fresh.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
        cluster.advance(TestNode.REPORTED);
        assertThat(cluster.owner().loop.timers() + cluster.owner().otherLoop.timers())
                .isZero();
    }

    @Conformance("MQTT-3.1.4-3")
    @Test
    void aHundredConnectionsThroughThreeNodesLeaveOneSurvivor() {
        List<TestClient> clients = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Connect connect = persistent().cleanStart(i % 5 == 0);
            clients.add(cluster.begin(i % 3, connect));
            if (i % 10 == 0) {
                cluster.node(i % 3).runAll();
            }
        }
        cluster.run();

        List<TestClient> open =
                clients.stream().filter(each -> each.connection().isOpen()).toList();
        assertThat(open).hasSize(1);
        assertThat(clients)
                .filteredOn(each -> !each.connection().isOpen())
                .hasSize(99)
                .allSatisfy(each -> assertThat(each.disconnected()).containsExactly(ReasonCode.SESSION_TAKEN_OVER));
        open.getFirst().subscribe(QoS.AT_LEAST_ONCE, "t");
        assertThat(open.getFirst().subscribed()).containsExactly(ReasonCode.GRANTED_QOS_1);
        int connected = 0;
        for (int i = 0; i < 3; i++) {
            connected += cluster.node(i).sessions.connectedCount();
        }
        assertThat(connected).as("with the watcher").isEqualTo(2);
    }

    @Test
    void openingsThroughSeveralNodesAreHandledInTheOrderOfTheirArrival() {
        cluster.stores.registry.hold();
        List<TestClient> clients = List.of(
                cluster.connect(1, persistent()),
                cluster.connect(2, persistent()),
                cluster.connect(OWNER, persistent()));
        assertThat(clients)
                .allSatisfy(each -> assertThat(each.connection().sent()).isEmpty());

        cluster.stores.registry.release();
        cluster.run();

        assertThat(clients).extracting(each -> each.connAck().sessionPresent()).containsExactly(false, true, true);
        assertThat(clients).extracting(each -> each.connection().isOpen()).containsExactly(false, false, true);
    }

    @Conformance("MQTT-3.1.2-4")
    @Test
    void aCleanStartEndsTheSessionOfAnotherNode() {
        TestClient old = cluster.connect(1, persistent()).subscribe(QoS.AT_LEAST_ONCE, "t");

        TestClient fresh = cluster.connect(2, persistent().cleanStart(true));

        assertThat(old.disconnected()).containsExactly(ReasonCode.SESSION_TAKEN_OVER);
        assertThat(fresh.connAck().sessionPresent()).isFalse();
        assertThat(cluster.owner().trie.size()).as("the watcher's").isOne();
    }

    @Test
    void aCleanStartWithoutExpiryLeavesNoSession() {
        cluster.connect(1, persistent()).lose();

        TestClient fresh = cluster.connect(2, new Connect("c"));

        assertThat(fresh.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
        assertThat(session()).isNull();
    }

    @Test
    void aSessionExpiresAfterItsConnectionToAnotherNode() {
        cluster.connect(1, persistent()).lose();
        cluster.advance(Duration.ofSeconds(59));
        assertThat(session()).isNotNull();

        cluster.advance(Duration.ofSeconds(1));

        assertThat(session()).isNull();
        assertThat(cluster.connect(1, persistent()).connAck().sessionPresent()).isFalse();
    }

    @Test
    void aSessionEndsWithDisconnect() {
        cluster.connect(1, persistent()).endSession();

        assertThat(session()).isNull();
    }

    @Conformance("MQTT-3.1.2-8")
    @Test
    void theWillOfALostConnectionIsPublishedByTheOwner() {
        cluster.connect(1, persistent().will(0)).lose();

        assertThat(watcher.payloads()).containsExactly("gone");
        assertThat(cluster.owner().count("heddle.wills.published")).isOne();
    }

    @Conformance("MQTT-3.1.3-9")
    @Test
    void aDelayedWillWaitsAtTheOwner() {
        cluster.connect(1, persistent().will(5)).lose();
        cluster.connect(2, persistent().will(5));
        cluster.advance(Duration.ofSeconds(10));
        assertThat(watcher.payloads()).as("the client is back").isEmpty();

        cluster.connect(OWNER, persistent().cleanStart(true));

        assertThat(watcher.payloads()).as("the session has ended").containsExactly("gone");
    }

    @Conformance("MQTT-3.14.4-3")
    @Test
    void aNormalDisconnectDiscardsTheWill() {
        cluster.connect(1, persistent().will(0)).disconnect();
        cluster.advance(Duration.ofMinutes(2));

        assertThat(watcher.payloads()).isEmpty();
    }

    @Test
    void aSessionIsRefusedByTheQuotaOfItsOwner() {
        SessionSettings one = new SessionSettings(
                65_536,
                8,
                TopicRules.STANDARD,
                3,
                5,
                3_600,
                3_600,
                0,
                100,
                4,
                2,
                TestNode.QUEUE,
                1_000,
                1,
                TestNode.PATIENCE);
        cluster = new TestCluster(3, one);
        cluster.connect(1, new Connect("a").persistent(60)).lose();

        TestClient second = cluster.connect(2, new Connect("b").persistent(60));

        assertThat(second.connAck().reason()).isEqualTo(ReasonCode.QUOTA_EXCEEDED);
        assertThat(cluster.owner().persistent.all()).hasSize(1);
    }

    @Test
    void anotherUserIsRefused() {
        for (int i = 0; i < 3; i++) {
            cluster.node(i).authenticator = shown ->
                    new Accepted(new ClientIdentity(shown.clientId(), ClientType.DEVICE, shown.userName(), false));
        }
        TestClient alice = cluster.connect(1, persistent().userName("alice"));

        TestClient bob = cluster.connect(2, persistent().userName("bob"));

        assertThat(bob.connAck().reason()).isEqualTo(ReasonCode.NOT_AUTHORIZED);
        assertThat(alice.connection().isOpen()).isTrue();
        assertThat(cluster.connect(2, persistent().userName("alice")).connAck().sessionPresent())
                .isTrue();
        assertThat(alice.disconnected()).containsExactly(ReasonCode.SESSION_TAKEN_OVER);
    }

    @Test
    void theNextConnectionIsGrantedWhenTheWillOfTheEarlierOneIsInPlace() {
        cluster.connect(1, withRetainedWill());
        cluster.node(1).log.hold(10);

        TestClient fresh = cluster.connect(2, withRetainedWill());
        assertThat(fresh.connection().sent()).isEmpty();

        cluster.node(1).log.release();
        cluster.run();
        assertThat(fresh.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
        assertThat(cluster.node(1).count("heddle.wills.published")).isOne();
        assertThat(cluster.node(1).count("heddle.wills.late")).isZero();
    }

    private static Connect withRetainedWill() {
        return new Connect("bound").will(0, QoS.AT_LEAST_ONCE, true);
    }

    @Test
    void theNextConnectionWaitsForTheWillForFiveSecondsAtMost() {
        cluster.connect(1, withRetainedWill());
        cluster.node(1).log.hold(10);
        TestClient fresh = cluster.connect(2, withRetainedWill());

        cluster.advance(Duration.ofMillis(4_999));
        assertThat(fresh.connection().sent()).isEmpty();
        cluster.advance(Duration.ofMillis(1));

        assertThat(fresh.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
        assertThat(cluster.node(1).count("heddle.wills.late")).isOne();
    }

    @Test
    void aWillThatCannotBeStoredDoesNotDelayTheNextConnection() {
        cluster.connect(1, withRetainedWill());
        cluster.node(1).log.failWith(new IllegalStateException("Kafka has failed"));

        TestClient fresh = cluster.connect(2, withRetainedWill());

        assertThat(fresh.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
    }

    @Test
    void aConnectionOfTheSameNodeWaitsForTheWill() {
        cluster.connect(1, withRetainedWill());
        cluster.node(1).log.hold(10);

        TestClient fresh = cluster.connect(1, withRetainedWill());
        assertThat(fresh.connection().sent()).isEmpty();

        cluster.node(1).log.release();
        cluster.run();
        assertThat(fresh.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
    }
}
