package io.heddle.app.e2e;

import static io.netty.handler.codec.mqtt.MqttMessageType.PUBACK;
import static io.netty.handler.codec.mqtt.MqttMessageType.PUBCOMP;
import static io.netty.handler.codec.mqtt.MqttMessageType.PUBREC;
import static io.netty.handler.codec.mqtt.MqttMessageType.PUBREL;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.Buckets;
import io.heddle.standalone.testkit.TestServers;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * {@code kill -9} of the broker at each point at which a message could be lost or duplicated. Kafka, Redis and PostgreSQL keep
 * running. The broker reaches Redis through a gate; a closed gate looks like a stalled Redis and lets the log run ahead of the
 * queues. The same small broker survives a flood of subscriptions.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class KillIT {
    private static final int BUCKETS = 16;
    private static final RawClient.Answer SEVEN = new RawClient.Answer(7, 0);

    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private RedisGate gate;

    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private KillableBroker broker;

    @BeforeAll
    void start() throws Exception {
        URI redis = URI.create(TestServers.shared().redisUrl());
        gate = RedisGate.open(redis.getPort());
        try {
            broker = KillableBroker.startOnRedis("redis://" + redis.getUserInfo() + "@127.0.0.1:" + gate.port());
        } catch (Exception e) {
            gate.close();
            throw e;
        }
    }

    @AfterAll
    void stop() throws Exception {
        try {
            broker.close();
        } finally {
            gate.close();
        }
    }

    /** Subscribes to a topic, and to a private topic for {@link #assertNothingMore}. */
    private RawClient subscribed(RawConnect connect, String topic, int qos) {
        return broker.open(connect).subscribe(topic, qos).subscribe(end(connect), 1);
    }

    private static String end(RawConnect connect) {
        return "kill/end/" + connect.clientId();
    }

    private RawConnect awaySubscriber(String topic) {
        RawConnect connect = broker.persistentClient();
        subscribed(connect, topic, 2).leave();
        return connect;
    }

    private RawClient publisher() {
        return broker.open(new RawConnect(Library.newClientId()));
    }

    private void killAndRestart() throws Exception {
        broker.kill();
        gate.lose();
        broker.restart();
    }

    /** Receives and acknowledges messages that must not have DUP set. */
    private static List<String> taken(RawClient subscriber, int count) {
        List<RawPublish> messages = subscriber.take(count);
        assertThat(messages).as("first deliveries").noneMatch(RawPublish::duplicate);
        return messages.stream().map(RawPublish::payload).toList();
    }

    private static void complete(RawClient subscriber, RawPublish message) {
        if (message.qos() == 1) {
            subscriber.answer(PUBACK, message.packetId());
        } else {
            subscriber.answer(PUBREC, message.packetId());
            assertThat(subscriber.expect(PUBREL).packetId()).isEqualTo(message.packetId());
            subscriber.answer(PUBCOMP, message.packetId());
        }
    }

    /** Asserts that neither this connection nor the next one receives anything before a message that is published now. */
    private void assertNothingMore(RawClient subscriber, RawConnect connect) {
        assertThat(subscriber.packetsUntilPing()).isEmpty();
        subscriber.leave();
        try (RawClient next = broker.open(connect)) {
            assertThat(next.sessionPresent()).isTrue();
            broker.publish(end(connect), "end");
            assertThat(next.take(1)).extracting(RawPublish::payload).containsExactly("end");
            assertThat(next.packetsUntilPing()).isEmpty();
        }
    }

    /**
     * PUBACK and PUBREC promise that the log has a message; its queue may not have it yet. The gate stops the call that enqueues the
     * first message, and every later call.
     */
    @Test
    void afterPubAckAndPubRecBeforeTheMessagesAreQueued() throws Exception {
        String topic = "kill/unapplied";
        RawConnect subscriber = awaySubscriber(topic);
        RawConnect publisher = broker.persistentClient();
        RawClient publishing = broker.open(publisher);
        gate.holdAfter(0, "unapplied-");
        publishing.publish(topic, "unapplied-1", 1, 6, false);
        assertThat(publishing.expect(PUBACK).packetId()).isEqualTo(6);
        publishing.publish(topic, "unapplied-2", 2, 7, false);
        assertThat(publishing.expect(PUBREC)).isEqualTo(SEVEN);
        Soon.until(gate::isHolding);

        killAndRestart();

        RawClient subscribed = broker.open(subscriber);
        assertThat(taken(subscribed, 2)).containsExactly("unapplied-1", "unapplied-2");
        try (RawClient back = broker.open(publisher)) {
            assertThat(back.sessionPresent()).isTrue();
            back.publish(topic, "unapplied-2", 2, 7, true);
            assertThat(back.expect(PUBREC)).isEqualTo(SEVEN);
            back.answer(PUBREL, 7);
            assertThat(back.expect(PUBCOMP)).isEqualTo(SEVEN);
        }
        assertNothingMore(subscribed, subscriber);
    }

    /**
     * Each message goes to four clients in four buckets, so that a batch makes up to four calls. The gate passes three calls: some
     * queues have a part of the batch, others nothing.
     */
    @Test
    void duringABatch() throws Exception {
        String topic = "kill/batch";
        Map<Integer, RawConnect> byBucket = new HashMap<>();
        while (byBucket.size() < 4) {
            RawConnect connect = broker.persistentClient();
            int bucket = new Buckets(BUCKETS).of(new ClientId(connect.clientId()));
            if (byBucket.putIfAbsent(bucket, connect) == null) {
                subscribed(connect, topic, 1).leave();
            }
        }
        gate.holdAfter(3, "batch-");
        List<String> payloads = new ArrayList<>();
        try (RawClient publishing = publisher()) {
            for (int i = 1; i <= 10; i++) {
                payloads.add("batch-" + i);
                publishing.publish(topic, "batch-" + i, 1, i, false);
            }
            for (int i = 1; i <= 10; i++) {
                assertThat(publishing.expect(PUBACK).packetId()).isEqualTo(i);
            }
        }
        Soon.until(gate::isHolding);

        killAndRestart();

        for (RawConnect connect : byBucket.values()) {
            RawClient subscribed = broker.open(connect);
            assertThat(taken(subscribed, 10)).isEqualTo(payloads);
            assertNothingMore(subscribed, connect);
        }
    }

    @Test
    void afterPubrecBeforePubrel() throws Exception {
        String topic = "kill/pubrec";
        RawConnect subscriber = awaySubscriber(topic);
        RawConnect sure = broker.persistentClient();
        RawConnect unsure = broker.persistentClient();
        RawClient sureBefore = broker.open(sure);
        RawClient unsureBefore = broker.open(unsure);
        sureBefore.publish(topic, "from one that saw PUBREC", 2, 7, false);
        assertThat(sureBefore.expect(PUBREC)).isEqualTo(SEVEN);
        unsureBefore.publish(topic, "from one that did not", 2, 7, false);
        assertThat(unsureBefore.expect(PUBREC)).isEqualTo(SEVEN);

        killAndRestart();

        try (RawClient back = broker.open(sure)) {
            assertThat(back.sessionPresent()).isTrue();
            back.answer(PUBREL, 7);
            assertThat(back.expect(PUBCOMP)).isEqualTo(SEVEN);
            back.publish(topic, "another with the same id", 2, 7, false);
            assertThat(back.expect(PUBREC)).isEqualTo(SEVEN);
        }
        try (RawClient back = broker.open(unsure)) {
            back.publish(topic, "from one that did not", 2, 7, true);
            assertThat(back.expect(PUBREC)).isEqualTo(SEVEN);
            back.answer(PUBREL, 7);
            assertThat(back.expect(PUBCOMP)).isEqualTo(SEVEN);
        }
        RawClient subscribed = broker.open(subscriber);
        assertThat(taken(subscribed, 3))
                .containsExactly("from one that saw PUBREC", "from one that did not", "another with the same id");
        assertNothingMore(subscribed, subscriber);
    }

    /**
     * A PUBREC that was never sent and a PUBREC that was lost leave the publisher and the next node in the same state. So the
     * publisher ignores what it receives. A directly served subscriber shows the commit, since its copy waits for the commit.
     */
    @Test
    void afterTheCommitBeforePubrec() throws Exception {
        String topic = "kill/commit";
        RawConnect subscriber = awaySubscriber(topic);
        RawClient witness = publisher().subscribe(topic, 2);
        RawConnect publisher = broker.persistentClient();
        RawClient publishing = broker.open(publisher);
        publishing.publish(topic, "committed", 2, 7, false);
        assertThat(witness.message().payload()).isEqualTo("committed");

        killAndRestart();

        try (RawClient back = broker.open(publisher)) {
            assertThat(back.sessionPresent()).isTrue();
            back.publish(topic, "committed", 2, 7, true);
            assertThat(back.expect(PUBREC)).isEqualTo(SEVEN);
            back.answer(PUBREL, 7);
            assertThat(back.expect(PUBCOMP)).isEqualTo(SEVEN);
        }
        RawClient subscribed = broker.open(subscriber);
        assertThat(taken(subscribed, 1)).containsExactly("committed");
        assertNothingMore(subscribed, subscriber);
    }

    /** The kill comes at an arbitrary moment: transactions are answered, committed or open, and publishes may not have arrived. */
    @Test
    void duringManyTransactions() throws Exception {
        String topic = "kill/transactions";
        int messages = 20;
        int answered = 3;
        RawConnect subscriber = awaySubscriber(topic);
        RawConnect publisher = broker.persistentClient();
        RawClient publishing = broker.open(publisher);
        for (int id = 1; id <= messages; id++) {
            publishing.publish(topic, "m" + id, 2, id, false);
        }
        for (int id = 1; id <= answered; id++) {
            assertThat(publishing.expect(PUBREC).packetId()).isEqualTo(id);
        }

        killAndRestart();

        try (RawClient back = broker.open(publisher)) {
            assertThat(back.sessionPresent()).isTrue();
            for (int id = answered + 1; id <= messages; id++) {
                back.publish(topic, "m" + id, 2, id, true);
            }
            for (int id = answered + 1; id <= messages; id++) {
                assertThat(back.expect(PUBREC)).isEqualTo(new RawClient.Answer(id, 0));
            }
            for (int id = 1; id <= messages; id++) {
                back.answer(PUBREL, id);
                assertThat(back.expect(PUBCOMP)).isEqualTo(new RawClient.Answer(id, 0));
            }
        }
        RawClient subscribed = broker.open(subscriber);
        assertThat(taken(subscribed, messages))
                .isEqualTo(IntStream.rangeClosed(1, messages)
                        .mapToObj(id -> "m" + id)
                        .toList());
        assertNothingMore(subscribed, subscriber);
    }

    @Test
    void betweenThePushAndItsAcknowledgement() throws Exception {
        String topic = "kill/pushed";
        RawConnect connect = broker.persistentClient();
        RawClient before = subscribed(connect, topic, 2);
        try (RawClient publishing = publisher()) {
            publishing.publish(topic, "acknowledged", 1, 1, false);
            publishing.publish(topic, "pushed", 1, 2, false);
            publishing.publish(topic, "received", 2, 3, false);
            publishing.publish(topic, "unanswered", 2, 4, false);
            before.take(1);
            RawPublish pushed = before.message();
            RawPublish received = before.message();
            RawPublish unanswered = before.message();
            assertThat(List.of(pushed, received, unanswered))
                    .extracting(RawPublish::payload)
                    .containsExactly("pushed", "received", "unanswered");
            before.answer(PUBREC, received.packetId());
            assertThat(before.expect(PUBREL).packetId()).isEqualTo(received.packetId());

            killAndRestart();

            RawClient after = broker.open(connect);
            assertThat(after.sessionPresent()).isTrue();
            assertThat(after.expect(PUBREL).packetId()).isEqualTo(received.packetId());
            RawPublish again = after.message();
            if (again.payload().equals("acknowledged")) {
                // The kill may come before the broker has told Redis of a PUBACK.
                after.answer(PUBACK, again.packetId());
                again = after.message();
            }
            assertThat(again).isEqualTo(pushed.asDuplicate());
            assertThat(after.message()).isEqualTo(unanswered.asDuplicate());
            after.answer(PUBCOMP, received.packetId());
            complete(after, pushed);
            complete(after, unanswered);
            assertNothingMore(after, connect);
        }
    }

    /** Without limits, these changes would fill the broker's heap of 256 MB. */
    @Test
    void subscriptionFloodNeitherCrashesTheBrokerNorBlocksPublishers() throws Exception {
        String topic = "kill/flood";
        List<String> sent = new ArrayList<>();
        try (SubscribeFlood flood = SubscribeFlood.begin(broker, 20);
                RawClient subscriber = broker.open(broker.persistentClient()).subscribe(topic, 1);
                RawClient publisher = publisher()) {
            while (sent.size() < 20 || flood.answered() < 500) {
                int packetId = sent.size() % 60_000 + 1;
                publisher.publish(topic, "m" + sent.size(), 1, packetId, false);
                assertThat(publisher.expect(PUBACK)).isEqualTo(new RawClient.Answer(packetId, 0));
                sent.add("m" + sent.size());
                assertThat(taken(subscriber, 1)).containsExactly(sent.getLast());
            }
        }
    }
}
