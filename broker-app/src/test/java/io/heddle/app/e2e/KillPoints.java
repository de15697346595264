package io.heddle.app.e2e;

import static io.netty.handler.codec.mqtt.MqttMessageType.PUBACK;
import static io.netty.handler.codec.mqtt.MqttMessageType.PUBCOMP;
import static io.netty.handler.codec.mqtt.MqttMessageType.PUBREC;
import static io.netty.handler.codec.mqtt.MqttMessageType.PUBREL;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.Buckets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code kill -9} of the serving broker at each point at which a message could be lost or duplicated, with publishers and subscribers of
 * both types. Kafka, Redis and PostgreSQL keep running. The broker reaches Redis through a gate; a closed gate looks like a stalled Redis
 * and lets the log run ahead of the queues.
 */
abstract class KillPoints {
    private static final int BUCKETS = 16;
    private static final RawClient.Answer SEVEN = new RawClient.Answer(7, 0);

    abstract KillableBroker broker();

    /** Returns the gate of the broker that serves. */
    abstract RedisGate gate();

    /** Kills the broker that serves; returns when the next one serves. */
    abstract void killAndRestart() throws Exception;

    private PersistentSubscriber subscriber(DeliveryPath path) {
        return new PersistentSubscriber(broker(), broker().persistentClient(path));
    }

    /** Returns subscribers of both types, which are away. */
    private List<PersistentSubscriber> awaySubscribers(String topic) {
        return DeliveryPath.persistent()
                .map(path -> {
                    PersistentSubscriber subscriber = subscriber(path);
                    subscriber.subscribe(topic, 2).leave();
                    return subscriber;
                })
                .toList();
    }

    /** Returns a connected publisher without a persistent session. */
    final RawClient publisher(DeliveryPath path) {
        return broker().open(new RawConnect(path.newClientId()));
    }

    /** Returns a persistent session to which its publisher comes back. */
    private RawClient back(RawConnect publisher) {
        RawClient client = broker().open(publisher);
        assertThat(client.sessionPresent()).isTrue();
        return client;
    }

    /** Receives and acknowledges messages that must not have DUP set. */
    static List<String> taken(RawClient subscriber, int count) {
        List<RawPublish> messages = subscriber.take(count);
        assertThat(messages).as("first deliveries").noneMatch(RawPublish::duplicate);
        return messages.stream().map(RawPublish::payload).toList();
    }

    private static void assertReceive(List<PersistentSubscriber> subscribers, List<String> payloads) {
        for (PersistentSubscriber subscriber : subscribers) {
            RawClient client = subscriber.resume();
            assertThat(taken(client, payloads.size())).isEqualTo(payloads);
            subscriber.assertNothingMore(client);
        }
    }

