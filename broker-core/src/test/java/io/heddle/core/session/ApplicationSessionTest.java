package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.heddle.core.authentication.AnonymousAuthenticator;
import io.heddle.core.authentication.ClientIdPattern;
import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.PubRelPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.testkit.InMemoryCredentialsStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Persistent sessions of APPLICATION clients. */
final class ApplicationSessionTest {
    private static final ClientId APP = new ClientId("app");

    private final TestStores stores = new TestStores();
    private TestNode node = typed(new TestNode(TestNode.SETTINGS, 1_000_000, stores));

    private static TestNode typed(TestNode node) {
        node.authenticator = new AnonymousAuthenticator(
                new InMemoryCredentialsStore(), _ -> true, List.of(new ClientIdPattern("app*")));
        return node;
    }

    private TestClient connect() {
        return node.connect(new Connect("app").persistent(60).packet());
    }

    private void publish(QoS qos, String... payloads) {
        TestClient publisher = node.connect("publisher");
        for (String payload : payloads) {
            publisher.publish("t", payload, qos, 1);
            publisher.pubRel(1);
        }
        publisher.disconnect();
    }

    /** Exactly once, in a transaction, which leaves a gap in the log. */
    private void commit(String... payloads) {
        TestClient publisher =
                node.connect(new Connect("persistent-publisher").persistent(60).packet());
        for (String payload : payloads) {
            publisher.publish("t", payload, QoS.EXACTLY_ONCE, 1);
            publisher.pubRel(1);
        }
        publisher.disconnect();
    }

    @Test
    void messagesForAnAbsentClientWaitInItsLog() {
        connect().subscribe(QoS.EXACTLY_ONCE, "t").lose();
        publish(QoS.AT_LEAST_ONCE, "a", "b");

        assertThat(node.log.applications()).hasSize(2);
        TestClient back = connect();
        assertThat(back.connAck().sessionPresent()).isTrue();
        assertThat(back.messages())
                .extracting(PublishPacket::packetId, TestClient::payload, PublishPacket::duplicate)
                .containsExactly(tuple(32_768, "a", false), tuple(32_769, "b", false));
    }

    @Test
    void aConnectedClientNeverReceivesAcknowledgedMessagesAgain() {
        TestClient app = connect().subscribe(QoS.EXACTLY_ONCE, "t");
        publish(QoS.AT_LEAST_ONCE, "a");
        commit("b", "c");
        assertThat(app.messages())
                .extracting(PublishPacket::packetId, TestClient::payload)
                .containsExactly(tuple(32_768, "a"), tuple(32_769, "b"), tuple(32_771, "c"));
        app.pubAck(32_768);
        app.pubRec(32_771);
        app.pubComp(32_771);
        app.lose();

        TestClient back = connect();
        assertThat(back.messages())
                .extracting(PublishPacket::packetId, TestClient::payload, PublishPacket::duplicate)
                .containsExactly(tuple(32_769, "b", true));
    }

    @Test
    void receivedMessagesAreReleasedAgainAfterARestart() {
        TestClient app = connect().subscribe(QoS.EXACTLY_ONCE, "t");
        commit("a", "b");
        app.pubRec(32_770);
        assertThat(app.connection().sent(PubRelPacket.class))
                .extracting(PubRelPacket::packetId)
                .containsExactly(32_770);

        node = typed(node.restarted());
        commit("c");
        TestClient back = connect();
        assertThat(back.connection().sent(PubRelPacket.class))
                .extracting(PubRelPacket::packetId)
                .containsExactly(32_770);
        assertThat(back.messages())
                .extracting(PublishPacket::packetId, TestClient::payload)
                .containsExactly(tuple(32_768, "a"), tuple(32_772, "c"));
        back.pubComp(32_770);
        back.pubRec(32_768);
        back.pubComp(32_768);
        back.lose();

        assertThat(connect().payloads()).containsExactly("c");
    }

    @Test
    void messagesCompletedBeforeTheLogIsReadDoNotBlockOthers() {
        TestClient app = connect().subscribe(QoS.EXACTLY_ONCE, "t");
        commit("a", "b");
        app.pubRec(32_768);
        app.lose();
        stores.progressLog.hold();
        TestClient back = connect();
        assertThat(back.messages()).isEmpty();
        back.pubComp(32_768);
        stores.progressLog.release();
        node.runAll();

        commit("c");
        assertThat(back.messages())
                .extracting(PublishPacket::packetId, TestClient::payload)
                .containsExactly(tuple(32_770, "b"), tuple(32_772, "c"));
        back.pubRec(32_770);
        back.pubComp(32_770);
        back.lose();
        assertThat(connect().payloads()).containsExactly("c");
    }

    @Test
    void pubrelWaitsUntilItsPubrecIsWritten() {
        TestClient app = connect().subscribe(QoS.EXACTLY_ONCE, "t");
        commit("a");
        stores.progressLog.hold();
        app.pubRec(32_768);
        assertThat(app.connection().sent(PubRelPacket.class)).isEmpty();

        stores.progressLog.release();
        node.runAll();
        assertThat(app.connection().sent(PubRelPacket.class)).hasSize(1);
    }

