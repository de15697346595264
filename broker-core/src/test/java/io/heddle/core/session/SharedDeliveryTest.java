package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.QoS;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sessions that are members of a shared subscription. The window is 4 messages, the queue another 4. */
final class SharedDeliveryTest {
    private static final String FILTER = "$share/g/t";

    private final TestNode node = new TestNode();
    private final TestClient publisher = node.connect("publisher");

    private TestClient member(String clientId) {
        return node.connect(new Connect(clientId).persistent(60).packet()).subscribe(QoS.EXACTLY_ONCE, FILTER);
    }

    private TestClient back(String clientId) {
        return node.connect(new Connect(clientId).persistent(60).packet());
    }

    private void publish(QoS qos, int from, int to) {
        for (int i = from; i < to; i++) {
            publisher.publish("t", Integer.toString(i), qos, 1);
            publisher.pubRel(1);
        }
    }

    @Test
    void aMemberWhoseWindowIsUsedUpIsPassedOverUntilItAcknowledges() {
        TestClient slow = member("slow");
        TestClient quick = member("quick");
        for (int i = 0; i < 20; i++) {
            publish(QoS.AT_LEAST_ONCE, i, i + 1);
            if (!quick.messages().isEmpty()) {
                quick.pubAck(quick.messages().getLast().packetId());
            }
        }

        assertThat(slow.payloads()).hasSize(4);
        assertThat(quick.payloads()).hasSize(16);
        assertThat(node.gauge("heddle.messages.queued")).isZero();
        slow.pubAck(1);
        publish(QoS.AT_LEAST_ONCE, 20, 22);
        assertThat(slow.payloads()).hasSize(5);
    }

    @Test
    void aMemberThatDoesNotReadIsPassedOverUntilItReadsAgain() {
        TestClient slow = member("slow");
        TestClient quick = member("quick");
        slow.connection().writable(false);
        publish(QoS.AT_MOST_ONCE, 0, 11);
        // Nobody knows before the first one.
        assertThat(node.dropped("slow_consumer")).isOne();
        assertThat(quick.payloads()).hasSize(10);

        slow.connection().writable(true);
        slow.conversation().becameWritable();
        publish(QoS.AT_MOST_ONCE, 11, 21);

        assertThat(slow.payloads()).hasSize(5);
    }

    @Test
    void membersThatComeBackTakeTurnsAgainAndThoseThatAreAwayDoNot() {
        TestClient first = member("first");
        TestClient second = member("second");
        first.lose();
        publish(QoS.AT_LEAST_ONCE, 0, 4);
        assertThat(second.payloads()).hasSize(4);

        second.lose();
        TestClient firstAgain = back("first");
        publish(QoS.AT_LEAST_ONCE, 4, 8);

        assertThat(firstAgain.payloads()).containsExactly("4", "5", "6", "7");
    }

    @Test
    void whenEverybodyIsAwayMessagesWaitInTheQueuesThatHaveRoom() {
        for (String clientId : List.of("first", "second")) {
            member(clientId).lose();
        }
        publish(QoS.AT_LEAST_ONCE, 0, 8);

        assertThat(node.dropped("queue_full")).isZero();
        assertThat(back("first").payloads()).hasSize(4);
        assertThat(back("second").payloads()).hasSize(4);
    }
}
