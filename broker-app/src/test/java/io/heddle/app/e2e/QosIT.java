package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.standalone.testkit.Relay;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The qualities of service between ordinary clients. At most 8 messages are under way to a client. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class QosIT {
    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private BrokerUnderTest broker;

    /** One of each library, connected all the time. */
    private final Map<Library, LibraryClient> clients = new EnumMap<>(Library.class);

    @BeforeAll
    void startBroker() throws Exception {
        broker = BrokerUnderTest.start(
                "--heddle.authentication.anonymous.enabled=true", "--heddle.session.maximum-in-flight=8");
        for (Library library : Library.values()) {
            clients.put(library, library.connected(broker.mqttPort()));
        }
    }

    @AfterAll
    void stopBroker() {
        clients.values().forEach(LibraryClient::close);
        broker.close();
    }

    private LibraryClient client(Library library) {
        return Objects.requireNonNull(clients.get(library));
    }

    /** What a client has received on topics that begin so. */
    private static List<ReceivedMessage> on(String topics, LibraryClient client) {
        return client.received().stream()
                .filter(message -> message.topic().startsWith(topics))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aMessageOfEachQosGoesFromEachClientToEachClient(int qos) throws Exception {
        String topic = "each/" + qos;
        List<ReceivedMessage> expected = new ArrayList<>();
        for (LibraryClient client : clients.values()) {
            client.subscribe(topic, qos);
        }

        for (Library library : Library.values()) {
            client(library).publish(topic, library.name(), qos);
            expected.add(new ReceivedMessage(topic, library.name(), qos, false));
        }

        for (LibraryClient client : clients.values()) {
            Soon.until(() -> on(topic, client).size() >= expected.size());
            assertThat(on(topic, client)).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theQosOfADeliveryIsTheLowerOneOfMessageAndSubscription(Library library) throws Exception {
        LibraryClient client = client(library);
        List<ReceivedMessage> expected = new ArrayList<>();
        for (int subscribed = 0; subscribed <= 2; subscribed++) {
            String topic = "lower/" + library + "/" + subscribed;
            client.subscribe(topic, subscribed);
            for (int published = 0; published <= 2; published++) {
                client.publish(topic, "q" + published, published);
                expected.add(new ReceivedMessage(topic, "q" + published, Math.min(subscribed, published), false));
            }
        }

        Soon.until(() -> on("lower/", client).size() >= expected.size());
        assertThat(on("lower/", client)).containsExactlyInAnyOrderElementsOf(expected);
    }

    @ParameterizedTest
    @EnumSource
    void aThousandMessagesOfQos2ArriveOnceAndInOrderThroughASmallWindow(Library library) throws Exception {
        String topic = "thousand/" + library;
        try (LibraryClient subscriber = library.client(broker.mqttPort(), Library.newClientId())) {
            subscriber.connect(Connecting.clean().withReceiveMaximum(3));
            subscriber.subscribe(topic, 2);

            publishNumbers(client(library), topic, 0, 1_000, 2);

            Soon.until(() -> subscriber.received().size() >= 1_000);
            assertThat(subscriber.payloads()).isEqualTo(numbers(1_000));
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatComesWhileAPersistentClientIsAwayWaitsForIt(Library library) throws Exception {
        String topics = "away/" + library + "/";
        String clientId = Library.newClientId();
        double disconnected = broker.dropped("disconnected");
        LibraryClient publisher = client(Library.HIVEMQ_5);
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
            // Paho hands a QoS 2 message over when it is released, and so behind later ones of QoS 1.
            for (int qos = 1; qos <= 2; qos++) {
                assertThat(ofQos(qos, subscriber.received())).isEqualTo(ofQos(qos, expected));
            }
        }
    }

    // Paho's client of MQTT 5.0 hands over a PUBLISH that comes again as if it were new.
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "PAHO_5")
    void aStreamOfQos2ArrivesOnceAndInOrderAlthoughTheSubscribersConnectionBreaks(Library library) throws Exception {
        String topic = "breaking/" + library;
        LibraryClient publisher = client(Library.HIVEMQ_311);
        try (Relay relay = Relay.open();
                LibraryClient subscriber = library.client(relay.port(), Library.newClientId())) {
            relay.forwardTo(broker.mqttPort());
            subscriber.connect(Connecting.persistently());
            subscriber.subscribe(topic, 2);

            int published = 0;
            for (int breaks = 0; breaks < 4; breaks++) {
                publishNumbers(publisher, topic, published, published + 40, 2);
                published += 40;
                relay.cut();
                Soon.until(() -> !subscriber.isConnected());
                publishNumbers(publisher, topic, published, published + 20, 2);
                published += 20;
                relay.restore();
                subscriber.connect(Connecting.persistently());
            }

            int all = published;
            Soon.until(() -> subscriber.received().size() >= all);
            assertThat(subscriber.payloads()).isEqualTo(numbers(all));
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
