package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.heddle.core.authorization.TopicRules;
import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.DisconnectPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.testkit.Conformance;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Sessions that outlive their connections. */
final class PersistentSessionTest extends PersistentSessionFixture {
    @Conformance({"MQTT-3.1.2-5", "MQTT-3.1.2-23", "MQTT-3.1.3-2", "MQTT-3.2.2-3", "MQTT-4.5.0-1"})
    @Test
    void messagesForAnAbsentClientAreDeliveredWhenItReconnects() {
        connect().subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        publish(QoS.AT_LEAST_ONCE, "a", "b");
        publish(QoS.AT_MOST_ONCE, "lost");

        TestClient back = connect();

        assertThat(back.connAck().sessionPresent()).isTrue();
        assertThat(back.payloads()).containsExactly("a", "b");
        assertThat(back.messages()).noneMatch(PublishPacket::duplicate);
        assertThat(node.dropped("disconnected")).isOne();
    }

    @Conformance({"MQTT-3.1.2-23", "MQTT-3.2.2-3", "MQTT-4.1.0-2"})
    @Test
    void anExpiredSessionsMessagesAreCounted() {
        long before = node.memory.chargedBytes();
        connect().subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        publish(QoS.AT_LEAST_ONCE, "a", "b");

        node.advance(Duration.ofSeconds(59));
        assertThat(node.persistent.find(new ClientId("c"))).isNotNull();
        node.advance(Duration.ofSeconds(1));

        assertThat(node.persistent.find(new ClientId("c"))).isNull();
        assertThat(node.trie.size()).isZero();
        assertThat(node.dropped("session_ended")).isEqualTo(2);
        assertThat(node.memory.chargedBytes()).isEqualTo(before);
        assertThat(node.count("heddle.sessions.expired")).isOne();
        TestClient back = connect();
        assertThat(back.connAck().sessionPresent()).isFalse();
        assertThat(back.messages()).isEmpty();
    }

    @Test
    void disconnectMaySetAnotherExpiryButNotForASessionThatEndsWithItsConnection() {
        TestClient client = connect();
        client.send(new DisconnectPacket(ReasonCode.SUCCESS, 5L, null, List.of(), null));
        client.closed();
        node.runAll();
        node.advance(Duration.ofSeconds(5));
        assertThat(node.persistent.find(new ClientId("c"))).isNull();

        node.connect("brief")
                .sendForbidden(
                        new DisconnectPacket(ReasonCode.SUCCESS, 5L, null, List.of(), null), ReasonCode.PROTOCOL_ERROR);
    }

    @Conformance({"MQTT-3.1.2-4", "MQTT-3.1.4-4", "MQTT-3.2.2-2"})
    @Test
    void cleanStartDiscardsTheOldSession() {
        connect().subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        publish(QoS.AT_LEAST_ONCE, "old");

        TestClient fresh =
                node.connect(new Connect("c").persistent(60).cleanStart(true).packet());
        publish(QoS.AT_LEAST_ONCE, "unwanted");

        assertThat(fresh.connAck().sessionPresent()).isFalse();
        assertThat(fresh.messages()).isEmpty();
        assertThat(node.dropped("session_ended")).isOne();
        assertThat(node.trie.size()).isZero();
    }

    @Conformance(mqtt311 = {"MQTT-3.1.2-4", "MQTT-3.2.2-2"})
    @Test
    void anMqtt3SessionWithoutCleanSessionIsKept() {
        node.connect(new Connect("c")
                        .version(MqttVersion.V3_1_1)
                        .cleanStart(false)
                        .packet())
                .subscribe(QoS.AT_LEAST_ONCE, "t")
                .lose();
        publish(QoS.AT_LEAST_ONCE, "a");
        node.advance(Duration.ofMinutes(59));

        TestClient back = node.connect(
                new Connect("c").version(MqttVersion.V3_1).cleanStart(false).packet());

        assertThat(back.connAck().sessionPresent()).isTrue();
        assertThat(back.payloads()).containsExactly("a");
    }

    @Conformance("MQTT-3.1.4-2")
    @Test
    void anotherUserDoesNotGetTheSessionOfAClientId() {
        node.authenticator = shown -> new io.heddle.core.authentication.AuthenticationOutcome.Accepted(
                new io.heddle.core.client.ClientIdentity(
                        shown.clientId(), io.heddle.core.client.ClientType.DEVICE, shown.userName()));
        node.connect(new Connect("c").persistent(60).userName("alice").packet())
                .subscribe(QoS.AT_LEAST_ONCE, "t")
                .lose();
        publish(QoS.AT_LEAST_ONCE, "for alice");

        TestClient mallory =
                node.connect(new Connect("c").persistent(60).userName("mallory").packet());

        assertThat(mallory.connAck().reason()).isEqualTo(ReasonCode.NOT_AUTHORIZED);
        TestClient alice =
                node.connect(new Connect("c").persistent(60).userName("alice").packet());
        assertThat(alice.payloads()).containsExactly("for alice");
    }

    @Test
    void aSessionIsResumedOnAnyEventLoop() {
        connect().subscribe(QoS.EXACTLY_ONCE, "t").lose();
        publish(QoS.AT_LEAST_ONCE, "a");

        TestClient back = connect(node.otherLoop);
        publish(QoS.AT_LEAST_ONCE, "b");
        node.runAll();

        assertThat(back.connAck().sessionPresent()).isTrue();
        assertThat(back.payloads()).containsExactly("a", "b");
        back.lose();
        node.advance(Duration.ofSeconds(60));
        assertThat(node.persistent.find(new ClientId("c"))).isNull();
    }

