package io.heddle.core.delivery.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.MessageName;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.PubRecPacket;
import io.heddle.core.session.Connect;
import io.heddle.core.session.TestClient;
import io.heddle.core.session.TestNode;
import io.heddle.core.session.TestStores;
import io.heddle.core.session.persistent.PersistentSession;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A publisher repeats a QoS 2 message that an earlier connection has stored. Sessions that end with their connections get it exactly once,
 * whatever the first node had sent. The nodes of the publisher have the same stores; the first one dies or lives.
 */
final class RepeatedPublishTest {
    private static final int FIRST = 0;
    private static final int OTHER = 1;
    private static final int NEXT = 2;
    private static final Connect PUBLISHER = new Connect("publisher").persistent(60);

    private final TestStores stores = new TestStores();
    private final MessageCluster cluster = new MessageCluster(0);
    private TestClient publisher;
    private TestClient there;
    private TestClient here;

    @BeforeEach
    void start() {
        cluster.add(stores);
        publisher = cluster.connect(FIRST, PUBLISHER);
        cluster.add();
        cluster.add(stores);
        cluster.node(NEXT).applying(false);
        there = cluster.connect(OTHER, "there").subscribe(QoS.EXACTLY_ONCE, "t");
        here = cluster.connect(NEXT, "here").subscribe(QoS.AT_LEAST_ONCE, "+");
    }

    private void die() {
        cluster.kill(FIRST);
        cluster.end(FIRST);
        cluster.node(NEXT).applying(true);
    }

    private TestClient repeatAt(int node) {
        TestClient moved = cluster.connect(node, PUBLISHER);
        publish(moved);
        return moved;
    }

    private void publish(TestClient client) {
        client.publish("t", "m", QoS.EXACTLY_ONCE, 7);
        cluster.run();
    }

    private static List<ReasonCode> pubRecs(TestClient client) {
        return client.connection().sent(PubRecPacket.class).stream()
                .map(PubRecPacket::reason)
                .toList();
    }

    @Test
    void aMessageThatItsNodeDidNotSendReachesSubscribersWhenItIsRepeated() {
        TestClient atMostOnce = cluster.connect(OTHER, "q0").subscribe(QoS.AT_MOST_ONCE, "t");
        cluster.cut(FIRST, OTHER);
        cluster.cut(FIRST, NEXT);
        publish(publisher);
        assertThat(pubRecs(publisher)).isEmpty();
        die();
        TestClient member = cluster.connect(OTHER, "member").subscribe(QoS.EXACTLY_ONCE, "$share/g/t");
        TestClient persistent =
                cluster.connect(NEXT, new Connect("stored").persistent(60)).subscribe(QoS.EXACTLY_ONCE, "t");

        TestClient moved = repeatAt(NEXT);

        assertThat(pubRecs(moved)).containsExactly(ReasonCode.SUCCESS);
        assertThat(there.payloads()).containsExactly("m");
        assertThat(here.payloads()).containsExactly("m");
        assertThat(atMostOnce.payloads()).containsExactly("m");
        assertThat(member.payloads()).as("another member may have it").isEmpty();
        assertThat(persistent.payloads()).as("has what was committed").isEmpty();
    }

    @Test
    void aRepetitionWithATopicThatIsNotOpenIsAcknowledgedAndDeliveredToNobody() {
        TestClient watcher = cluster.connect(OTHER, "watcher").subscribe(QoS.AT_MOST_ONCE, "$SYS/forged");
        cluster.cut(FIRST, OTHER);
        publish(publisher);
        die();

        TestClient moved = cluster.connect(NEXT, PUBLISHER);
        moved.publish("$SYS/forged", "m", QoS.EXACTLY_ONCE, 7);
        cluster.run();

        assertThat(pubRecs(moved)).containsExactly(ReasonCode.SUCCESS);
        assertThat(watcher.payloads()).isEmpty();
        assertThat(there.payloads()).isEmpty();
    }

    @Test
    void aNodeThatHasTheMessageDropsTheRepetition() {
        cluster.cut(FIRST, NEXT);
        publish(publisher);
        assertThat(there.payloads()).containsExactly("m");
        die();

        TestClient moved = repeatAt(NEXT);

        assertThat(pubRecs(moved)).containsExactly(ReasonCode.SUCCESS);
        assertThat(there.payloads()).containsExactly("m");
        assertThat(here.payloads()).containsExactly("m");
    }

