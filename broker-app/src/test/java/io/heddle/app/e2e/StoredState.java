package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.mqtt.MqttMessageType;
import java.util.List;
import java.util.stream.Stream;

/**
 * State of clients in the stores, and its checks: sessions of both types with subscriptions, queues, exchanges that are not complete, and
 * wills; and retained messages. One test thread.
 */
final class StoredState {
    private static final int AWAY_SECONDS = 3_600;
    private static final int IDENTIFIER = 5;
    private static final int INBOUND_ID = 9;

    private final String root = "stored/" + Library.newClientId();
    private final List<StoredClients> clients =
            DeliveryPath.persistent().map(StoredClients::new).toList();

    /** The clients of one type. */
    private final class StoredClients {
        private final String topic;
        private final RawConnect away;
        private final RawConnect halfway;
        private final RawConnect publisher;
        private final DeliveryPath path;
        private final String willedId;
        private int outboundId;

        StoredClients(DeliveryPath path) {
            this.path = path;
            topic = root + "/" + path;
            away = SteadyClient.persistent(path);
            halfway = SteadyClient.persistent(path);
            publisher = SteadyClient.persistent(path);
            willedId = path.newClientId();
        }

        void store(int port) {
            RawClient subscriber = away.open(port);
            subscriber.subscribe(topic + "/queued/+", 2, IDENTIFIER);
            subscriber.subscribe("$share/group/" + topic + "/shared", 1);
            subscriber.leave();
            storeQueue(port);
            storeExchanges(port);
            new RawConnect(willedId)
                    .persistent(AWAY_SECONDS)
                    .will(topic + "/will", "will", AWAY_SECONDS)
                    .open(port)
                    .cut();
        }

        private void storeQueue(int port) {
            try (RawClient sender = new RawConnect(Library.newClientId()).open(port)) {
                sender.publish(topic + "/queued/a", "at least once", 1, 1, false);
                sender.expect(MqttMessageType.PUBACK);
                sender.publish(topic + "/queued/b", "exactly once", 2, 2, false);
                sender.expect(MqttMessageType.PUBREC);
                sender.answer(MqttMessageType.PUBREL, 2);
                sender.expect(MqttMessageType.PUBCOMP);
                sender.publish(topic + "/shared", "shared", 1, 3, false);
                sender.expect(MqttMessageType.PUBACK);
            }
        }

        /** Leaves a PUBLISH without PUBREL, one without PUBCOMP, and the second of three without PUBACK. */
        private void storeExchanges(int port) {
            RawClient receiver = halfway.open(port).subscribe(topic + "/exchanges", 2);
            RawClient sender = publisher.open(port);
            sender.publish(topic + "/exchanges", "outbound", 2, 1, false);
            sender.expect(MqttMessageType.PUBREC);
            sender.answer(MqttMessageType.PUBREL, 1);
            sender.expect(MqttMessageType.PUBCOMP);
            outboundId = receiver.message().packetId();
            receiver.answer(MqttMessageType.PUBREC, outboundId);
            receiver.expect(MqttMessageType.PUBREL);
            for (String payload : List.of("first", "second", "third")) {
                sender.publish(topic + "/exchanges", payload, 1, 2, false);
                sender.expect(MqttMessageType.PUBACK);
                RawPublish message = receiver.message();
                if (!payload.equals("second")) {
                    receiver.answer(MqttMessageType.PUBACK, message.packetId());
                }
            }
            receiver.leave();
            sender.publish(topic + "/queued/c", "inbound", 2, INBOUND_ID, false);
            sender.expect(MqttMessageType.PUBREC);
            sender.leave();
        }

        void assertMessages(int port) {
            RawClient sender = resume(publisher, port);
            sender.publish(topic + "/queued/c", "inbound", 2, INBOUND_ID, true);
            sender.expect(MqttMessageType.PUBREC);
            sender.answer(MqttMessageType.PUBREL, INBOUND_ID);
            sender.expect(MqttMessageType.PUBCOMP);
            sender.leave();

            RawClient subscriber = resume(away, port);
            List<RawPublish> queued = subscriber.take(4);
            assertThat(queued)
                    .as("queue of %s", away.clientId())
                    .extracting(RawPublish::payload)
                    .containsExactly("at least once", "exactly once", "shared", "inbound");
            assertThat(queued.getFirst().subscriptionIdentifiers()).containsExactly(IDENTIFIER);
            assertThat(subscriber.packetsUntilPing()).isEmpty();
            subscriber.leave();

            try (RawClient receiver = resume(halfway, port)) {
                List<String> packets = receiver.packetsUntilMessages(1);
                assertThat(packets).as("exchanges of %s", halfway.clientId()).hasSize(2);
                assertThat(packets.getFirst()).isEqualTo("PUBREL " + outboundId);
                assertThat(packets.getLast()).startsWith("PUBLISH second ").endsWith(" DUP");
                assertThat(receiver.packetsUntilPing()).isEmpty();
            }
        }

