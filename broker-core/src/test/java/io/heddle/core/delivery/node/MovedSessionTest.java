package io.heddle.core.delivery.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.message.frame.MalformedFrameException;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.session.TestNode;
import io.heddle.core.subscription.PersistentSubscriber;
import io.heddle.core.subscription.RemoteNode;
import io.heddle.core.subscription.Subscription;
import io.heddle.core.testkit.RecordingSession;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** QoS 0 messages for persistent sessions that move between nodes while frames wait for a link. */
final class MovedSessionTest {
    private static final int SENDER = 0;
    private static final int RECEIVER = 1;

    private final MessageCluster cluster = new MessageCluster(2);
    private final TestNode sender = cluster.node(SENDER);
    private final TestNode receiver = cluster.node(RECEIVER);

    /** Adds a session as the sender knows it, at the receiver or elsewhere. */
    private PersistentSubscriber known(String clientId, @Nullable RemoteNode at) {
        PersistentSubscriber session = subscriber(clientId, sender);
        session.node(at);
        return session;
    }

    private static PersistentSubscriber subscriber(String clientId, TestNode node) {
        PersistentSubscriber session = new PersistentSubscriber(new ClientId(clientId), ClientType.DEVICE, 0, 1);
        node.trie.put(session, new Subscription(TopicFilter.parse("t", 1), QoS.EXACTLY_ONCE, false, false, 0));
        return session;
    }

    private RemoteNode receiverNode() {
        return Objects.requireNonNull(
                sender.trie.nodes().find(cluster.incarnation(RECEIVER).toString()));
    }

    private RecordingSession connect(PersistentSubscriber session) {
        RecordingSession connection = new RecordingSession(session.clientId().value(), receiver.loop);
        session.connected(connection, receiver.trie.nodes().nextConnect());
        return connection;
    }

    private void publish() {
        cluster.connect(SENDER, "publisher").publish("t", "m");
        cluster.run();
    }

    @Test
    void aMessageThatWaitedForALinkDoesNotReachASessionThatHasMovedMeanwhile() {
        known("stays", receiverNode());
        PersistentSubscriber moves = known("moves", null);
        RecordingSession stays = connect(subscriber("stays", receiver));
        PersistentSubscriber moved = subscriber("moves", receiver);
        cluster.run();
        cluster.cut(SENDER, RECEIVER);
        publish();
        RecordingSession arrived = connect(moved);
        cluster.run();

        cluster.heal(SENDER, RECEIVER);

        assertThat(stays.delivered()).hasSize(1);
        assertThat(arrived.delivered()).isEmpty();
        moves.node(receiverNode());
        publish();
        assertThat(stays.delivered()).hasSize(2);
        assertThat(arrived.delivered()).hasSize(1);
    }

    @Test
    void aSenderThatDoesNotKnowTheConnectDoesNotReachItsSession() {
        known("session", receiverNode());
        PersistentSubscriber session = subscriber("session", receiver);
        cluster.cut(RECEIVER, SENDER);
        RecordingSession connection = connect(session);
        publish();
        assertThat(connection.delivered()).isEmpty();
        assertThat(receiver.dropped("disconnected")).isOne();

        cluster.heal(RECEIVER, SENDER);
        publish();

        assertThat(connection.delivered()).hasSize(1);
    }

    @Test
    void aNodeThatJoinsLearnsTheLatestConnect() {
        RecordingSession connection = connect(subscriber("session", receiver));
        cluster.run();

        int joined = cluster.add();
        TestNode newSender = cluster.node(joined);
        PersistentSubscriber session = subscriber("session", newSender);
        session.node(newSender.trie.nodes().find(cluster.incarnation(RECEIVER).toString()));
        cluster.connect(joined, "publisher").publish("t", "m");
        cluster.run();

        assertThat(connection.delivered()).hasSize(1);
    }

    @Test
    void theFrameHasThisForm() {
        byte[] bytes = ConnectNumbers.encode(0x102);

        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo("01" + "0000000000000102");
        assertThat(ConnectNumbers.decode(bytes)).isEqualTo(0x102);
        assertThatThrownBy(() -> ConnectNumbers.decode(new byte[] {1, 0})).isInstanceOf(MalformedFrameException.class);
        assertThatThrownBy(() -> ConnectNumbers.decode(new byte[] {2, 0, 0, 0, 0, 0, 0, 0, 0}))
                .isInstanceOf(MalformedFrameException.class);
    }
}
