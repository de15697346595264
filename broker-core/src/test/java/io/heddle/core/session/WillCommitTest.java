package io.heddle.core.session;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.DisconnectPacket;
import io.heddle.core.session.persistent.ClientChange;
import io.heddle.core.session.persistent.SessionRecord;
import io.heddle.core.testkit.Conformance;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commit of a will together with the record of its session. */
final class WillCommitTest {
    private static final TopicName WILLS = TopicName.parse("wills", 8);
    private final IllegalStateException aborted = new IllegalStateException("Kafka has aborted the transaction");

    private final TestNode node = new TestNode();

    private static Connect subscriber() {
        return new Connect("subscriber").persistent(3_600);
    }

    private TestClient connect(long delaySeconds, QoS qos, boolean retain) {
        return node.connect(
                new Connect("c").persistent(60).will(delaySeconds, qos, retain).packet());
    }

    private TestClient connect(long delaySeconds) {
        return connect(delaySeconds, QoS.AT_LEAST_ONCE, false);
    }

    /** All that the subscriber finds in its queue. */
    private static List<String> published(TestNode on) {
        return on.connect(subscriber().packet()).payloads();
    }

    /** The record of the client that has a will, as a restart would find it. */
    private SessionRecord stored() {
        SessionRecord last = null;
        for (ClientChange change : node.stores.clientLog.changes()) {
            if (change instanceof ClientChange.OfSession session
                    && session.clientId().value().equals("c")) {
                last = session.session();
            }
        }
        return requireNonNull(last);
    }

    @Conformance("MQTT-3.1.2-8")
    @ParameterizedTest
    @CsvSource({
        "AT_MOST_ONCE, false, 0", "AT_LEAST_ONCE, false, 0", "EXACTLY_ONCE, false, 0", "AT_MOST_ONCE, true, 0",
        "AT_LEAST_ONCE, true, 0", "EXACTLY_ONCE, true, 0", "AT_MOST_ONCE, true, 5", "EXACTLY_ONCE, false, 5"
    })
    void aWillAndTheRecordWithoutItAreOneCommit(QoS qos, boolean retain, long delaySeconds) {
        node.connect(subscriber().packet()).subscribe(QoS.EXACTLY_ONCE, "wills").lose();
        TestClient watcher = node.connect("watcher").subscribe(QoS.EXACTLY_ONCE, "wills");
        TestClient client = connect(delaySeconds, qos, retain);
        client.lose();
        assertThat(stored().will()).as("not due, or published").matches(will -> (will != null) == delaySeconds > 0);
        int written = node.stores.sessionLog.size();
        node.stores.sessionLog.failWith(new IllegalStateException("no record is written alone"));

        node.advance(Duration.ofSeconds(delaySeconds));

        assertThat(stored().will()).isNull();
        assertThat(node.stores.sessionLog.size() - written).isEqualTo(delaySeconds > 0 ? 1 : 0);
        assertThat(watcher.payloads()).containsExactly("gone");
        assertThat(node.log.retained(WILLS)).matches(message -> (message != null) == retain);
        node.stores.sessionLog.failWith(null);
        TestNode next = node.restarted();
        next.advance(Duration.ofSeconds(60));
        assertThat(next.count("heddle.wills.published")).isZero();
        assertThat(published(next)).hasSize(qos == QoS.AT_MOST_ONCE ? 0 : 1);
    }

    @ParameterizedTest
    @CsvSource({"AT_MOST_ONCE, false", "AT_LEAST_ONCE, false", "EXACTLY_ONCE, false", "EXACTLY_ONCE, true"})
    void nothingOfAWillIsVisibleBeforeItsCommit(QoS qos, boolean retain) {
        node.connect(subscriber().packet()).subscribe(QoS.EXACTLY_ONCE, "wills").lose();
        TestClient watcher = node.connect("watcher").subscribe(QoS.EXACTLY_ONCE, "wills");
        node.log.hold(10);
        connect(0, qos, retain).lose();

        assertThat(watcher.payloads()).isEmpty();
        assertThat(requireNonNull(stored().will()).topic()).isEqualTo(WILLS);
        assertThat(node.log.retained(WILLS)).isNull();

        node.log.release();
        node.runAll();

        assertThat(watcher.payloads()).containsExactly("gone");
        assertThat(stored().will()).isNull();
        assertThat(stored().isAway()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"AT_MOST_ONCE, true", "AT_LEAST_ONCE, false", "EXACTLY_ONCE, true"})
    void aFailedCommitIsRepeatedUntilItSucceeds(QoS qos, boolean retain) {
        TestClient watcher = node.connect("watcher").subscribe(QoS.EXACTLY_ONCE, "wills");
        node.log.failWith(aborted);
        connect(0, qos, retain).lose();
        node.advance(Duration.ofSeconds(100));
        assertThat(watcher.payloads()).isEmpty();
        assertThat(stored().will()).isNotNull();
        assertThat(node.count("heddle.wills.published")).isZero();
        node.log.failWith(null);

        node.advance(Duration.ofSeconds(1));
        node.advance(Duration.ofSeconds(60));

        assertThat(watcher.payloads()).containsExactly("gone");
        assertThat(node.count("heddle.wills.published")).isOne();
        assertThat(node.log.retained(WILLS)).matches(message -> (message != null) == retain);
    }

