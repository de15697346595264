package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authorization.TopicRules;
import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.session.outbound.QueueLimits;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Queues of expired members of shared subscriptions. */
final class QueueTransferTest {
    private static final int GROUPS = 5;
    private static final int ENDING = 8 * GROUPS;

    private final TestNode node = new TestNode(
            new SessionSettings(
                    65_536,
                    8,
                    TopicRules.STANDARD,
                    GROUPS,
                    200,
                    3_600,
                    3_600,
                    0,
                    100,
                    1_000,
                    2,
                    new QueueLimits(1_000, 1_000_000, QueueLimits.Overflow.DROP_OLDEST),
                    1_000,
                    20_000,
                    TestNode.PATIENCE),
            1_000_000);
    private final TestClient publisher = node.connect("publisher");

    private static String filter(int group) {
        return "$share/" + group + "/t";
    }

    /** Sessions in some groups whose queues hold a message each, and a member of these groups that stays. */
    private TestClient endingMembersAndOther(int members, int groups) {
        for (int i = 0; i < members; i++) {
            node.connect(new Connect("ending-" + i).persistent(60).packet())
                    .subscribe(QoS.AT_LEAST_ONCE, filter(i % groups))
                    .lose();
        }
        for (int i = 0; i < members / groups; i++) {
            publisher.publish("t", Integer.toString(i), QoS.AT_LEAST_ONCE, 1);
        }
        TestClient other = node.connect(new Connect("other").persistent(3_600).packet());
        for (int i = 0; i < groups; i++) {
            other.subscribe(QoS.AT_LEAST_ONCE, filter(i));
        }
        return other;
    }

    @Test
    void aFewQueuesAreTransferredAtATimeAndTheOthersWait() {
        TestClient other = endingMembersAndOther(ENDING, GROUPS);
        node.stores.registry.hold();
        node.advance(Duration.ofSeconds(60));
        for (int i = 0; i < 10; i++) {
            node.advance(Duration.ofSeconds(1));
        }
        assertThat(node.stores.registry.waiting()).isEqualTo(16);
        assertThat(node.persistent.all()).hasSize(ENDING + 1);

        node.stores.registry.release();
        node.advance(Duration.ofSeconds(1));

        assertThat(other.payloads()).hasSize(ENDING);
        assertThat(node.persistent.all()).hasSize(1);
        assertThat(node.dropped("session_ended")).isZero();
    }

    @Test
    void aFailedAppendIsRetried() {
        TestClient other = endingMembersAndOther(2, 1);
        node.log.failNextWith(new IllegalStateException("the log does not answer"));

        node.advance(Duration.ofSeconds(60));
        node.advance(Duration.ofSeconds(1));

        assertThat(other.payloads()).containsExactlyInAnyOrder("0", "1");
        assertThat(node.dropped("session_ended")).isZero();
        assertThat(node.persistent.find(new ClientId("ending-0"))).isNull();
    }

    @Test
    void aMessageThatCanNeverBeAppendedDoesNotKeepTheSessionAlive() {
        endingMembersAndOther(1, 1);
        node.log.failWith(new IllegalStateException("the log is gone"));

        node.advance(Duration.ofSeconds(60));
        // The queue is transferred twice: before and after the session leaves its groups.
        for (int i = 0; i < 2_300; i++) {
            node.advance(Duration.ofMillis(100));
        }

        assertThat(node.dropped("session_ended")).isOne();
        assertThat(node.persistent.find(new ClientId("ending-0"))).isNull();
    }
}