    @Test
    void soDoesTheNodeOfTheRepetition() {
        publish(publisher);
        assertThat(here.payloads()).containsExactly("m");
        die();

        TestClient moved = repeatAt(NEXT);

        assertThat(pubRecs(moved)).containsExactly(ReasonCode.SUCCESS);
        assertThat(here.payloads()).containsExactly("m");
        assertThat(there.payloads()).containsExactly("m");
    }

    @Test
    void aNodeThatJoinedLaterDeliversTheRepetition() {
        publish(publisher);
        die();
        int joined = cluster.add();
        TestClient late = cluster.connect(joined, "late").subscribe(QoS.EXACTLY_ONCE, "t");

        repeatAt(NEXT);

        assertThat(late.payloads()).containsExactly("m");
        assertThat(there.payloads()).containsExactly("m");
    }

    @Test
    void repetitionsAtTwoNodesHaveOneEffect() {
        cluster.cut(FIRST, OTHER);
        publish(publisher);
        die();
        cluster.cut(NEXT, OTHER);
        TestClient moved = repeatAt(NEXT);
        assertThat(pubRecs(moved)).as("the other node has given no receipt").isEmpty();
        int third = cluster.add(stores);

        TestClient again = repeatAt(third);
        assertThat(pubRecs(again)).containsExactly(ReasonCode.SUCCESS);
        assertThat(there.payloads()).containsExactly("m");
        assertThat(here.payloads()).containsExactly("m");

        cluster.heal(NEXT, OTHER);
        assertThat(there.payloads()).containsExactly("m");
    }

    @Test
    void theRepetitionAtTheSameNodeIsOnlyAcknowledged() {
        TestClient own = cluster.connect(FIRST, "own").subscribe(QoS.EXACTLY_ONCE, "t");
        publish(publisher);
        publisher.lose();

        TestClient again = repeatAt(FIRST);
        publish(again);

        assertThat(pubRecs(again)).containsExactly(ReasonCode.SUCCESS, ReasonCode.SUCCESS);
        assertThat(own.payloads()).containsExactly("m");
        assertThat(there.payloads()).containsExactly("m");
        assertThat(here.payloads()).containsExactly("m");
    }

    @Test
    void aMessageWhoseCommitSeemedToFailReachesSubscribersWhenItIsRepeated() {
        TestNode node = cluster.node(FIRST);
        TestClient own = cluster.connect(FIRST, "own").subscribe(QoS.EXACTLY_ONCE, "t");
        PersistentSession session = Objects.requireNonNull(node.persistent.find(new ClientId("publisher")));
        node.log.failNextWith(new IllegalStateException("the outcome is unknown"));
        publish(publisher);
        publisher.closed();
        MessageName name = new MessageName(Incarnation.parse(node.persistent.incarnation()), 0, 1);
        stores.bucketLog.add(
                session.bucket(), new BucketCommand.InboundReceived(session.clientId(), session.generation(), 7, name));
        cluster.run();
        assertThat(own.messages()).isEmpty();

        TestClient again = repeatAt(FIRST);

        assertThat(pubRecs(again)).containsExactly(ReasonCode.SUCCESS);
        assertThat(own.payloads()).containsExactly("m");
        assertThat(there.payloads()).containsExactly("m");
        assertThat(here.payloads()).containsExactly("m");
    }

    @Test
    void theNodeThatTheClientHasLeftDropsTheRepetition() {
        TestClient own = cluster.connect(FIRST, "own").subscribe(QoS.EXACTLY_ONCE, "t");
        publish(publisher);
        publisher.lose();
        int third = cluster.add(stores);

        TestClient moved = repeatAt(third);

        assertThat(pubRecs(moved)).containsExactly(ReasonCode.SUCCESS);
        assertThat(own.payloads()).containsExactly("m");
        assertThat(there.payloads()).containsExactly("m");
    }

    @Test
    void aReleasedIdentifierStandsForAnotherMessage() {
        publish(publisher);
        die();
        TestClient moved = repeatAt(NEXT);
        moved.pubRel(7);
        moved.publish("t", "m2", QoS.EXACTLY_ONCE, 7);
        moved.publish("t", "m2", QoS.EXACTLY_ONCE, 7);
        cluster.run();

        assertThat(there.payloads()).containsExactly("m", "m2");
        assertThat(here.payloads()).containsExactly("m", "m2");
    }
}
