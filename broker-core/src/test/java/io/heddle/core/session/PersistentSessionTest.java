package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.DisconnectPacket;
import io.heddle.core.mqtt.packet.PubRelPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.testkit.ManualEventLoop;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sessions that outlive their connections. */
final class PersistentSessionTest {
    private final TestNode node = new TestNode();

    private static final int FIRST_ID = 32_769;

    private final TestClient publisher = node.connect("publisher");

    private TestClient connect() {
        return node.connect(new Connect("c").persistent(60).packet());
    }

    private TestClient connect(ManualEventLoop on) {
        return node.connect(on, new Connect("c").persistent(60).packet());
    }

    private void publish(QoS qos, String... payloads) {
        for (String payload : payloads) {
            publisher.publish("t", payload, qos, 1);
            publisher.pubRel(1);
        }
    }

    @Test
    void messagesThatCameWhileTheClientWasAwayAreDeliveredWhenItIsBack() {
        connect().subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        publish(QoS.AT_LEAST_ONCE, "a", "b");
        publish(QoS.AT_MOST_ONCE, "lost");

        TestClient back = connect();

        assertThat(back.connAck().sessionPresent()).isTrue();
        assertThat(back.payloads()).containsExactly("a", "b");
        assertThat(back.messages()).noneMatch(PublishPacket::duplicate);
        assertThat(node.dropped("disconnected")).isOne();
    }

    @Test
    void whatWasInFlightIsSentAgainWithItsIdentifierAndDupBeforeAnythingNew() {
        TestClient before = connect().subscribe(QoS.EXACTLY_ONCE, "t");
        long idleBytes = node.memory.takenBytes();
        publish(QoS.AT_LEAST_ONCE, "acknowledged", "one");
        publish(QoS.EXACTLY_ONCE, "two", "received");
        before.pubAck(FIRST_ID);
        before.pubRec(FIRST_ID + 3);
        before.lose();
        publish(QoS.AT_LEAST_ONCE, "new");

        TestClient back = connect();

        assertThat(back.messages())
                .extracting(PublishPacket::packetId, TestClient::payload, PublishPacket::duplicate)
                .containsExactly(
                        tuple(FIRST_ID + 1, "one", true),
                        tuple(FIRST_ID + 2, "two", true),
                        tuple(FIRST_ID + 4, "new", false));
        assertThat(back.connection().sent(PubRelPacket.class))
                .extracting(PubRelPacket::packetId)
                .containsExactly(FIRST_ID + 3);
        back.pubComp(FIRST_ID + 3);
        back.pubAck(FIRST_ID + 1);
        back.pubRec(FIRST_ID + 2);
        back.pubComp(FIRST_ID + 2);
        back.pubAck(FIRST_ID + 4);
        assertThat(node.gauge("heddle.messages.in.flight")).isZero();
        assertThat(node.count("heddle.messages.delivered")).isEqualTo(5);
        assertThat(node.memory.takenBytes()).isEqualTo(idleBytes);
    }

    @Test
    void pubRelsAreSentAgainInTheOrderOfTheirPubRecs() {
        TestClient before = connect().subscribe(QoS.EXACTLY_ONCE, "t");
        publish(QoS.EXACTLY_ONCE, "a", "b", "c");
        before.pubRec(FIRST_ID + 2);
        before.pubRec(FIRST_ID);
        before.pubRec(FIRST_ID + 1);
        before.lose();

        assertThat(connect().connection().sent(PubRelPacket.class))
                .extracting(PubRelPacket::packetId)
                .containsExactly(FIRST_ID + 2, FIRST_ID, FIRST_ID + 1);
    }

    @Test
    void redeliveryKeepsToTheNewConnectionsReceiveMaximum() {
        connect().subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        publish(QoS.AT_LEAST_ONCE, "a", "b", "c");
        connect().lose();

        TestClient back =
                node.connect(new Connect("c").persistent(60).receiveMaximum(2).packet());
        assertThat(back.payloads()).containsExactly("a", "b");
        back.pubAck(FIRST_ID);
        assertThat(back.payloads()).containsExactly("a", "b", "c");
        assertThat(back.messages()).allMatch(PublishPacket::duplicate);
    }

