package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.ConnAckPacket;
import io.heddle.core.mqtt.packet.SubAckPacket;
import io.heddle.core.mqtt.packet.UnsubAckPacket;
import io.heddle.core.mqtt.packet.UnsubscribePacket;
import io.heddle.core.session.persistent.SessionRecord;
import io.heddle.core.session.registrar.ChangeOutcome;
import io.heddle.core.session.registrar.SubscriptionChange;
import io.heddle.core.session.registrar.TransientClient;
import io.heddle.core.testkit.Conformance;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Late answers, ended nodes, subscriptions and clients without persistent sessions at other nodes than the one that decides. */
final class RemoteRequestsTest extends RemoteRegistrarFixture {
    @Test
    void aNodeThatHasEndedLosesItsConnections() {
        cluster.connect(1, persistent().will(0));
        cluster.connect(2, new Connect("other").persistent(60));

        cluster.end(1);

        assertThat(record().isAway()).isTrue();
        assertThat(watcher.payloads()).containsExactly("gone");
        assertThat(Objects.requireNonNull(cluster.owner().persistent.find(new ClientId("other")))
                        .record()
                        .owner())
                .isEqualTo(incarnation(2));
    }

    @Test
    void aConnectionThatWaitsForADeadNodeGoesOnWhenTheNodeHasEnded() {
        cluster.connect(1, persistent());
        cluster.delayFrames();
        TestClient fresh = cluster.connect(OWNER, persistent());
        assertThat(fresh.connection().sent()).isEmpty();

        cluster.end(1);

        assertThat(fresh.connAck().sessionPresent()).isTrue();
    }

    @Test
    void theLateDepartureOfADeadNodeChangesNothing() {
        TestClient old = cluster.connect(1, persistent().will(0));
        cluster.end(1);
        cluster.connect(2, persistent());
        SessionRecord connected = record();

        old.lose();

        assertThat(record()).isEqualTo(connected);
        assertThat(watcher.payloads()).as("of the dead node").hasSize(1);
    }

    @Test
    void aClientIsRefusedWhenTheOwnerDoesNotAnswer() {
        cluster.delayFrames();
        TestClient v5 = cluster.connect(1, persistent());
        TestClient v3 =
                cluster.connect(1, new Connect("d").version(MqttVersion.V3_1_1).cleanStart(false));
        cluster.advance(Duration.ofMillis(9_999));
        assertThat(v5.connection().sent()).isEmpty();

        cluster.advance(Duration.ofMillis(1));

        assertThat(v5.connAck().reason()).isEqualTo(ReasonCode.SERVER_UNAVAILABLE);
        assertThat(v3.connection().sent(ConnAckPacket.class))
                .extracting(ConnAckPacket::reason)
                .containsExactly(ReasonCode.SERVER_UNAVAILABLE);
        assertThat(v5.connection().isOpen()).isFalse();
    }

    @Conformance("MQTT-3.2.2-4")
    @Test
    void aNewSessionWhoseGrantComesTooLateEndsWithoutAWill() {
        cluster.delayFrames();
        cluster.connect(1, persistent().will(0));
        cluster.advance(Duration.ofSeconds(10));

        cluster.deliverFrames();

        assertThat(session()).isNull();
        cluster.advance(Duration.ofSeconds(30));
        assertThat(watcher.payloads()).isEmpty();
        assertThat(cluster.connect(2, persistent()).connAck().sessionPresent())
                .as("the client got no CONNACK")
                .isFalse();
    }

    @Test
    void aResumptionThatComesTooLateLeavesTheSessionAsItWas() {
        cluster.connect(1, persistent().will(50)).lose();
        SessionRecord before = record();
        cluster.delayFrames();
        cluster.connect(2, new Connect("c").persistent(3_000));
        cluster.advance(Duration.ofSeconds(10));

        cluster.deliverFrames();

        assertThat(record().expirySeconds()).isEqualTo(before.expirySeconds());
        assertThat(record().awaySinceMillis()).isEqualTo(before.awaySinceMillis());
        cluster.advance(Duration.ofSeconds(40));
        assertThat(watcher.payloads()).as("the will of the first connection").containsExactly("gone");
    }

    @Test
    void aClientThatIsLostWhileItsSessionIsResumedLeavesTheSessionAsItWas() {
        cluster.connect(1, persistent()).lose();
        SessionRecord before = record();
        cluster.delayFrames();
        TestClient gone = cluster.connect(2, persistent());
        gone.connection().lose();
        cluster.deliverFrames();

        assertThat(gone.established()).isEmpty();
        assertThat(record().isAway()).isTrue();
        assertThat(record().awaySinceMillis()).isEqualTo(before.awaySinceMillis());
    }

    @Test
    void subscriptionsAreChangedByTheOwner() {
        TestClient client = cluster.connect(1, persistent()).subscribe(QoS.AT_LEAST_ONCE, "a", "b", "c", "d");

        assertThat(client.subscribed())
                .as("at most three")
                .containsExactly(
                        ReasonCode.GRANTED_QOS_1,
                        ReasonCode.GRANTED_QOS_1,
                        ReasonCode.GRANTED_QOS_1,
                        ReasonCode.QUOTA_EXCEEDED);
        client.send(new UnsubscribePacket(8, List.of(), List.of("a", "x")));
        assertThat(client.connection().sent(UnsubAckPacket.class).getLast().reasons())
                .containsExactly(ReasonCode.SUCCESS, ReasonCode.NO_SUBSCRIPTION_EXISTED);
        assertThat(Objects.requireNonNull(session()).subscriptions()).containsOnlyKeys("b", "c");
        assertThat(cluster.owner().restarted().trie.size()).isEqualTo(2);
    }