    @Test
    void acknowledgementsAreWrittenSoonWhileTheClientIsConnected() {
        TestClient app = connect().subscribe(QoS.AT_LEAST_ONCE, "t");
        publish(QoS.AT_LEAST_ONCE, "a", "b", "c");
        app.pubAck(32_769);
        app.pubAck(32_768);
        node.advance(Duration.ofMillis(100));

        node = typed(node.restarted());
        assertThat(connect().payloads()).containsExactly("c");
    }

    @Test
    void aCleanStartReceivesNothingOfTheOldSession() {
        connect().subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        publish(QoS.AT_LEAST_ONCE, "old");

        TestClient anew =
                node.connect(new Connect("app").persistent(60).cleanStart(true).packet());
        anew.subscribe(QoS.AT_LEAST_ONCE, "t");
        publish(QoS.AT_LEAST_ONCE, "new");

        assertThat(anew.connAck().sessionPresent()).isFalse();
        assertThat(anew.payloads()).containsExactly("new");
        assertThat(node.dropped("session_ended")).isEqualTo(1);
        assertThat(stores.applicationLogs.has(APP)).isTrue();
    }

    @Test
    void theLogIsRemovedWithTheSession() {
        connect().subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        publish(QoS.AT_LEAST_ONCE, "a", "b");
        node.advance(Duration.ofSeconds(61));

        assertThat(stores.applicationLogs.has(APP)).isFalse();
        assertThat(node.dropped("session_ended")).isEqualTo(2);
        node = typed(node.restarted());
        assertThat(stores.applicationLogs.has(APP)).isFalse();
    }

    @Test
    void aSessionThatEndsWithItsConnectionHasNoLog() {
        node.connect("app").subscribe(QoS.AT_LEAST_ONCE, "t");

        assertThat(stores.applicationLogs.has(APP)).isFalse();
    }

    @Test
    void aClientWhoseLogCannotBeCreatedIsRefusedAndMayRetry() {
        stores.applicationLogs.unavailable(true);
        TestClient refused = connect();
        assertThat(refused.connAck().reason()).isEqualTo(ReasonCode.SERVER_UNAVAILABLE);
        assertThat(node.persistent.find(APP)).isNull();

        stores.applicationLogs.unavailable(false);
        TestClient back = connect();
        assertThat(back.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
        back.subscribe(QoS.AT_LEAST_ONCE, "t");
        publish(QoS.AT_LEAST_ONCE, "a");
        assertThat(back.payloads()).containsExactly("a");
    }

    @Test
    void aLogCreatedTooLateIsRemoved() {
        CompletableFuture<Void> creation = stores.applicationLogs.holdCreations();
        TestClient refused = connect();
        assertThat(refused.connection().sent()).isEmpty();
        node.advance(Duration.ofSeconds(10));
        assertThat(refused.connAck().reason()).isEqualTo(ReasonCode.SERVER_UNAVAILABLE);

        creation.complete(null);
        node.runAll();
        assertThat(stores.applicationLogs.has(APP)).isFalse();
    }

    @Test
    void retainedMessagesAreDeliveredThroughTheLog() {
        node.connect("publisher")
                .send(TestClient.packet("t", "kept", QoS.AT_LEAST_ONCE, 1, true, PublishProperties.NONE));
        TestClient app = connect().subscribe(QoS.AT_LEAST_ONCE, "t");

        assertThat(app.messages())
                .extracting(PublishPacket::packetId, TestClient::payload, PublishPacket::retain)
                .containsExactly(tuple(32_768, "kept", true));
    }

    @Test
    void sharedMessagesForAnApplicationMemberGoIntoItsLog() {
        connect().subscribe(QoS.AT_LEAST_ONCE, "$share/g/t").lose();
        publish(QoS.AT_LEAST_ONCE, "a", "b");

        assertThat(node.log.applications()).hasSize(2);
        assertThat(connect().payloads()).containsExactly("a", "b");
    }

    @Test
    void aTakeoverContinuesWhereTheFirstConnectionStopped() {
        TestClient first = connect().subscribe(QoS.AT_LEAST_ONCE, "t");
        publish(QoS.AT_LEAST_ONCE, "a", "b");
        first.pubAck(32_768);
        TestClient second =
                node.connect(node.otherLoop, new Connect("app").persistent(60).packet());

        assertThat(first.disconnected()).containsExactly(ReasonCode.SESSION_TAKEN_OVER);
        assertThat(second.messages())
                .extracting(PublishPacket::packetId, TestClient::payload, PublishPacket::duplicate)
                .containsExactly(tuple(32_769, "b", true));
    }

    @Test
    void aClientWithASmallWindowGetsAllMessages() {
        TestClient app =
                node.connect(new Connect("app").persistent(60).receiveMaximum(1).packet());
        app.subscribe(QoS.AT_LEAST_ONCE, "t");
        String[] payloads = new String[300];
        for (int i = 0; i < payloads.length; i++) {
            payloads[i] = "m" + i;
        }
        publish(QoS.AT_LEAST_ONCE, payloads);
        for (int i = 0; i < payloads.length; i++) {
            assertThat(app.messages()).hasSize(i + 1);
            app.pubAck(app.messages().getLast().packetId());
        }
        assertThat(app.payloads()).containsExactly(payloads);
    }
}