    @Test
    void whatIsOnlyToBeCompletedCountsInTheNewConnectionsReceiveMaximum() {
        TestClient before = connect().subscribe(QoS.EXACTLY_ONCE, "t");
        publish(QoS.EXACTLY_ONCE, "a", "b", "c", "d");
        before.pubRec(FIRST_ID);
        before.pubRec(FIRST_ID + 1);
        before.lose();

        TestClient back =
                node.connect(new Connect("c").persistent(60).receiveMaximum(1).packet());
        assertThat(back.messages()).isEmpty();
        back.pubComp(FIRST_ID);
        assertThat(back.messages()).isEmpty();
        back.pubComp(FIRST_ID + 1);
        assertThat(back.payloads()).containsExactly("c");
        back.pubRec(FIRST_ID + 2);
        back.pubComp(FIRST_ID + 2);
        assertThat(back.payloads()).containsExactly("c", "d");
    }

    @Test
    void whatExpiredInFlightIsSentAgainWithNothingLeft() {
        TestClient before = connect().subscribe(QoS.AT_LEAST_ONCE, "t");
        publisher.send(TestClient.packet(
                "t", "a", QoS.AT_LEAST_ONCE, 1, false, PublishProperties.NONE.withMessageExpirySeconds(10)));
        before.lose();
        node.advance(Duration.ofSeconds(30));

        // The client may have it already: it is resent whatever its age [MQTT-4.4.0-1].
        PublishPacket again = connect().messages().getFirst();
        assertThat(again.duplicate()).isTrue();
        assertThat(again.properties().messageExpirySeconds()).isZero();
    }

    @Test
    void anAcknowledgementOfWhatWasNotSentAgainDoesNotRaiseTheQuota() {
        connect().subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        publish(QoS.AT_LEAST_ONCE, "a", "b", "c", "d");
        connect().lose();
        TestClient back =
                node.connect(new Connect("c").persistent(60).receiveMaximum(2).packet());

        back.pubAck(FIRST_ID + 3);

        assertThat(back.payloads()).containsExactly("a", "b");
    }

    @Test
    void anAcknowledgementOnTheOldConnectionStopsRedelivery() {
        TestClient before = connect().subscribe(QoS.AT_LEAST_ONCE, "t");
        publish(QoS.AT_LEAST_ONCE, "a");
        before.pubAck(FIRST_ID);
        before.lose();

        assertThat(connect().messages()).isEmpty();
    }

    @Test
    void aSessionEndsWithItsExpiryAndEverythingItHeldIsCounted() {
        long before = node.memory.takenBytes();
        connect().subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        publish(QoS.AT_LEAST_ONCE, "a", "b");

        node.advance(Duration.ofSeconds(59));
        assertThat(node.persistent.find(new ClientId("c"))).isNotNull();
        node.advance(Duration.ofSeconds(1));

        assertThat(node.persistent.find(new ClientId("c"))).isNull();
        assertThat(node.trie.size()).isZero();
        assertThat(node.dropped("session_ended")).isEqualTo(2);
        assertThat(node.memory.takenBytes()).isEqualTo(before);
        assertThat(node.count("heddle.sessions.expired")).isOne();
        TestClient back = connect();
        assertThat(back.connAck().sessionPresent()).isFalse();
        assertThat(back.messages()).isEmpty();
    }

    @Test
    void aSessionDoesNotExpireWhileItsClientIsThere() {
        connect().subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        node.advance(Duration.ofSeconds(59));
        TestClient back = connect();
        node.advance(Duration.ofSeconds(100));

        publish(QoS.AT_LEAST_ONCE, "a");

        assertThat(back.payloads()).containsExactly("a");
        assertThat(node.loop.timers()).isZero();
    }

    @Test
    void disconnectMaySetAnotherExpiryButNotForASessionThatEndsWithItsConnection() {
        TestClient client = connect();
        client.send(new DisconnectPacket(ReasonCode.SUCCESS, 5L, null, List.of(), null));
        client.conversation().connectionLost();
        node.advance(Duration.ofSeconds(5));
        assertThat(node.persistent.find(new ClientId("c"))).isNull();

        node.connect("brief")
                .sendForbidden(
                        new DisconnectPacket(ReasonCode.SUCCESS, 5L, null, List.of(), null), ReasonCode.PROTOCOL_ERROR);
    }