    @Test
    void retainedMessagesFollowTheSubAckOfTheOwner() {
        cluster.connect(1, new Connect("publisher")).retain("t", "retained");

        TestClient client = cluster.connect(1, persistent()).subscribe(QoS.AT_MOST_ONCE, "t");

        assertThat(client.payloads()).containsExactly("retained");
        assertThat(client.connection().sent().get(1)).isInstanceOf(SubAckPacket.class);
    }

    @Test
    void aSubscribeOfAReplacedConnectionChangesNothing() {
        cluster.connect(1, persistent());
        SessionRecord first = record();
        cluster.connect(2, persistent());

        CompletionStage<ChangeOutcome> late = cluster.owner()
                .registrar
                .change(new SubscriptionChange.Unsubscribe(CLIENT, first.generation(), first.epoch(), List.of("t")));
        cluster.run();

        assertThat(late.toCompletableFuture()).isCompletedWithValue(new ChangeOutcome.NotHeld());
    }

    /** A node that was frozen sends a SUBSCRIBE for a connection that the owner has given up. */
    @Test
    void aConnectionThatHasLostItsSessionIsDisconnectedByItsSubscribe() {
        TestClient zombie = cluster.connect(1, persistent());
        cluster.lose(1);
        cluster.connect(2, persistent());

        zombie.subscribe(QoS.AT_LEAST_ONCE, "t");

        assertThat(zombie.disconnected()).containsExactly(ReasonCode.SESSION_TAKEN_OVER);
        assertThat(Objects.requireNonNull(session()).subscriptions()).isEmpty();
    }

    @Conformance("MQTT-3.1.4-3")
    @Test
    void aClientWithoutAPersistentSessionIsTakenOverThroughAnotherNode() {
        TestClient first = cluster.connect(1, new Connect("c"));
        TestClient second = cluster.connect(2, new Connect("c"));
        assertThat(first.disconnected()).containsExactly(ReasonCode.SESSION_TAKEN_OVER);

        TestClient third = cluster.connect(OWNER, persistent());
        assertThat(second.disconnected()).containsExactly(ReasonCode.SESSION_TAKEN_OVER);

        TestClient fourth = cluster.connect(1, new Connect("c"));
        assertThat(third.disconnected()).containsExactly(ReasonCode.SESSION_TAKEN_OVER);
        assertThat(fourth.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
        assertThat(session()).isNull();
    }

    @Test
    void aRegisteredClientHoldsMemoryUntilItLeaves() {
        long before = cluster.owner().memory.chargedBytes();
        TestClient client = cluster.connect(1, new Connect("c"));
        assertThat(cluster.owner().memory.chargedBytes()).isGreaterThan(before);

        client.lose();

        assertThat(cluster.owner().memory.chargedBytes()).isEqualTo(before);
    }

    @Test
    void theClientsOfANodeThatHasEndedConnectAgain() {
        cluster.connect(1, new Connect("c"));
        cluster.delayFrames();
        TestClient back = cluster.connect(OWNER, new Connect("c"));
        assertThat(back.connection().sent()).isEmpty();

        cluster.end(1);

        assertThat(back.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
    }

    @Test
    void aTransientGrantThatComesTooLateIsGivenBack() {
        cluster.delayFrames();
        TestClient refused = cluster.connect(1, new Connect("c"));
        cluster.advance(Duration.ofSeconds(10));
        assertThat(refused.connAck().reason()).isEqualTo(ReasonCode.SERVER_UNAVAILABLE);

        cluster.deliverFrames();

        assertThat(cluster.connect(2, new Connect("c")).connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
    }

    @Test
    void ofTwoAnnouncedConnectionsTheLaterOneStays() {
        TestClient client = cluster.connect(1, new Connect("c"));
        long number =
                Objects.requireNonNull(cluster.node(1).sessions.find(CLIENT)).epoch();

        announce(2, new TransientClient(CLIENT, number - 1, null));
        cluster.run();
        assertThat(client.connection().isOpen()).as("the later one").isTrue();

        announce(2, new TransientClient(CLIENT, number + 1, null));
        cluster.run();
        assertThat(client.disconnected()).containsExactly(ReasonCode.SESSION_TAKEN_OVER);
    }

    private void announce(int node, TransientClient client) {
        cluster.owner()
                .registrar
                .announce(incarnation(node), cluster.owner().persistent.bucket(CLIENT), List.of(client), false);
    }

    /** It has waited while this node stopped deciding about the client. */
    @Test
    void anAnnouncementForAClosedBucketIsForgotten() {
        Set<Integer> all = cluster.owner().persistent.held().all();
        cluster.owner().registrar.closeBuckets(all);
        announce(1, new TransientClient(CLIENT, 1, null));
        cluster.owner().registrar.openBuckets(all, Set.of(), Duration.ZERO);
        cluster.delayFrames();

        TestClient client = cluster.connect(OWNER, new Connect("c"));

        assertThat(client.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
    }

    @Test
    void aConnectionThatItsNodeDoesNotKnowIsForgotten() {
        announce(1, new TransientClient(CLIENT, 1, null));
        cluster.run();

        TestClient client = cluster.connect(2, new Connect("c"));

        assertThat(client.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
    }

    @Test
    void anAnnouncedConnectionOfAnEarlierTimeIsClosed() {
        TestClient client = cluster.connect(1, new Connect("c"));
        long number =
                Objects.requireNonNull(cluster.node(1).sessions.find(CLIENT)).epoch();
        cluster.lose(1);
        cluster.connect(2, persistent());

        announce(1, new TransientClient(CLIENT, number, null));
        cluster.run();

        assertThat(client.disconnected()).containsExactly(ReasonCode.SESSION_TAKEN_OVER);
    }
}
