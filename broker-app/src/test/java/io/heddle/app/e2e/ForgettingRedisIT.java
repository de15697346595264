package io.heddle.app.e2e;

import static io.netty.handler.codec.mqtt.MqttMessageType.PUBACK;
import static io.netty.handler.codec.mqtt.MqttMessageType.PUBCOMP;
import static io.netty.handler.codec.mqtt.MqttMessageType.PUBREC;
import static io.netty.handler.codec.mqtt.MqttMessageType.PUBREL;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.app.launcher.OwnProcesses;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * Crash of Redis with the loss of its last writes. The bucket log still has the lost commands, so clients notice nothing but QoS 1
 * duplicates. Each test puts clients into vulnerable states between the moment to which Redis falls back and its crash.
 */
@OwnProcesses(because = "kill -9 ends a process")
@Tag("ci")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class ForgettingRedisIT {
    private static final RawClient.Answer SEVEN = new RawClient.Answer(7, 0);

    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private ForgettingRedis redis;

    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private KillableBroker broker;

    @BeforeAll
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void start() throws Exception {
        redis = ForgettingRedis.start();
        broker = KillableBroker.startOnRedis(redis.url());
    }

    @AfterAll
    void stop() {
        try {
            broker.close();
        } finally {
            redis.close();
        }
    }

    private void publish(String topic, String payload, int qos) {
        try (RawClient publisher = broker.open(new RawConnect(Library.newClientId()))) {
            publisher.publish(topic, payload, qos, 1, false);
            publisher.expect(qos == 1 ? PUBACK : PUBREC);
        }
    }

    /** Returns the length of a client's queue in Redis. */
    private long queued(RawConnect client) {
        return redis.ask(commands -> commands.keys("*q:" + client.clientId()).stream()
                .mapToLong(commands::llen)
                .sum());
    }

    /** Clients in vulnerable states, and assertions about them after the loss. */
    private final class Clients {
        private final String topic;
        private final RawConnect busy = broker.persistentClient();
        private final RawConnect away = broker.persistentClient();
        private final RawConnect latecomer = broker.persistentClient();
        private final RawConnect publisher = broker.persistentClient();
        private final RawClient subscribed;
        private RawClient latecoming;
        private int received;
        private RawPublish unanswered;

        Clients(String topic, boolean restarting) throws Exception {
            this.topic = topic;
            subscribed = broker.open(busy).subscribe(topic, 2);
            latecoming = broker.open(latecomer).subscribe(topic + "/late", 2);
            broker.open(away).subscribe(topic, 2).leave();
            broker.open(publisher).disconnect((byte) 0);
            publish(topic, "before", 2);
            complete(subscribed, subscribed.message());
            // The file has everything, since it has the call that follows the last acknowledgement.
            Soon.until(() -> queued(busy) == 0 && queued(away) == 1);
            latecoming.cut();

            long kept = redis.written();
            untilItDies();
            if (restarting) {
                broker.kill();
            }
            redis.forget(kept);
            if (restarting) {
                broker.restart();
            }
        }

        private void untilItDies() {
            latecoming = broker.open(latecomer);
            publish(topic, "released", 2);
            publish(topic, "completed", 2);
            publish(topic, "unanswered", 2);
            received = subscribed.message().packetId();
            int completed = subscribed.message().packetId();
            unanswered = subscribed.message();
            subscribed.answer(PUBREC, received);
            assertThat(subscribed.expect(PUBREL).packetId()).isEqualTo(received);
            subscribed.answer(PUBREC, completed);
            assertThat(subscribed.expect(PUBREL).packetId()).isEqualTo(completed);
            subscribed.answer(PUBCOMP, completed);
            RawClient publishing = broker.open(publisher);
            publishing.publish(topic, "of an exchange", 2, 7, false);
            assertThat(publishing.expect(PUBREC)).isEqualTo(SEVEN);
            assertThat(subscribed.message().payload()).isEqualTo("of an exchange");
            Soon.until(() -> queued(away) == 5);
        }

        /** Asserts that each client continues without a loss, although the broker was not told of the crash. */
        void assertNothingIsLostOrDuplicated() {
            try (RawClient back = broker.open(publisher)) {
                assertThat(back.sessionPresent()).isTrue();
                back.publish(topic, "of an exchange", 2, 7, true);
                assertThat(back.expect(PUBREC)).isEqualTo(SEVEN);
                back.answer(PUBREL, 7);
                assertThat(back.expect(PUBCOMP)).isEqualTo(SEVEN);
            }
            assertDisconnectedClientGetsEachOnce();
            assertBusyClientContinues();
        }

        private void assertDisconnectedClientGetsEachOnce() {
            RawClient back = broker.open(away);
            List<RawPublish> messages = back.take(5);
            assertThat(messages).noneMatch(RawPublish::duplicate);
            assertThat(messages)
                    .extracting(RawPublish::payload)
                    .containsExactly("before", "released", "completed", "unanswered", "of an exchange");
            assertThat(back.packetsUntilPing()).isEmpty();
            back.leave();
        }

        private void assertBusyClientContinues() {
            RawClient back = broker.open(busy);
            assertThat(back.sessionPresent()).isTrue();
            List<String> packets = back.packetsUntilMessages(2);
            assertThat(packets)
                    .contains("PUBREL " + received, "PUBLISH unanswered " + unanswered.packetId() + " DUP")
                    .noneMatch(packet -> packet.startsWith("PUBLISH released"))
                    .noneMatch(packet -> packet.startsWith("PUBLISH completed"))
                    .doesNotHaveDuplicates();
            assertThat(packets.stream().filter(packet -> packet.startsWith("PUBLISH")))
                    .as("what it has not answered")
                    .hasSize(2)
                    .allMatch(packet -> packet.endsWith(" DUP"));
            assertThat(back.packetsUntilPing()).isEmpty();
            back.leave();
        }
    }

    private static void complete(RawClient subscriber, RawPublish message) {
        subscriber.answer(PUBREC, message.packetId());
        assertThat(subscriber.expect(PUBREL).packetId()).isEqualTo(message.packetId());
        subscriber.answer(PUBCOMP, message.packetId());
    }

    /** The broker detects the rollback although no command is appended after it. */
    @Test
    void idleBucketIsReplayed() throws Exception {
        Clients clients = new Clients("forgotten/idle", false);

        Soon.until(() -> queued(clients.away) == 5);

        clients.assertNothingIsLostOrDuplicated();
    }

    /** Redis has lost the connection of this client, which still receives new messages. */
    @Test
    void clientThatConnectedBeforeTheLossIsServed() throws Exception {
        Clients clients = new Clients("forgotten/late", false);

        publish(clients.topic + "/late", "late", 2);

        RawPublish late = clients.latecoming.message();
        assertThat(late.payload()).isEqualTo("late");
        assertThat(late.duplicate()).isFalse();
        complete(clients.latecoming, late);
        assertThat(clients.latecoming.packetsUntilPing()).isEmpty();
        clients.latecoming.leave();
        clients.assertNothingIsLostOrDuplicated();
    }

    /** The next append comes before the broker has detected the rollback. */
    @Test
    void busyBucketIsReplayedBeforeNewMessages() throws Exception {
        Clients clients = new Clients("forgotten/busy", false);

        publish(clients.topic, "new", 2);

        RawPublish next = clients.subscribed.message();
        assertThat(next.payload()).isEqualTo("new");
        complete(clients.subscribed, next);
        RawClient back = broker.open(clients.away);
        assertThat(back.take(6))
                .extracting(RawPublish::payload)
                .containsExactly("before", "released", "completed", "unanswered", "of an exchange", "new");
        assertThat(back.packetsUntilPing()).isEmpty();
        back.leave();
        clients.assertBusyClientContinues();
    }

    @Test
    void restartedBrokerReplaysTheBucket() throws Exception {
        Clients clients = new Clients("forgotten/restart", true);

        assertThat(queued(clients.away)).as("before anybody is let in").isEqualTo(5);
        clients.assertNothingIsLostOrDuplicated();
    }
}