    @Test
    void cleanStartEndsTheOldSessionAndNothingOfItReachesTheNewOne() {
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

    @Test
    void aSessionOfMqtt3ThatDidNotBeginCleanIsKept() {
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

        assertThat(mallory.connAck().sessionPresent()).isFalse();
        assertThat(mallory.messages()).isEmpty();
        assertThat(node.trie.size()).isZero();
    }

    @Test
    void aSessionGoesOnOnWhateverEventLoopItsClientComesBack() {
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
    void aClientThatIsGoneAgainBeforeItsSessionIsOpenedFindsItTheNextTime() {
        connect().subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        publish(QoS.AT_LEAST_ONCE, "a");
        TestClient gone =
                node.begin(node.otherLoop, new Connect("c").persistent(60).packet());
        gone.connection().lose();
        node.runAll();

        assertThat(gone.established()).isEmpty();
        assertThat(connect().payloads()).containsExactly("a");
    }

    @Test
    void pubRelsComeFirstAlsoWhenEarlierMessagesAreUnacknowledged() {
        TestClient before = connect().subscribe(QoS.EXACTLY_ONCE, "t");
        publish(QoS.EXACTLY_ONCE, "a", "b", "c", "d");
        before.pubRec(FIRST_ID + 3);
        before.pubRec(FIRST_ID + 1);
        before.lose();

        TestClient back = connect();

        assertThat(back.connection().sent().subList(1, 3))
                .extracting(packet -> packet instanceof PubRelPacket release ? release.packetId() : 0)
                .containsExactly(FIRST_ID + 3, FIRST_ID + 1);
        assertThat(back.messages())
                .extracting(PublishPacket::packetId, TestClient::payload, PublishPacket::duplicate)
                .containsExactly(tuple(FIRST_ID, "a", true), tuple(FIRST_ID + 2, "c", true));
    }

    @Test
    void whatIsCompletedAheadOfItsTurnTakesNothingUnacknowledgedWithIt() {
        TestClient before = connect().subscribe(QoS.EXACTLY_ONCE, "t");
        publish(QoS.EXACTLY_ONCE, "a", "b", "c", "d");
        before.pubRec(FIRST_ID + 3);
        before.pubRec(FIRST_ID + 1);
        before.lose();
        TestClient second = connect();
        second.pubComp(FIRST_ID + 3);
        second.pubComp(FIRST_ID + 1);
        second.lose();

        TestClient third = connect();
        assertThat(third.payloads()).containsExactly("a", "c");
        for (int packetId : new int[] {FIRST_ID, FIRST_ID + 2}) {
            third.pubRec(packetId);
            third.pubComp(packetId);
        }
        third.pubComp(FIRST_ID + 3);
        third.pubComp(FIRST_ID + 1);
        // The queue, which is full, is told.
        node.advance(Duration.ofMillis(20));
        publish(QoS.EXACTLY_ONCE, "e");
        third.lose();

        TestClient fourth = connect();
        assertThat(fourth.connection().sent(PubRelPacket.class)).isEmpty();
        assertThat(fourth.payloads()).containsExactly("e");
        assertThat(node.gauge("heddle.messages.in.flight")).isOne();
    }

    @Test
    void aClientThatIsNotReadingIsReleasedAllTheSameAndGetsTheRestLater() {
        TestClient before = connect().subscribe(QoS.EXACTLY_ONCE, "t");
        publish(QoS.EXACTLY_ONCE, "a", "b");
        before.pubRec(FIRST_ID + 1);
        before.lose();
        TestClient back = node.begin(node.loop, new Connect("c").persistent(60).packet());
        back.connection().writable(false);
        node.runAll();
        assertThat(back.connection().sent(PubRelPacket.class)).hasSize(1);
        assertThat(back.messages()).isEmpty();
        back.pubComp(FIRST_ID + 1);
        node.advance(Duration.ofSeconds(1));
        back.connection().writable(true);
        back.conversation().becameWritable();
        assertThat(back.payloads()).containsExactly("a");
        back.lose();

        assertThat(connect().payloads()).containsExactly("a");
    }

    @Test
    void pubRelWaitsUntilPubRecIsRemembered() {
        TestClient client = connect().subscribe(QoS.EXACTLY_ONCE, "t");
        publish(QoS.EXACTLY_ONCE, "a");
        node.log.hold(100);
        client.pubRec(FIRST_ID);
        assertThat(client.connection().sent(PubRelPacket.class)).isEmpty();

        node.log.release();
        node.runAll();

        assertThat(client.connection().sent(PubRelPacket.class)).hasSize(1);
    }

    @Test
    void aPubRecThatCouldNotBeRememberedEndsTheConnection() {
        TestClient client = connect().subscribe(QoS.EXACTLY_ONCE, "t");
        publish(QoS.EXACTLY_ONCE, "a");
        node.log.failWith(new IllegalStateException("the log is gone"));
        client.pubRec(FIRST_ID);
        client.conversation().connectionLost();
        node.log.failWith(null);

        assertThat(client.connection().sent(PubRelPacket.class)).isEmpty();
        assertThat(client.connection().isOpen()).isFalse();
        assertThat(connect().messages()).extracting(PublishPacket::duplicate).containsExactly(true);
    }
}