    private static void release(RawClient publisher, int packetId) {
        publisher.answer(PUBREL, packetId);
        assertThat(publisher.expect(PUBCOMP)).isEqualTo(new RawClient.Answer(packetId, 0));
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

    /**
     * PUBACK and PUBREC promise that the log has a message; its queue may not have it yet. The gate stops the call that enqueues the
     * first message, and every later call.
     */
    @ParameterizedTest
    @MethodSource("io.heddle.app.e2e.DeliveryPath#persistent")
    void afterPubAckAndPubRecBeforeTheMessagesAreQueued(DeliveryPath path) throws Exception {
        String topic = "kill/unapplied/" + path;
        List<PersistentSubscriber> subscribers = awaySubscribers(topic);
        RawConnect publisher = broker().persistentClient(path);
        RawClient publishing = broker().open(publisher);
        gate().holdAfter(0, "unapplied-");
        publishing.publish(topic, "unapplied-1", 1, 6, false);
        assertThat(publishing.expect(PUBACK).packetId()).isEqualTo(6);
        publishing.publish(topic, "unapplied-2", 2, 7, false);
        assertThat(publishing.expect(PUBREC)).isEqualTo(SEVEN);
        Soon.until(gate()::isHolding);

        killAndRestart();

        try (RawClient back = back(publisher)) {
            back.publish(topic, "unapplied-2", 2, 7, true);
            assertThat(back.expect(PUBREC)).isEqualTo(SEVEN);
            release(back, 7);
        }
        assertReceive(subscribers, List.of("unapplied-1", "unapplied-2"));
    }

    /**
     * Each message goes to four DEVICE clients in four buckets, so that a batch makes up to four calls. The gate passes three calls: some
     * queues have a part of the batch, others nothing.
     */
    @ParameterizedTest
    @MethodSource("io.heddle.app.e2e.DeliveryPath#persistent")
    void duringABatch(DeliveryPath path) throws Exception {
        String topic = "kill/batch/" + path;
        Map<Integer, PersistentSubscriber> byBucket = new HashMap<>();
        while (byBucket.size() < 4) {
            RawConnect connect = broker().persistentClient();
            PersistentSubscriber subscriber = new PersistentSubscriber(broker(), connect);
            int bucket = new Buckets(BUCKETS).of(new ClientId(connect.clientId()));
            if (byBucket.putIfAbsent(bucket, subscriber) == null) {
                subscriber.subscribe(topic, 1).leave();
            }
        }
        PersistentSubscriber application = subscriber(DeliveryPath.APPLICATION);
        application.subscribe(topic, 1).leave();
        gate().holdAfter(3, "batch-");
        List<String> payloads = new ArrayList<>();
        try (RawClient publishing = publisher(path)) {
            for (int i = 1; i <= 10; i++) {
                payloads.add("batch-" + i);
                publishing.publish(topic, "batch-" + i, 1, i, false);
            }
            for (int i = 1; i <= 10; i++) {
                assertThat(publishing.expect(PUBACK).packetId()).isEqualTo(i);
            }
        }
        Soon.until(gate()::isHolding);

        killAndRestart();

        assertReceive(List.copyOf(byBucket.values()), payloads);
        assertReceive(List.of(application), payloads);
    }

    @ParameterizedTest
    @MethodSource("io.heddle.app.e2e.DeliveryPath#persistent")
    void afterPubrecBeforePubrel(DeliveryPath path) throws Exception {
        String topic = "kill/pubrec/" + path;
        List<PersistentSubscriber> subscribers = awaySubscribers(topic);
        RawConnect sure = broker().persistentClient(path);
        RawConnect unsure = broker().persistentClient(path);
        RawClient sureBefore = broker().open(sure);
        RawClient unsureBefore = broker().open(unsure);
        sureBefore.publish(topic, "from one that saw PUBREC", 2, 7, false);
        assertThat(sureBefore.expect(PUBREC)).isEqualTo(SEVEN);
        unsureBefore.publish(topic, "from one that did not", 2, 7, false);
        assertThat(unsureBefore.expect(PUBREC)).isEqualTo(SEVEN);

        killAndRestart();

        try (RawClient back = back(sure)) {
            release(back, 7);
            back.publish(topic, "another with the same id", 2, 7, false);
            assertThat(back.expect(PUBREC)).isEqualTo(SEVEN);
        }
        try (RawClient back = back(unsure)) {
            back.publish(topic, "from one that did not", 2, 7, true);
            assertThat(back.expect(PUBREC)).isEqualTo(SEVEN);
            release(back, 7);
        }
        assertReceive(
                subscribers, List.of("from one that saw PUBREC", "from one that did not", "another with the same id"));
    }

    /**
     * A PUBREC that was never sent and a PUBREC that was lost leave the publisher and the next node in the same state. So the
     * publisher ignores what it receives. A directly served subscriber shows the commit, since its copy waits for the commit.
     */
    @ParameterizedTest
    @MethodSource("io.heddle.app.e2e.DeliveryPath#persistent")
    void afterTheCommitBeforePubrec(DeliveryPath path) throws Exception {
        String topic = "kill/commit/" + path;
        List<PersistentSubscriber> subscribers = awaySubscribers(topic);
        RawClient witness = publisher(DeliveryPath.DIRECT).subscribe(topic, 2);
        RawConnect publisher = broker().persistentClient(path);
        RawClient publishing = broker().open(publisher);
        publishing.publish(topic, "committed", 2, 7, false);
        assertThat(witness.message().payload()).isEqualTo("committed");

        killAndRestart();

        try (RawClient back = back(publisher)) {
            back.publish(topic, "committed", 2, 7, true);
            assertThat(back.expect(PUBREC)).isEqualTo(SEVEN);
            release(back, 7);
        }
        assertReceive(subscribers, List.of("committed"));
    }

    /** The kill comes at an arbitrary moment: transactions are answered, committed or open, and publishes may not have arrived. */
    @ParameterizedTest
    @MethodSource("io.heddle.app.e2e.DeliveryPath#persistent")
    void duringManyTransactions(DeliveryPath path) throws Exception {
        String topic = "kill/transactions/" + path;
        int messages = 20;
        int answered = 3;
        List<PersistentSubscriber> subscribers = awaySubscribers(topic);
        RawConnect publisher = broker().persistentClient(path);
        RawClient publishing = broker().open(publisher);
        for (int id = 1; id <= messages; id++) {
            publishing.publish(topic, "m" + id, 2, id, false);
        }
        for (int id = 1; id <= answered; id++) {
            assertThat(publishing.expect(PUBREC).packetId()).isEqualTo(id);
        }

        killAndRestart();

        try (RawClient back = back(publisher)) {
            for (int id = answered + 1; id <= messages; id++) {
                back.publish(topic, "m" + id, 2, id, true);
            }
            for (int id = answered + 1; id <= messages; id++) {
                assertThat(back.expect(PUBREC)).isEqualTo(new RawClient.Answer(id, 0));
            }
            for (int id = 1; id <= messages; id++) {
                release(back, id);
            }
        }
        assertReceive(
                subscribers,
                IntStream.rangeClosed(1, messages).mapToObj(id -> "m" + id).toList());
    }

    @ParameterizedTest
    @MethodSource("io.heddle.app.e2e.DeliveryPath#persistent")
    void betweenThePushAndItsAcknowledgement(DeliveryPath path) throws Exception {
        String topic = "kill/pushed/" + path;
        PersistentSubscriber subscriber = subscriber(path);
        RawClient before = subscriber.subscribe(topic, 2);
        try (RawClient publishing = publisher(path)) {
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

            RawClient after = subscriber.resume();
            List<String> expected = List.of(
                    "PUBLISH pushed " + pushed.packetId() + " DUP",
                    "PUBREL " + received.packetId(),
                    "PUBLISH unanswered " + unanswered.packetId() + " DUP");
            List<String> came = new ArrayList<>();
            while (!came.containsAll(expected)) {
                came.add(after.packet());
                if (came.getLast().startsWith("PUBLISH acknowledged ")) {
                    // The kill may come before the broker has stored the acknowledgement. Then this message is
                    // repeated before the others; PUBREL may come before it.
                    assertThat(came)
                            .filteredOn(packet -> packet.startsWith("PUBLISH "))
                            .hasSize(1);
                    after.answer(PUBACK, Integer.parseInt(came.removeLast().split(" ", -1)[2]));
                }
            }
            assertThat(came).containsExactlyInAnyOrderElementsOf(expected);
            assertThat(came).containsSubsequence(expected.getFirst(), expected.getLast());
            after.answer(PUBCOMP, received.packetId());
            complete(after, pushed);
            complete(after, unanswered);
            subscriber.assertNothingMore(after);
        }
    }
}
