package io.heddle.core.operator.message;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.device.QueueView;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.session.Connect;
import io.heddle.core.session.TestClient;
import io.heddle.core.session.TestNode;
import io.heddle.core.testkit.PublishMessages;
import org.junit.jupiter.api.Test;

class QueueAdministrationTest {
    private static final ClientId PUMP = new ClientId("pump");

    private final TestNode node = new TestNode();
    private final QueueAdministration queues = node.administration.queues();
    private final TestClient publisher = node.connect("publisher");

    private TestClient connect() {
        return node.connect(new Connect("pump").persistent(60).packet());
    }

    private void publish(String... payloads) {
        for (String payload : payloads) {
            publisher.publish("t", payload, QoS.AT_LEAST_ONCE, 1);
        }
    }

    private QueueView view(int maximumMessages) {
        return view(0, maximumMessages);
    }

    private QueueView view(long from, int maximumMessages) {
        return requireNonNull(node.whileRunning(() -> queues.view(PUMP, from, maximumMessages)));
    }

    @Test
    void aViewShowsTheFirstMessagesAndLeavesThemInTheQueue() {
        connect().subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        publish("a", "b", "c");

        QueueView view = view(2);

        assertThat(view.messages()).isEqualTo(3);
        assertThat(view.entries())
                .extracting(each -> PublishMessages.text(each.message()))
                .containsExactly("a", "b");
        assertThat(view(3, 2).entries())
                .extracting(each -> PublishMessages.text(each.message()))
                .containsExactly("c");
        assertThat(view(4, 2).entries()).isEmpty();
        assertThat(connect().payloads()).containsExactly("a", "b", "c");
    }

    @Test
    void aClearedQueueStaysEmptyWhenTheStoreHasLostEverything() {
        connect().subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        publish("a", "b");

        assertThat(node.whileRunning(() -> queues.clear(PUMP))).isEqualTo(new ClearedQueue(2, true));

        assertThat(view(9).messages()).isZero();
        assertThat(node.dropped("cleared")).isEqualTo(2);
        publish("c");
        node.queues.loseEverything();
        node.watch.checkIdleBuckets();
        node.runAll();
        assertThat(connect().payloads()).containsExactly("c");
    }

    @Test
    void aConnectedClientGetsWhatIsPublishedAfterwards() {
        TestClient pump = connect().subscribe(QoS.AT_LEAST_ONCE, "t");
        publish("a", "b", "c", "d", "e");
        assertThat(pump.payloads()).as("4 in flight").containsExactly("a", "b", "c", "d");

        node.whileRunning(() -> queues.clear(PUMP));
        publish("f");
        for (int i = 0; i < 4; i++) {
            pump.pubAck(32_768 + i);
        }

        assertThat(pump.payloads()).startsWith("a", "b", "c", "d").endsWith("f");
        pump.lose();
        assertThat(view(9).entries())
                .extracting(each -> PublishMessages.text(each.message()))
                .endsWith("f");
    }

    @Test
    void aClientWithoutPersistentSessionHasNoQueue() {
        assertThat(node.whileRunning(() -> queues.view(PUMP, 0, 1))).isNull();
        assertThat(node.whileRunning(() -> queues.clear(PUMP))).isNull();
    }
}
