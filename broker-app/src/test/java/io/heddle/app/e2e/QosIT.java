package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientType;
import io.heddle.core.testkit.Conformance;
import io.heddle.standalone.testkit.Relay;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** QoS 0, 1 and 2 between library clients, on each delivery path. At most 8 messages are in flight to a client. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class QosIT {
    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private BrokerUnderTest broker;

    /** One client of each library on each path, connected throughout. */
    private final Map<DeliveryPath, Map<Library, LibraryClient>> clients = new EnumMap<>(DeliveryPath.class);

    @BeforeAll
    void startBroker() throws Exception {
        broker = BrokerUnderTest.start(
                "--heddle.authentication.anonymous.enabled=true",
                "--heddle.session.maximum-in-flight=8",
                DeliveryPath.SETTING);
        for (DeliveryPath path : DeliveryPath.values()) {
            Map<Library, LibraryClient> onPath = new EnumMap<>(Library.class);
            clients.put(path, onPath);
            for (Library library : Library.values()) {
                LibraryClient client = path.connected(library, broker.mqttPort());
                onPath.put(library, client);
                assertThat(broker.typeOf(client.clientId()))
                        .isEqualTo(path == DeliveryPath.APPLICATION ? ClientType.APPLICATION : ClientType.DEVICE);
            }
        }
    }

    @AfterAll
    void stopBroker() {
        all().forEach(LibraryClient::close);
        broker.close();
    }

    private LibraryClient client(Library library, DeliveryPath path) {
        return Objects.requireNonNull(Objects.requireNonNull(clients.get(path)).get(library));
    }

    private List<LibraryClient> all() {
        return clients.values().stream()
                .flatMap(onPath -> onPath.values().stream())
                .toList();
    }

    /** Excludes Paho's MQTT 5.0 client, which delivers a retransmitted PUBLISH a second time. */
    static Stream<Arguments> exactlyOnceLibrariesOnPersistentPaths() {
        return DeliveryPath.eachLibraryPersistent().filter(each -> each.get()[0] != Library.PAHO_5);
    }

    /** Returns the messages that a client has received on topics with this prefix. */
    private static List<ReceivedMessage> on(String topics, LibraryClient client) {
        return on(topics, client.received());
    }

    private static List<ReceivedMessage> on(String topics, List<ReceivedMessage> messages) {
        return messages.stream()
                .filter(message -> message.topic().startsWith(topics))
                .toList();
    }

    @Conformance(
            value = {
                "MQTT-2.2.1-6",
                "MQTT-3.3.4-1",
                "MQTT-3.8.4-1",
                "MQTT-3.8.4-2",
                "MQTT-4.3.2-4",
                "MQTT-4.3.3-8",
                "MQTT-4.3.3-11"
            },
            mqtt311 = {"MQTT-2.3.1-7", "MQTT-3.3.4-1", "MQTT-3.8.4-1", "MQTT-3.8.4-2"})
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void everyClientReceivesMessagesOfEveryQos(int qos) throws Exception {
        String topic = "each/" + qos;
        List<ReceivedMessage> expected = new ArrayList<>();
        for (LibraryClient client : all()) {
            client.subscribe(topic, qos);
        }

        for (LibraryClient client : all()) {
            client.publish(topic, client.clientId(), qos);
            expected.add(new ReceivedMessage(topic, client.clientId(), qos, false));
        }

        for (LibraryClient client : all()) {
            Soon.until(() -> on(topic, client).size() >= expected.size());
        }
        Sentinel sentinel = Sentinel.publish(client(Library.HIVEMQ_5, DeliveryPath.DIRECT), topic, qos);
        for (LibraryClient client : all()) {
            assertThat(on(topic, sentinel.othersOf(client))).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    @Conformance("MQTT-3.8.4-8")
    @OnEachPath
    void deliveryQosIsTheMinimumOfMessageAndSubscription(Library library, DeliveryPath path) throws Exception {
        LibraryClient client = client(library, path);
        List<ReceivedMessage> expected = new ArrayList<>();
        for (int subscribed = 0; subscribed <= 2; subscribed++) {
            String topic = "lower/" + library + "/" + path + "/" + subscribed;
            client.subscribe(topic, subscribed);
            for (int published = 0; published <= 2; published++) {
                client.publish(topic, "q" + published, published);
                expected.add(new ReceivedMessage(topic, "q" + published, Math.min(subscribed, published), false));
            }
        }

        Soon.until(() -> on("lower/", client).size() >= expected.size());
        Sentinel sentinel = Sentinel.publish(client, "lower/" + library + "/" + path + "/2", 2);
        assertThat(on("lower/", sentinel.othersOf(client))).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Conformance(
            value = {"MQTT-3.3.4-9", "MQTT-4.3.3-10", "MQTT-4.6.0-5", "MQTT-4.6.0-6"},
            mqtt311 = "MQTT-4.6.0-6")
    @ParameterizedTest
    @EnumSource
    void qos2MessagesArriveOnceAndInOrderThroughASmallWindow(Library library) throws Exception {
        String topic = "thousand/" + library;
        try (LibraryClient subscriber = library.client(broker.mqttPort(), Library.newClientId())) {
            subscriber.connect(Connecting.clean().withReceiveMaximum(3));
            subscriber.subscribe(topic, 2);

            publishNumbers(client(library, DeliveryPath.DIRECT), topic, 0, 1_000, 2);
            Sentinel sentinel = Sentinel.publish(client(library, DeliveryPath.DIRECT), topic, 2);

            assertThat(sentinel.otherPayloadsOf(subscriber)).isEqualTo(numbers(1_000));
        }
    }

    @Conformance(
            value = {"MQTT-4.6.0-5", "MQTT-4.6.0-6"},
            mqtt311 = "MQTT-4.6.0-6")
    @OnEachPersistentPath
    void qos2MessagesArriveOnceAndInOrderThroughTheStores(Library library, DeliveryPath path) throws Exception {
        String topic = "stream/" + library + "/" + path;
        LibraryClient subscriber = client(library, path);
        subscriber.subscribe(topic, 2);

        publishNumbers(client(library, DeliveryPath.DIRECT), topic, 0, 100, 2);
        Sentinel sentinel = Sentinel.publish(client(library, DeliveryPath.DIRECT), topic, 2);

        assertThat(on(topic, sentinel.othersOf(subscriber)))
                .extracting(ReceivedMessage::payload)
                .isEqualTo(numbers(100));
    }

    @Conformance(value = "MQTT-3.3.4-2", mqtt311 = "MQTT-3.3.5-1")
    @OnEachPath
    void overlappingSubscriptionsDeliverOneCopyAtTheHigherQos(Library library, DeliveryPath path) throws Exception {
        String topics = "overlap/" + library + "/" + path + "/";
        LibraryClient client = client(library, path);
        client.subscribe(topics + "#", 0);
        client.subscribe(topics + "+", 1);
        List<ReceivedMessage> expected = new ArrayList<>();

        for (int qos = 0; qos <= 2; qos++) {
            client.publish(topics + "both", "both" + qos, qos);
            expected.add(new ReceivedMessage(topics + "both", "both" + qos, Math.min(qos, 1), false));
            client.publish(topics + "one/of/them", "one" + qos, qos);
            expected.add(new ReceivedMessage(topics + "one/of/them", "one" + qos, 0, false));
        }
        // Follows all messages and any second copy.
        client.publish(topics + "end", "end", 1);
        expected.add(new ReceivedMessage(topics + "end", "end", 1, false));

        Soon.until(() -> on(topics, client).contains(expected.getLast()));
        assertThat(on(topics, client)).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Conformance({"MQTT-3.3.4-3", "MQTT-3.3.4-4"})
    @ParameterizedTest
    @EnumSource
    void oneCopyCarriesTheIdentifiersOfAllMatchingSubscriptions(DeliveryPath path) throws Exception {
        String topics = "identified/" + path + "/";
        LibraryClient publisher = client(Library.HIVEMQ_311, path);
        try (Paho5Client subscriber = new Paho5Client(broker.mqttPort(), path.newClientId())) {
            subscriber.connect(path.connecting());
            subscriber.subscribe(topics + "#", 1, 7);
            subscriber.subscribe(topics + "+", 0, 70_000);

            publisher.publish(topics + "a", "both", 1);
            publisher.publish(topics + "a/b", "one", 1);
            Sentinel sentinel = Sentinel.publish(publisher, topics + "a/b", 1);

            assertThat(sentinel.otherPayloadsOf(subscriber)).containsExactly("both", "one");
            assertThat(subscriber.identifiers().get(0)).containsExactlyInAnyOrder(7, 70_000);
            assertThat(subscriber.identifiers().get(1)).containsExactly(7);
        }
    }

    @Conformance(
            value = {"MQTT-3.1.2-5", "MQTT-3.1.2-23", "MQTT-4.5.0-1"},
            mqtt311 = "MQTT-3.1.2-4")
    @OnEachPersistentPath
    void messagesAreQueuedWhileAPersistentClientIsAway(Library library, DeliveryPath path) throws Exception {
        String topics = "away/" + library + "/" + path + "/";
        String clientId = path.newClientId();
        double disconnected = broker.dropped("disconnected");
        LibraryClient publisher = client(Library.HIVEMQ_5, DeliveryPath.DIRECT);
        try (LibraryClient subscriber = library.client(broker.mqttPort(), clientId)) {
            assertThat(subscriber.connect(Connecting.persistently())).isFalse();
            subscriber.subscribe(topics + "+", 2);
            subscriber.disconnect();
            Soon.until(() -> !broker.isConnected(clientId));

            List<ReceivedMessage> expected = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                int qos = i % 3;
                publisher.publish(topics + i, "m" + i, qos);
                if (qos > 0) {
                    expected.add(new ReceivedMessage(topics + i, "m" + i, qos, false));
                }
            }
            Soon.until(() -> broker.dropped("disconnected") == disconnected + 7);
            subscriber.connect(Connecting.persistently());
            publisher.publish(topics + "end", "end", 1);
            expected.add(new ReceivedMessage(topics + "end", "end", 1, false));

            Soon.until(() -> subscriber.received().size() >= expected.size());
            List<ReceivedMessage> received =
                    Sentinel.publish(publisher, topics + "end", 2).othersOf(subscriber);
            // Paho delivers a QoS 2 message at PUBREL, after later messages of QoS 1.
            for (int qos = 1; qos <= 2; qos++) {
                assertThat(ofQos(qos, received)).isEqualTo(ofQos(qos, expected));
            }
        }
    }

    @Conformance(
            value = {"MQTT-4.3.3-3", "MQTT-4.3.3-5", "MQTT-4.4.0-1", "MQTT-4.6.0-5"},
            mqtt311 = "MQTT-4.4.0-1")
    @ParameterizedTest
    @MethodSource("exactlyOnceLibrariesOnPersistentPaths")
    void qos2MessagesArriveOnceAndInOrderWhenTheSubscribersConnectionBreaks(Library library, DeliveryPath path)
            throws Exception {
        String topic = "breaking/" + library + "/" + path;
        LibraryClient publisher = client(Library.HIVEMQ_311, DeliveryPath.DIRECT);
        try (Relay relay = Relay.open();
                LibraryClient subscriber = library.client(relay.port(), path.newClientId())) {
            relay.forwardTo(broker.mqttPort());
            subscriber.connect(Connecting.persistently());
            subscriber.subscribe(topic, 2);

            int published = 0;
            for (int breaks = 0; breaks < 2; breaks++) {
                publishNumbers(publisher, topic, published, published + 40, 2);
                published += 40;
                relay.cut();
                Soon.until(() -> !subscriber.isConnected());
                publishNumbers(publisher, topic, published, published + 20, 2);
                published += 20;
                relay.restore();
                subscriber.connect(Connecting.persistently());
            }

            Sentinel sentinel = Sentinel.publish(publisher, topic, 2);
            assertThat(sentinel.otherPayloadsOf(subscriber)).isEqualTo(numbers(published));
        }
    }

    private static List<ReceivedMessage> ofQos(int qos, List<ReceivedMessage> messages) {
        return messages.stream().filter(message -> message.qos() == qos).toList();
    }

    private static void publishNumbers(LibraryClient publisher, String topic, int from, int to, int qos)
            throws Exception {
        for (int i = from; i < to; i++) {
            publisher.publish(topic, Integer.toString(i), qos);
        }
    }

    private static List<String> numbers(int count) {
        return IntStream.range(0, count).mapToObj(Integer::toString).toList();
    }
}