    @Test
    void aRepeatedCommitReachesThePresentRecipients() {
        node.log.failNextWith(aborted);
        connect(0).lose();
        TestClient watcher = node.connect("watcher").subscribe(QoS.AT_LEAST_ONCE, "wills");

        node.advance(Duration.ofSeconds(1));

        assertThat(watcher.payloads()).containsExactly("gone");
    }

    @Test
    void theClientWaitsForTheRepeatedCommitOfItsOverdueWill() {
        node.connect(subscriber().packet())
                .subscribe(QoS.AT_LEAST_ONCE, "wills")
                .lose();
        node.log.failNextWith(aborted);
        connect(0).lose();
        TestClient back = connect(0);
        assertThat(back.connection().sent()).isEmpty();

        node.advance(Duration.ofSeconds(1));

        assertThat(back.connAck().sessionPresent()).isTrue();
        assertThat(published(node)).containsExactly("gone");
        assertThat(published(node.restarted()))
                .as("the same will, and the one of the second connection")
                .hasSize(2);
    }

    @Test
    void aClientIsRefusedWhileTheWillOfItsEarlierConnectionCannotBeCommitted() {
        node.connect(subscriber().packet())
                .subscribe(QoS.AT_LEAST_ONCE, "wills")
                .lose();
        node.log.failWith(aborted);
        connect(0).lose();
        TestClient back = connect(5);
        node.advance(Duration.ofSeconds(10));
        assertThat(back.connAck().reason()).isEqualTo(ReasonCode.SERVER_UNAVAILABLE);
        node.log.failWith(null);
        node.advance(Duration.ofSeconds(60));
        node.advance(Duration.ofSeconds(1));

        assertThat(published(node)).containsExactly("gone");
        assertThat(node.persistent.find(new ClientId("c"))).as("it has expired").isNull();
    }

    @Test
    void aSessionEndsAfterTheCommitOfItsWill() {
        node.connect(subscriber().packet())
                .subscribe(QoS.AT_LEAST_ONCE, "wills")
                .lose();
        TestClient client = connect(20);
        node.log.failNextWith(aborted);
        client.send(new DisconnectPacket(ReasonCode.DISCONNECT_WITH_WILL_MESSAGE, 0L, null, List.of(), null));
        node.runAll();
        assertThat(node.persistent.find(new ClientId("c"))).isNotNull();

        node.advance(Duration.ofSeconds(1));
        node.advance(Duration.ofSeconds(1));

        assertThat(node.persistent.find(new ClientId("c"))).isNull();
        assertThat(published(node)).containsExactly("gone");
        assertThat(published(node.restarted())).as("the same").hasSize(1);
    }

    @Test
    void aWillIsCommittedWhenTheEarlierRecordIsWritten() {
        TestClient watcher = node.connect("watcher").subscribe(QoS.AT_LEAST_ONCE, "wills");
        TestClient client = connect(5);
        node.stores.sessionLog.hold();
        client.lose();
        node.advance(Duration.ofSeconds(5));
        assertThat(watcher.payloads())
                .as("the record with the will could follow that without it")
                .isEmpty();

        node.stores.sessionLog.release();
        node.runAll();

        assertThat(watcher.payloads()).containsExactly("gone");
        assertThat(stored().will()).isNull();
    }

    @Test
    void aWillThatIsBeingCommittedIsCharged() {
        long without = node.memory.chargedBytes() + TestNode.persistentBytes("c");
        node.log.failWith(aborted);
        connect(0).lose();
        assertThat(node.memory.chargedBytes()).isGreaterThan(without);
        node.log.failWith(null);

        node.advance(Duration.ofSeconds(1));

        assertThat(node.memory.chargedBytes()).isEqualTo(without);
    }

    @Test
    void theWillOfASessionWithoutRecordIsNotCommitted() {
        TestClient watcher = node.connect("watcher").subscribe(QoS.AT_LEAST_ONCE, "wills");
        node.log.hold(10);

        node.connect(new Connect("transient").will(0).packet()).lose();

        assertThat(watcher.payloads()).containsExactly("gone");
    }
}
