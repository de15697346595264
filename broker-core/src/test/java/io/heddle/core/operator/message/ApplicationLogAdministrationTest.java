package io.heddle.core.operator.message;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.heddle.core.authentication.AnonymousAuthenticator;
import io.heddle.core.authentication.ClientIdPattern;
import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.application.LogPosition;
import io.heddle.core.delivery.application.PositionChange;
import io.heddle.core.delivery.application.SeekOutcome;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.PubRelPacket;
import io.heddle.core.session.Connect;
import io.heddle.core.session.TestClient;
import io.heddle.core.session.TestNode;
import io.heddle.core.session.TestStores;
import io.heddle.core.testkit.InMemoryCredentialsStore;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ApplicationLogAdministrationTest {
    private static final ClientId APP = new ClientId("app");

    private final TestStores stores = new TestStores();
    private final TestNode node = typed(new TestNode(TestNode.SETTINGS, 1_000_000, stores));
    private final ApplicationLogAdministration logs = node.administration.applications();

    private static TestNode typed(TestNode node) {
        node.authenticator = new AnonymousAuthenticator(
                new InMemoryCredentialsStore(), _ -> true, List.of(new ClientIdPattern("app*")));
        return node;
    }

    private TestClient connect() {
        return connect(node, "app");
    }

    private static TestClient connect(TestNode on, String clientId) {
        return on.connect(new Connect(clientId).persistent(60).packet());
    }

    private void publish(QoS qos, String... payloads) {
        TestClient publisher = node.connect("publisher");
        for (String payload : payloads) {
            publisher.publish("t", payload, qos, 1);
            publisher.pubRel(1);
        }
        publisher.disconnect();
    }

    private SeekOutcome seek(LogPosition position) {
        return node.whileRunning(() -> logs.seek(APP, position));
    }

    private static SeekOutcome moved(long before, long after) {
        return new SeekOutcome.Done(new PositionChange(before, after));
    }

    private static ApplicationLogQuery query(String prefix, boolean isDescending, @Nullable String after, int limit) {
        return new ApplicationLogQuery(prefix, isDescending, after, limit);
    }

    private List<String> ids(ApplicationLogQuery query) {
        return node.whileRunning(() -> logs.list(query)).logs().stream()
                .map(each -> each.clientId().value())
                .toList();
    }

    @Test
    void logsAreListedByPrefixInBothOrders() {
        for (String clientId : List.of("app", "app-a", "app-b", "apple")) {
            connect(node, clientId).lose();
        }

        assertThat(ids(query("app-", false, null, 9))).containsExactly("app-a", "app-b");
        assertThat(ids(query("app-", false, "app-a", 9))).containsExactly("app-b");
        assertThat(ids(query("app-", true, null, 9))).containsExactly("app-b", "app-a");
        assertThat(ids(query("app-", true, "app-b", 9))).containsExactly("app-a");
        assertThat(ids(query("", true, null, 2))).containsExactly("apple", "app-b");
        assertThat(ids(query("b", true, null, 9))).isEmpty();
    }

    @Test
    void logsAreListedWithTheirLagInTheOrderOfTheClientIds() {
        connect(node, "app2").lose();
        connect().subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        connect(node, "device").lose();
        publish(QoS.AT_LEAST_ONCE, "a", "b");

        ApplicationLogPage first = node.whileRunning(() -> logs.list(query("", false, null, 1)));
        assertThat(first.logs())
                .extracting(ApplicationLog::clientId, ApplicationLog::lag)
                .containsExactly(tuple(APP, 2L));
        assertThat(first.hasMore()).isTrue();
        ApplicationLogPage second = node.whileRunning(() -> logs.list(query("", false, "app", 1)));
        assertThat(second.logs()).extracting(each -> each.clientId().value()).containsExactly("app2");
        assertThat(second.hasMore()).isFalse();
        assertThat(requireNonNull(node.whileRunning(() -> logs.find(APP))).isConnected())
                .isFalse();
        assertThat(node.whileRunning(() -> logs.find(new ClientId("device")))).isNull();
    }

    private List<String> listed(TestNode on) {
        return on.whileRunning(() -> on.administration.applications().list(query("", false, null, 9))).logs().stream()
                .map(each -> each.clientId().value())
                .toList();
    }

    @Test
    void onlySessionsThatApplicationsHaveNowAreListed() {
        connect().lose();
        connect(node, "app2").lose();
        connect(node, "app3").lose();
        assertThat(listed(node)).containsExactly("app", "app2", "app3");

        node.connect(new Connect("app2").packet()).lose();
        node.authenticator = new AnonymousAuthenticator(
                new InMemoryCredentialsStore(), _ -> true, List.of(new ClientIdPattern("app")));
        connect(node, "app3").lose();
        assertThat(listed(node)).containsExactly("app");

        TestNode restarted = typed(node.restarted());
        assertThat(listed(restarted)).containsExactly("app");
        connect(restarted, "app3").lose();
        assertThat(listed(restarted)).containsExactly("app", "app3");
    }

    @Test
    void anAbsentClientContinuesAtTheNewPosition() {
        TestClient app = connect().subscribe(QoS.AT_LEAST_ONCE, "t");
        publish(QoS.AT_LEAST_ONCE, "a", "b", "c", "d");
        for (int i = 0; i < 3; i++) {
            app.pubAck(32_768 + i);
        }
        app.lose();

        assertThat(seek(new LogPosition.Sequence(1))).isEqualTo(moved(3, 1));
        assertThat(stores.applicationLogs.removedBelow(APP)).isOne();
        TestClient back = connect();
        assertThat(back.payloads()).containsExactly("b", "c", "d");
        back.lose();
        assertThat(seek(LogPosition.End.END)).isEqualTo(moved(1, 4));
        assertThat(node.dropped("cleared")).isEqualTo(3);
        publish(QoS.AT_LEAST_ONCE, "e");
        assertThat(connect().payloads()).containsExactly("e");
    }

    @Test
    void aConnectedClientIsDisconnectedAndContinuesAtTheNewPosition() {
        TestClient app = connect().subscribe(QoS.AT_LEAST_ONCE, "t");
        publish(QoS.AT_LEAST_ONCE, "a", "b");
        app.pubAck(32_768);

        assertThat(seek(LogPosition.Beginning.BEGINNING)).isEqualTo(moved(1, 0));

        assertThat(app.disconnected()).containsExactly(ReasonCode.SESSION_TAKEN_OVER);
        assertThat(connect().payloads()).containsExactly("a", "b");
    }

    @Test
    void thePositionSurvivesARestart() {
        TestClient app = connect().subscribe(QoS.AT_LEAST_ONCE, "t");
        publish(QoS.AT_LEAST_ONCE, "a", "b");
        app.pubAck(32_768);
        app.pubAck(32_769);
        app.lose();
        seek(LogPosition.Beginning.BEGINNING);

        TestNode restarted = typed(node.restarted());

        assertThat(connect(restarted, "app").payloads()).containsExactly("a", "b");
    }

    @Test
    void aMessageWithPubrecIsCompletedAndNotSkipped() {
        TestClient app = connect().subscribe(QoS.EXACTLY_ONCE, "t");
        publish(QoS.EXACTLY_ONCE, "a", "b", "c");
        int received = app.messages().get(1).packetId();
        app.pubRec(received);
        app.lose();

        SeekOutcome outcome = seek(LogPosition.End.END);

        assertThat(outcome).isEqualTo(moved(0, received - 32_768L));
        TestClient back = connect();
        assertThat(back.messages()).isEmpty();
        assertThat(back.connection().sent(PubRelPacket.class))
                .extracting(PubRelPacket::packetId)
                .containsExactly(received);
        back.pubComp(received);
        publish(QoS.AT_LEAST_ONCE, "d");
        assertThat(back.payloads()).containsExactly("d");
        back.lose();
        assertThat(connect().messages()).hasSize(1);
    }

    @Test
    void aClientWithoutLogHasNoPosition() {
        assertThat(seek(LogPosition.End.END)).isEqualTo(SeekOutcome.Refused.NO_SESSION);
        connect(node, "device").lose();
        assertThat(node.whileRunning(() -> logs.seek(new ClientId("device"), LogPosition.End.END)))
                .isEqualTo(SeekOutcome.Refused.NO_SESSION);
    }
}