        void assertNoMessages(int port) {
            for (RawConnect connect : List.of(away, halfway, publisher)) {
                RawClient client = resume(connect, port);
                assertThat(client.packetsUntilPing())
                        .as("packets for %s", connect.clientId())
                        .isEmpty();
                client.leave();
            }
        }

        void assertSubscriptions(int port, int publisherPort) {
            RawClient subscriber = resume(away, port);
            try (RawClient sender = new RawConnect(Library.newClientId()).open(publisherPort)) {
                sender.publish(topic + "/queued/d", "new", 2, 1, false);
                sender.expect(MqttMessageType.PUBREC);
                sender.answer(MqttMessageType.PUBREL, 1);
                sender.expect(MqttMessageType.PUBCOMP);
                sender.publish(topic + "/shared", "new and shared", 1, 2, false);
                sender.expect(MqttMessageType.PUBACK);
            }
            List<RawPublish> messages = subscriber.take(2);
            assertThat(messages)
                    .as("messages of %s", away.clientId())
                    .extracting(RawPublish::payload)
                    .containsExactly("new", "new and shared");
            assertThat(messages).extracting(RawPublish::qos).containsExactly(2, 1);
            assertThat(messages.getFirst().subscriptionIdentifiers()).containsExactly(IDENTIFIER);
            subscriber.leave();
        }

        /** The end of the session publishes the will, whose delay is not over. */
        void assertWill(int port, int publisherPort) {
            try (RawClient subscriber =
                    new RawConnect(Library.newClientId()).open(port).subscribe(topic + "/will", 1)) {
                new RawConnect(willedId).open(publisherPort).leave();
                assertThat(subscriber.take(1)).extracting(RawPublish::payload).containsExactly("will");
            }
        }

        private RawClient resume(RawConnect connect, int port) {
            RawClient client = connect.open(port);
            assertThat(client.sessionPresent())
                    .as("session of %s, %s", connect.clientId(), path)
                    .isTrue();
            return client;
        }
    }

    /** Stores everything through one node. */
    void store(int port) throws Exception {
        clients.forEach(each -> each.store(port));
        try (LibraryClient publisher = Library.HIVEMQ_5.connected(port)) {
            publisher.publish(root + "/retained/one", "one", 1, true);
            publisher.publish(root + "/retained/two", "replaced", 1, true);
            publisher.publish(root + "/retained/two", "two", 2, true);
            publisher.publish(root + "/retained/removed", "removed", 1, true);
            publisher.publish(root + "/retained/removed", "", 1, true);
        }
    }

    /** Asserts that all queues and exchanges are there, and completes them. Called once. */
    void assertMessages(int port) {
        clients.forEach(each -> each.assertMessages(port));
    }

    /** Asserts that all sessions are there, with empty queues and without exchanges. */
    void assertSessionsWithoutMessages(int port) {
        clients.forEach(each -> each.assertNoMessages(port));
    }

    /** Asserts that messages reach the subscriptions of the sessions, whose queues are empty. */
    void assertSubscriptions(int port, int publisherPort) {
        clients.forEach(each -> each.assertSubscriptions(port, publisherPort));
    }

    /** Asserts that the wills wait for their delays, and lets them be published. Called once. */
    void assertWills(int port, int publisherPort) {
        clients.forEach(each -> each.assertWill(port, publisherPort));
    }

    /** Asserts that a node has exactly these retained messages. */
    void assertRetained(int port) {
        try (RawClient subscriber =
                new RawConnect(Library.newClientId()).open(port).subscribe(root + "/retained/#", 2)) {
            Stream<String> retained = subscriber.take(2).stream()
                    .map(message -> message.payload() + " " + message.qos() + " " + message.retain());
            assertThat(retained).containsExactlyInAnyOrder("one 1 true", "two 2 true");
            assertThat(subscriber.packetsUntilPing()).isEmpty();
        }
    }
}
