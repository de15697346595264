package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.testkit.Conformance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Several connections with one client id. */
final class TakeoverTest {
    private static final long SUBSCRIPTION_OF_WATCHER = 256 + 2L * "wills".length() + 64;

    private final TestNode node = new TestNode();

    private final TestClient watcher = node.connect("watcher").subscribe(QoS.AT_MOST_ONCE, "wills");

    @Conformance("MQTT-3.1.4-3")
    @Test
    void aSecondConnectionWithTheSameClientIdTakesOver() {
        TestClient old = node.connect("same");
        old.subscribe(QoS.AT_MOST_ONCE, "t");

        TestClient fresh = node.connect(node.otherLoop, new Connect("same").packet());

        assertThat(old.disconnected()).containsExactly(ReasonCode.SESSION_TAKEN_OVER);
        assertThat(old.connection().isOpen()).isFalse();
        old.closed();
        assertThat(fresh.connection().isOpen()).isTrue();
        assertThat(fresh.connAck().sessionPresent()).isFalse();
        assertThat(node.trie.size()).isOne();
        assertThat(node.sessions.connectedCount()).isEqualTo(2);
        assertThat(node.count("heddle.sessions.taken.over")).isOne();
    }

    @Conformance({"MQTT-3.1.2-5", "MQTT-3.1.4-3", "MQTT-3.3.1-1"})
    @Test
    void aPersistentSessionIsTakenOverWithItsMessagesInFlight() {
        TestClient old = node.connect(new Connect("same").persistent(60).packet());
        old.subscribe(QoS.AT_LEAST_ONCE, "t");
        watcher.publish("t", "a", QoS.AT_LEAST_ONCE, 1);

        TestClient fresh =
                node.connect(node.otherLoop, new Connect("same").persistent(60).packet());
        old.closed();

        assertThat(fresh.connAck().sessionPresent()).isTrue();
        assertThat(fresh.messages()).extracting(PublishPacket::duplicate).containsExactly(true);
        assertThat(node.sessions.connectedCount()).isEqualTo(2);
    }

    @Conformance("MQTT-3.1.4-3")
    @Test
    void aHundredConnectionsAtOnceLeaveOneSurvivorAndOneSession() {
        List<TestClient> clients = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Connect connect = new Connect("same").persistent(60);
            if (i % 3 == 0) {
                connect.cleanStart(true);
            }
            clients.add(node.begin(i % 2 == 0 ? node.loop : node.otherLoop, connect.packet()));
            if (i % 10 == 0) {
                node.otherLoop.runTasks();
            }
        }
        node.runAll();

