package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.session.SessionAdministration.Ended;
import io.heddle.core.session.persistent.SessionRecord;
import io.heddle.core.subscription.Subscription;
import io.heddle.core.testkit.RecordingWatcher;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What administrators do through a node that neither decides about the client nor has its connection. */
final class SessionAdministrationTest extends RemoteRegistrarFixture {
    private SessionAdministration administration(int node) {
        return new SessionAdministration(cluster.node(node).sessions);
    }

    private <T extends @Nullable Object> T result(CompletionStage<T> stage) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        cluster.run();
        assertThat(future).isDone();
        return future.join();
    }

    @Test
    void anAwaySessionEndsWithItsQueue() {
        cluster.connect(1, persistent()).subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        publish("a");
        RecordingWatcher events = new RecordingWatcher();
        cluster.owner().incidents.events().watch(events);
        cluster.node(1).incidents.events().watch(events);

        Ended ended = result(administration(2).end(CLIENT));

        assertThat(ended).isEqualTo(new Ended.Done());
        assertThat(events.seen())
                .as("of the node that decides")
                .singleElement()
                .asString()
                .startsWith("session ended ADMINISTRATOR " + CLIENT);
        assertThat(session()).isNull();
        assertThat(cluster.owner().persistent.inOrder().all()).isEmpty();
        assertThat(cluster.node(1).persistent.inOrder().all()).isEmpty();
        TestClient next = cluster.connect(1, persistent());
        assertThat(next.connAck().sessionPresent()).isFalse();
        assertThat(next.payloads()).isEmpty();
    }

    @Test
    void aConnectedSessionEndsAndItsWillIsPublished() {
        TestClient client = cluster.connect(1, persistent().will(30));

        Ended ended = result(administration(2).end(CLIENT));

        assertThat(ended).isEqualTo(new Ended.Done());
        assertThat(client.connection().isOpen()).isFalse();
        assertThat(session()).isNull();
        assertThat(watcher.payloads()).containsExactly("gone");
    }

    @Test
    void theSessionOfAnyUserEnds() {
        cluster.node(1).authenticator = _ -> new Accepted(new ClientIdentity(CLIENT, ClientType.APPLICATION, "ada"));
        cluster.connect(1, persistent()).lose();
        assertThat(record().userName()).isEqualTo("ada");

        assertThat(result(administration(2).end(CLIENT))).isEqualTo(new Ended.Done());
        assertThat(session()).isNull();
    }

    /** The client has connected since it was listed, and is connected still or away again. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSessionThatWasAwayGoesOnIfItsClientHasConnectedSince(boolean hasLeft) {
        cluster.connect(1, persistent()).lose();
        SessionRecord away = record();
        TestClient client = cluster.connect(1, persistent());
        if (hasLeft) {
            client.lose();
        }

        assertThat(result(administration(2).endIfAway(CLIENT, away))).isEqualTo(new Ended.Connected());

        assertThat(client.disconnected()).isEmpty();
        assertThat(session()).isNotNull();
        if (hasLeft) {
            assertThat(result(administration(2).endIfAway(CLIENT, record()))).isEqualTo(new Ended.Done());
            assertThat(session()).isNull();
        }
    }

    @Test
    void aClientThatHasConnectedWithoutAPersistentSessionStaysConnected() {
        cluster.connect(1, persistent()).lose();
        SessionRecord away = record();
        TestClient client = cluster.connect(1, new Connect("c"));

        assertThat(result(administration(2).endIfAway(CLIENT, away))).isEqualTo(new Ended.Connected());

        assertThat(client.connection().isOpen()).isTrue();
    }

    @Test
    void theEndOfNoSessionLeavesNothingBehind() {
        assertThat(result(administration(2).end(CLIENT))).isEqualTo(new Ended.Done());

        TestClient client = cluster.connect(1, new Connect("c"));
        assertThat(client.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
        assertThat(client.disconnected()).isEmpty();
    }

    @Test
    void aClientWithoutPersistentSessionIsDisconnectedWithIt() {
        TestClient client = cluster.connect(1, new Connect("c"));

        assertThat(result(administration(2).end(CLIENT))).isEqualTo(new Ended.Done());

        assertThat(client.connection().isOpen()).isFalse();
    }

    @Test
    void aDisconnectedClientGetsTheReasonAndKeepsItsSession() {
        TestClient client = cluster.connect(1, persistent().will(0));

        assertThat(result(administration(2).disconnect(CLIENT, ReasonCode.ADMINISTRATIVE_ACTION)))
                .as("the client is connected to another node")
                .isEqualTo(false);
        assertThat(result(administration(1).disconnect(CLIENT, ReasonCode.ADMINISTRATIVE_ACTION)))
                .isEqualTo(true);
        client.lose();

        assertThat(client.disconnected()).containsExactly(ReasonCode.ADMINISTRATIVE_ACTION);
        assertThat(record().isAway()).isTrue();
        assertThat(watcher.payloads()).containsExactly("gone");
    }

    @Test
    void aClientOfMqtt3IsDisconnectedWithoutAPacket() {
        TestClient client = cluster.connect(1, new Connect("c").version(MqttVersion.V3_1_1));

        assertThat(result(administration(1).disconnect(CLIENT, ReasonCode.ADMINISTRATIVE_ACTION)))
                .isEqualTo(true);

        assertThat(client.disconnected()).isEmpty();
        assertThat(client.connection().isOpen()).isFalse();
    }

    @Test
    void aConnectedClientIsInTheOrderUntilItsConnectionIsLost() {
        LocalSessions sessions = cluster.node(1).sessions;
        TestClient b = cluster.connect(1, new Connect("b").keepAlive(30));
        cluster.connect(1, new Connect("a").persistent(60));

        assertThat(sessions.inOrder().keySet()).containsExactly("a", "b");
        ConnectedClient described = Objects.requireNonNull(sessions.inOrder().get("b"));
        assertThat(described.keepAliveSeconds()).isEqualTo(30);
        assertThat(described.cleanStart()).isTrue();
        assertThat(described.version()).isEqualTo(MqttVersion.V5);
        assertThat(described.connectedAtMillis())
                .isEqualTo(cluster.node(1).clock.millis());
        b.lose();
        assertThat(sessions.inOrder().keySet()).containsExactly("a");
        assertThat(cluster.owner().persistent.inOrder().all().keySet()).containsExactly("a");
    }

    @Test
    void theDetailsNameTheLatestDroppedMessage() {
        TestClient client =
                cluster.connect(1, new Connect("c").receiveMaximum(1)).subscribe(QoS.AT_LEAST_ONCE, "t", "u");
        TestClient publisher = cluster.connect(1, new Connect("publisher"));
        for (int i = 0; i < 7; i++) {
            publisher.publish("t", "message", QoS.AT_LEAST_ONCE, 1 + i);
        }
        cluster.run();

        SessionDetails details = Objects.requireNonNull(result(administration(1).details(CLIENT)));

        assertThat(details.subscriptions()).isEqualTo(2);
        assertThat(details.inFlight()).isEqualTo(1);
        assertThat(details.waitingMessages()).isEqualTo(4);
        assertThat(details.waitingBytes()).isPositive();
        assertThat(details.drops()).isEqualTo(2);
        assertThat(details.dropReason()).isEqualTo("queue_full");
        assertThat(details.dropMillis()).isEqualTo(cluster.node(1).clock.millis());

        cluster.advance(Duration.ofSeconds(1));
        client.connection().writable(false);
        client.connection().room(false);
        publisher.publish("t", "message");
        cluster.run();
        SessionDetails later = Objects.requireNonNull(result(administration(1).details(CLIENT)));
        assertThat(later.drops()).isEqualTo(3);
        assertThat(later.dropReason()).isEqualTo("slow_consumer");
        assertThat(result(administration(2).details(CLIENT))).isNull();
    }

    @Test
    void subscriptionsAreReadInPages() {
        cluster.connect(1, new Connect("c")).subscribe(QoS.AT_LEAST_ONCE, "c", "a", "b");
        SessionAdministration administration = administration(1);

        assertThat(filters(administration.transientSubscriptions(CLIENT, null, 2)))
                .containsExactly("a", "b");
        assertThat(filters(administration.transientSubscriptions(CLIENT, "b", 2)))
                .containsExactly("c");
        assertThat(filters(administration.transientSubscriptions(CLIENT, "c", 2)))
                .isEmpty();
        assertThat(result(administration.transientSubscriptions(new ClientId("unknown"), null, 2)))
                .isNull();
    }

    private List<String> filters(CompletionStage<@Nullable List<Subscription>> page) {
        return Objects.requireNonNull(result(page)).stream()
                .map(each -> each.topicFilter().value())
                .toList();
    }
}