    @Test
    void messagesKeepTheirOrderWhileASessionIsTakenOver() {
        TestClient before = connect().subscribe(QoS.AT_LEAST_ONCE, "t");
        publish(QoS.AT_LEAST_ONCE, "a");
        node.stores.registry.hold();
        TestClient back = connect(node.otherLoop);
        publish(QoS.AT_LEAST_ONCE, "b");
        assertThat(before.disconnected()).containsExactly(ReasonCode.SESSION_TAKEN_OVER);
        assertThat(back.established()).isEmpty();
        node.stores.registry.release();
        TestClient unsettled = publisher.unsettled();
        unsettled.publish("t", "c", QoS.AT_LEAST_ONCE, 1);
        node.otherLoop.runTasks();
        unsettled.publish("t", "d", QoS.AT_LEAST_ONCE, 1);
        node.runAll();

        assertThat(back.messages())
                .extracting(TestClient::payload, PublishPacket::duplicate)
                .containsExactly(tuple("a", true), tuple("b", false), tuple("c", false), tuple("d", false));
    }

    @Test
    void aClientLostBeforeItsSessionIsOpenedFindsItNextTime() {
        connect().subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        publish(QoS.AT_LEAST_ONCE, "a");
        TestClient gone =
                node.begin(node.otherLoop, new Connect("c").persistent(60).packet());
        gone.connection().lose();
        node.runAll();

        assertThat(gone.established()).isEmpty();
        assertThat(connect().payloads()).containsExactly("a");
    }

    private static TestNode nodeWithTwoSessionsForEachUser() {
        TestNode small = new TestNode(
                new SessionSettings(
                        65_536,
                        8,
                        TopicRules.STANDARD,
                        3,
                        50,
                        3_600,
                        3_600,
                        0,
                        100,
                        4,
                        2,
                        TestNode.QUEUE,
                        50,
                        2,
                        TestNode.PATIENCE),
                1_000_000);
        small.authenticator = shown -> new io.heddle.core.authentication.AuthenticationOutcome.Accepted(
                new io.heddle.core.client.ClientIdentity(
                        shown.clientId(),
                        io.heddle.core.client.ClientType.DEVICE,
                        shown.userName(),
                        shown.clientId().value().startsWith("own")));
        return small;
    }

    private static ReasonCode connectAs(TestNode on, @Nullable String userName, String clientId, long expirySeconds) {
        Connect connect = new Connect(clientId).persistent(expirySeconds);
        return on.connect((userName == null ? connect : connect.userName(userName)).packet())
                .connAck()
                .reason();
    }

    @Test
    void theMaximumOfPersistentSessionsAppliesToEachUser() {
        TestNode small = nodeWithTwoSessionsForEachUser();
        assertThat(connectAs(small, "alice", "a1", 60)).isEqualTo(ReasonCode.SUCCESS);
        assertThat(connectAs(small, "alice", "a2", 60)).isEqualTo(ReasonCode.SUCCESS);
        long before = small.memory.chargedBytes();

        assertThat(connectAs(small, "alice", "a3", 60)).isEqualTo(ReasonCode.QUOTA_EXCEEDED);

        assertThat(small.memory.chargedBytes()).isEqualTo(before);
        assertThat(small.count("heddle.sessions.refused", "reason", "maximum_per_user"))
                .isOne();
        assertThat(connectAs(small, "alice", "a2", 60)).as("it has one").isEqualTo(ReasonCode.SUCCESS);
        assertThat(connectAs(small, "alice", "a3", 0))
                .as("the session ends with its connection")
                .isEqualTo(ReasonCode.SUCCESS);
        assertThat(connectAs(small, "alice", "own", 60)).as("assigned to it").isEqualTo(ReasonCode.SUCCESS);
        assertThat(connectAs(small, "bob", "b1", 60)).isEqualTo(ReasonCode.SUCCESS);
        TestNode next = small.restarted();
        next.authenticator = small.authenticator;
        assertThat(connectAs(next, "alice", "a4", 60)).isEqualTo(ReasonCode.QUOTA_EXCEEDED);
        assertThat(connectAs(next, "bob", "b2", 60)).isEqualTo(ReasonCode.SUCCESS);
    }

    @Test
    void anEndedSessionMakesRoomForAnotherOfItsUser() {
        TestNode small = nodeWithTwoSessionsForEachUser();
        connectAs(small, "alice", "a1", 60);
        connectAs(small, "alice", "a2", 60);
        connectAs(small, "alice", "a2", 0);
        small.connect(new Connect("a2").userName("alice").packet());

        assertThat(connectAs(small, "alice", "a3", 60)).isEqualTo(ReasonCode.SUCCESS);
        assertThat(connectAs(small, "alice", "a4", 60)).isEqualTo(ReasonCode.QUOTA_EXCEEDED);
    }

    @Test
    void anonymousClientsOfOneAddressShareOneQuota() {
        TestNode small = nodeWithTwoSessionsForEachUser();
        assertThat(connectAs(small, null, "x1", 60)).isEqualTo(ReasonCode.SUCCESS);
        assertThat(connectAs(small, null, "x2", 60)).isEqualTo(ReasonCode.SUCCESS);
        assertThat(connectAs(small, null, "x3", 60)).isEqualTo(ReasonCode.QUOTA_EXCEEDED);
        assertThat(connectAs(small, "alice", "x4", 60)).isEqualTo(ReasonCode.SUCCESS);
    }
}
