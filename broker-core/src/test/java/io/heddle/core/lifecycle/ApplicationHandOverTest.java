package io.heddle.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.application.Progress;
import io.heddle.core.delivery.application.ProgressKey;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.PubRelPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.session.Connect;
import io.heddle.core.session.TestClient;
import io.heddle.core.session.registrar.Departure;
import io.heddle.core.session.registrar.LeaveOutcome;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** APPLICATION clients of nodes that all serve. */
class ApplicationHandOverTest {
    private static final int CLIENTS = 8;

    private final HoldingCluster cluster = new HoldingCluster();
    private final HoldingNode a = cluster.start();
    private final HoldingNode b = cluster.start();
    private int publishers;

    /** A client whose bucket this node holds. */
    private ClientId heldBy(HoldingNode node) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> new ClientId("app-" + i))
                .filter(each -> node.equals(cluster.holder(each)))
                .findFirst()
                .orElseThrow();
    }

    private static Connect connect(ClientId clientId) {
        return new Connect(clientId.value()).persistent(100);
    }

    private static TestClient connect(HoldingNode node, ClientId clientId) {
        TestClient client = node.connect(connect(clientId));
        assertThat(client.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
        return client;
    }

    private void publish(HoldingNode node, QoS qos, String... payloads) {
        TestClient publisher = node.connect(new Connect("publisher-" + publishers++));
        for (String payload : payloads) {
            publisher.publish("t", payload, qos, 1);
            publisher.pubRel(1);
        }
        publisher.disconnect();
    }

    private Map<ProgressKey, Progress> progress(ClientId clientId) {
        Map<ProgressKey, Progress> stored = new HashMap<>();
        cluster.progressLog.changes().forEach(change -> {
            Progress value = change.value();
            if (value == null) {
                stored.remove(change.key());
            } else if (change.key().clientId().equals(clientId)) {
                stored.put(change.key(), value);
            }
        });
        return stored;
    }

    @Test
    void aClientOfAnyNodeGetsTheMessagesOfAllNodes() {
        for (HoldingNode holder : List.of(a, b)) {
            ClientId app = heldBy(holder);
            TestClient client = connect(b, app).subscribe(QoS.EXACTLY_ONCE, "t");

            publish(a, QoS.AT_LEAST_ONCE, "from a");
            publish(b, QoS.EXACTLY_ONCE, "from b");

            assertThat(client.messages())
                    .extracting(TestClient::payload, PublishPacket::duplicate)
                    .containsExactly(tuple("from a", false), tuple("from b", false));
            client.endSession();
        }
    }

    @Test
    void aClientThatMovesContinuesBehindItsLastAcknowledgement() {
        ClientId app = heldBy(a);
        TestClient atB = connect(b, app).subscribe(QoS.EXACTLY_ONCE, "t");
        publish(a, QoS.AT_LEAST_ONCE, "1", "2", "3");
        atB.pubAck(atB.messages().get(0).packetId());
        atB.pubAck(atB.messages().get(2).packetId());

        TestClient atA = connect(a, app);

        assertThat(atB.disconnected()).containsExactly(ReasonCode.SESSION_TAKEN_OVER);
        assertThat(atA.connAck().sessionPresent()).isTrue();
        assertThat(atA.messages())
                .extracting(TestClient::payload, PublishPacket::duplicate)
                .containsExactly(tuple("2", true));
        atA.pubAck(atA.messages().getFirst().packetId());
        atA.lose();
        publish(b, QoS.AT_LEAST_ONCE, "4");
        assertThat(connect(b, app).messages())
                .extracting(TestClient::payload, PublishPacket::duplicate)
                .containsExactly(tuple("4", false));
        assertThat(progress(app))
                .as("progress of earlier connections is removed")
                .hasSize(1);
    }

    @Test
    void theNextNodeWaitsUntilTheLastAcknowledgementsAreStored() {
        ClientId app = heldBy(a);
        TestClient atB = connect(b, app).subscribe(QoS.AT_LEAST_ONCE, "t");
        publish(a, QoS.AT_LEAST_ONCE, "1");
        cluster.progressLog.hold();
        atB.pubAck(atB.messages().getFirst().packetId());

        TestClient atA = a.connect(connect(app));
        assertThat(atB.connection().isOpen()).isFalse();
        assertThat(atA.connection().sent()).as("answers").isEmpty();

        cluster.progressLog.release();
        cluster.run();
        assertThat(atA.connAck().sessionPresent()).isTrue();
        assertThat(atA.messages()).isEmpty();
    }

    @Test
    void aReceivedMessageIsOnlyReleasedAtTheNextNode() {
        ClientId app = heldBy(a);
        TestClient atB = connect(b, app).subscribe(QoS.EXACTLY_ONCE, "t");
        publish(a, QoS.EXACTLY_ONCE, "1", "2");
        int received = atB.messages().get(1).packetId();
        atB.pubRec(received);
        assertThat(atB.connection().sent(PubRelPacket.class)).hasSize(1);

        cluster.kill(b);
        TestClient atA = connect(a, app);

        assertThat(atA.connection().sent(PubRelPacket.class))
                .extracting(PubRelPacket::packetId)
                .containsExactly(received);
        assertThat(atA.payloads()).containsExactly("1");
    }

    @Test
    void progressThatADeadNodeWritesLateIsIgnored() {
        ClientId app = heldBy(a);
        TestClient atB = connect(b, app).subscribe(QoS.AT_LEAST_ONCE, "t");
        publish(a, QoS.AT_LEAST_ONCE, "1", "2");
        ProgressKey late = progress(app).keySet().iterator().next();
        cluster.kill(b);
        TestClient atA = connect(a, app);
        atA.pubAck(atA.messages().get(0).packetId());
        atA.pubAck(atA.messages().get(1).packetId());
        atA.lose();

        var _ = cluster.progressLog.append(late, new Progress(0, List.of(), List.of(), 0));
        TestClient again = connect(a, app);

        assertThat(atB.payloads()).containsExactly("1", "2");
        assertThat(again.messages()).isEmpty();
        assertThat(progress(app)).doesNotContainKey(late);
    }

    @Test
    void logsFollowTheirBuckets() {
        for (int i = 0; i < CLIENTS; i++) {
            TestClient client = connect(a, new ClientId("app-" + i)).subscribe(QoS.AT_LEAST_ONCE, "t");
            if (i % 2 == 0) {
                client.lose();
            } else {
                client.endSession();
            }
        }
        publish(a, QoS.AT_LEAST_ONCE, "1");

        HoldingNode c = cluster.start();
        cluster.kill(b);

        assertThat(cluster.isDivided()).isTrue();
        for (int i = 0; i < CLIENTS; i++) {
            ClientId app = new ClientId("app-" + i);
            assertThat(cluster.applicationLogs.has(app)).isEqualTo(i % 2 == 0);
            if (i % 2 == 0) {
                assertThat(connect(c, app).payloads()).containsExactly("1");
            }
        }
    }

    @Test
    void theNextHolderRemovesTheLogThatADeadOneHasNotRemoved() {
        ClientId app = heldBy(b);
        ClientId other = heldBy(a);
        connect(a, other).lose();
        cluster.applicationLogs.create(app, 1);
        assertThat(cluster.applicationLogs.has(app)).isTrue();

        cluster.kill(b);

        assertThat(cluster.applicationLogs.has(app))
                .as("a log without a session")
                .isFalse();
        assertThat(cluster.applicationLogs.has(other)).isTrue();
    }

    @Test
    void aBucketIsTakenWhenItsLogsAreOpen() {
        ClientId app = heldBy(b);
        connect(a, app).subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        cluster.applicationLogs.unavailable(true);
        cluster.kill(b);
        CompletionStage<LeaveOutcome> left = a.core.registrar().leave(Departure.ofTransient(app, 5));
        cluster.run();
        assertThat(left.toCompletableFuture()).isCompletedWithValue(LeaveOutcome.MOVED);

        cluster.applicationLogs.unavailable(false);
        cluster.advance(Duration.ofSeconds(1));

        TestClient client = connect(a, app);
        assertThat(client.connAck().sessionPresent()).isTrue();
        publish(a, QoS.AT_LEAST_ONCE, "1");
        assertThat(client.payloads()).containsExactly("1");
    }

    @Test
    void aSessionWhoseLogWasLostContinues() {
        ClientId app = heldBy(b);
        TestClient first = connect(a, app).subscribe(QoS.AT_LEAST_ONCE, "t");
        publish(a, QoS.AT_LEAST_ONCE, "1");
        first.pubAck(first.messages().getFirst().packetId());
        first.lose();
        cluster.applicationLogs.lose(app);

        cluster.kill(b);
        publish(a, QoS.AT_LEAST_ONCE, "2");

        assertThat(connect(a, app).payloads()).containsExactly("2");
    }

    @Test
    void otherNodesForgetAnEndedSession() {
        ClientId app = heldBy(a);
        connect(b, app).endSession();

        assertThat(cluster.applicationLogs.forgotten()).containsExactly(app);
        assertThat(cluster.applicationLogs.has(app)).isFalse();
        assertThat(progress(app)).isEmpty();
        assertThat(b.find(app)).isNull();
    }

    @Test
    void releasedBucketsAreReleasedBeforeAnotherNodeTakesThem() {
        int before = cluster.applicationLogs.released().size();

        HoldingNode c = cluster.start();

        assertThat(cluster.applicationLogs
                        .released()
                        .subList(before, cluster.applicationLogs.released().size()))
                .containsAll(c.held());
    }

    @Test
    void aClientIsRefusedWhileItsProgressCannotBeRead() {
        ClientId app = heldBy(a);
        connect(b, app).subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        cluster.progressLog.failWith(new StoreUnavailableException("Kafka is away", null));

        TestClient refused = b.connect(connect(app));

        assertThat(refused.connAck().reason()).isEqualTo(ReasonCode.SERVER_UNAVAILABLE);
        assertThat(a.session(app).record().isAway()).isTrue();
        cluster.progressLog.failWith(null);
        assertThat(connect(b, app).connAck().sessionPresent()).isTrue();
    }

    @Test
    void aClientIsRefusedWhileItsProgressCannotBeStored() {
        ClientId app = heldBy(a);
        cluster.progressLog.failWith(new StoreUnavailableException("Kafka is away", null));

        TestClient refused = b.connect(connect(app));

        assertThat(refused.connAck().reason()).isEqualTo(ReasonCode.SERVER_UNAVAILABLE);
        assertThat(a.find(app)).isNull();
        cluster.progressLog.failWith(null);
        assertThat(connect(b, app).connAck().sessionPresent()).isFalse();
    }
}