        List<TestClient> open =
                clients.stream().filter(each -> each.connection().isOpen()).toList();
        assertThat(open).hasSize(1);
        assertThat(clients)
                .filteredOn(each -> !each.connection().isOpen())
                .allSatisfy(each -> assertThat(each.disconnected()).containsExactly(ReasonCode.SESSION_TAKEN_OVER));
        assertThat(node.sessions.connectedCount()).isEqualTo(2);
        open.getFirst().subscribe(QoS.AT_MOST_ONCE, "t");
        watcher.publish("t", "only one");
        node.runAll();
        assertThat(open.getFirst().payloads()).containsExactly("only one");
    }

    @Test
    void messagesFollowASessionThatIsTakenOverTwice() {
        node.connect(new Connect("same").persistent(60).packet()).subscribe(QoS.AT_LEAST_ONCE, "t");
        node.stores.registry.hold();
        TestClient second =
                node.connect(node.otherLoop, new Connect("same").persistent(60).packet());
        watcher.publish("t", "a", QoS.AT_LEAST_ONCE, 1);
        TestClient third = node.connect(new Connect("same").persistent(60).packet());
        watcher.publish("t", "b", QoS.AT_LEAST_ONCE, 2);
        node.stores.registry.release();

        // From here on neither loop may run tasks of the other.
        node.loop.leave();
        node.otherLoop.leave();
        node.runAll();

        assertThat(second.disconnected()).containsExactly(ReasonCode.SESSION_TAKEN_OVER);
        assertThat(third.payloads()).containsExactly("a", "b");
    }

    @Conformance("MQTT-3.1.2-8")
    @Test
    void theOldConnectionsWillIsPublishedWhenItIsTakenOver() {
        node.connect(new Connect("same").persistent(60).will(0).packet());
        node.connect(new Connect("same").persistent(60).packet());

        assertThat(watcher.payloads()).containsExactly("gone");
    }

    @Conformance("MQTT-3.1.3-9")
    @Test
    void aWillWithADelayIsNotPublishedWhenTheSessionIsResumed() {
        node.connect(new Connect("same").persistent(60).will(5).packet());
        node.connect(new Connect("same").persistent(60).packet());
        node.advance(Duration.ofSeconds(10));

        assertThat(watcher.payloads()).isEmpty();
    }

    @Test
    void aWillWithADelayIsPublishedWhenACleanStartEndsTheSession() {
        node.connect(new Connect("same").persistent(60).will(5).packet());
        node.connect("same");

        assertThat(watcher.payloads()).containsExactly("gone");
    }

    @Test
    void aLostConnectionDoesNotTakeOver() {
        TestClient first = node.connect(new Connect("same").persistent(60).packet());
        TestClient second =
                node.begin(node.otherLoop, new Connect("same").persistent(60).packet());
        // Delayed until the second connection has its session.
        TestClient third = node.begin(
                node.otherLoop, new Connect("same").persistent(60).will(0).packet());
        node.otherLoop.runNext(2);
        third.connection().lose();
        node.runAll();

        assertThat(first.disconnected()).containsExactly(ReasonCode.SESSION_TAKEN_OVER);
        assertThat(second.connection().isOpen()).isTrue();
        assertThat(second.disconnected()).isEmpty();
        assertThat(third.established()).isEmpty();
        assertThat(node.count("heddle.connects", "outcome", "gone")).isOne();
        assertThat(node.memory.chargedBytes())
                .isEqualTo(TestNode.transientBytes("watcher")
                        + SUBSCRIPTION_OF_WATCHER
                        + TestNode.connectedBytes("same")
                        + TestNode.persistentBytes("same"));
    }

    /** Authenticates every client as the user whose name it sends; the user named "its" owns the client id. */
    private void acceptUsers() {
        node.authenticator = shown -> new Accepted(new ClientIdentity(
                shown.clientId(), ClientType.DEVICE, shown.userName(), "its".equals(shown.userName())));
    }

    private TestClient connectAs(@Nullable String userName, long expirySeconds, boolean cleanStart) {
        Connect connect = new Connect("same").persistent(expirySeconds).cleanStart(cleanStart);
        return node.connect(node.otherLoop, (userName == null ? connect : connect.userName(userName)).packet());
    }

    private static void assertNotAuthorized(TestClient client) {
        assertThat(client.connAck().reason()).isEqualTo(ReasonCode.NOT_AUTHORIZED);
        assertThat(client.connection().isOpen()).isFalse();
        assertThat(client.established()).isEmpty();
    }

    @Test
    void anotherUserDoesNotDisconnectTheOwner() {
        acceptUsers();
        TestClient alice = node.connect(new Connect("same").userName("alice").packet());
        long before = node.memory.chargedBytes();

        assertNotAuthorized(connectAs("bob", 0, true));
        assertNotAuthorized(connectAs("bob", 60, false));
        assertNotAuthorized(connectAs(null, 60, true));
        assertNotAuthorized(node.connect(
                node.otherLoop, new Connect("same").userName("bob").will(0).packet()));

        assertThat(alice.connection().isOpen()).isTrue();
        assertThat(node.count("heddle.sessions.taken.over")).isZero();
        assertThat(node.count("heddle.sessions.refused", "reason", "other_user"))
                .isEqualTo(4);
        assertThat(node.memory.chargedBytes()).isEqualTo(before);
        assertThat(connectAs("alice", 0, true).connection().isOpen()).isTrue();
        assertThat(alice.disconnected()).containsExactly(ReasonCode.SESSION_TAKEN_OVER);
    }

    @Test
    void anotherUserCannotEndAnAbsentClientsSessionBeforeItExpires() {
        acceptUsers();
        connectAs("alice", 60, false).subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        watcher.publish("t", "a", QoS.AT_LEAST_ONCE, 1);

        assertNotAuthorized(connectAs("bob", 60, false));
        assertNotAuthorized(connectAs("bob", 0, true));
        assertNotAuthorized(connectAs(null, 60, true));
        TestClient alice = connectAs("alice", 60, false);
        assertThat(alice.connAck().sessionPresent()).isTrue();
        assertThat(alice.payloads()).containsExactly("a");
        alice.lose();
        node.advance(Duration.ofSeconds(60));

        assertThat(connectAs("bob", 60, false).connAck().sessionPresent()).isFalse();
        assertThat(node.sessions.connectedCount()).as("and the watcher").isEqualTo(2);
    }

    @Test
    void theOwnerOfAClientIdEndsAnotherUsersSession() {
        acceptUsers();
        TestClient alice = connectAs("alice", 60, false).subscribe(QoS.AT_LEAST_ONCE, "t");

        TestClient owner = connectAs("its", 60, false);

        assertThat(alice.disconnected()).containsExactly(ReasonCode.SESSION_TAKEN_OVER);
        assertThat(owner.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
        assertThat(owner.connAck().sessionPresent()).isFalse();
        assertThat(node.trie.size()).as("the watcher's").isOne();
    }

    @Test
    void aSessionWithARecordedUserNameIsResumedByTheOwnerOfTheClientId() {
        acceptUsers();
        connectAs("shown", 60, false).subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        watcher.publish("t", "a", QoS.AT_LEAST_ONCE, 1);
        node.authenticator = shown -> new Accepted(new ClientIdentity(shown.clientId(), ClientType.DEVICE, null, true));

        TestClient owner = connectAs("shown", 60, false);

        assertThat(owner.connAck().sessionPresent()).isTrue();
        assertThat(owner.payloads()).containsExactly("a");
    }

    @Test
    void anAnonymousSessionEndsWhenAUserConnects() {
        acceptUsers();
        connectAs(null, 60, false).subscribe(QoS.AT_LEAST_ONCE, "t").lose();

        TestClient alice = connectAs("alice", 60, false);

        assertThat(alice.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
        assertThat(alice.connAck().sessionPresent()).isFalse();
        assertNotAuthorized(connectAs(null, 60, false));
    }

    @Test
    void anotherUserWaitingForAnOpeningSessionIsRefused() {
        acceptUsers();
        node.stores.registry.hold();
        TestClient alice = connectAs("alice", 60, false);
        TestClient bob =
                node.connect(new Connect("same").userName("bob").persistent(60).packet());
        assertThat(bob.connection().sent()).isEmpty();

        node.stores.registry.release();
        node.runAll();

        assertNotAuthorized(bob);
        assertThat(alice.connection().isOpen()).isTrue();
    }
}
