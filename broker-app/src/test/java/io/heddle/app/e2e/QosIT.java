package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientType;
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

/** The qualities of service between ordinary clients, on each way to them. At most 8 messages are under way to a client. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class QosIT {
    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private BrokerUnderTest broker;

    /** One of each library on each way, connected all the time. */
    private final Map<Way, Map<Library, LibraryClient>> clients = new EnumMap<>(Way.class);

    @BeforeAll
    void startBroker() throws Exception {
        broker = BrokerUnderTest.start(
                "--heddle.authentication.anonymous.enabled=true", "--heddle.session.maximum-in-flight=8", Way.SETTING);
        for (Way way : Way.values()) {
            Map<Library, LibraryClient> onWay = new EnumMap<>(Library.class);
            clients.put(way, onWay);
            for (Library library : Library.values()) {
                LibraryClient client = way.connected(library, broker.mqttPort());
                onWay.put(library, client);
                assertThat(broker.typeOf(client.clientId()))
                        .isEqualTo(way == Way.APPLICATION ? ClientType.APPLICATION : ClientType.DEVICE);
            }
        }
    }

    @AfterAll
    void stopBroker() {
        all().forEach(LibraryClient::close);
        broker.close();
    }

    private LibraryClient client(Library library, Way way) {
        return Objects.requireNonNull(Objects.requireNonNull(clients.get(way)).get(library));
    }

    private List<LibraryClient> all() {
        return clients.values().stream()
                .flatMap(onWay -> onWay.values().stream())
                .toList();
    }

    /** Paho's clients of MQTT 5.0 hand over a PUBLISH that comes again as if it were new. */
    static Stream<Arguments> exactLibrariesOnLastingWays() {
        return Way.eachLibraryLasting().filter(each -> each.get()[0] != Library.PAHO_5);
    }

    /** They tell what a packet says. */
    static Stream<Arguments> pahoOnLastingWays() {
        return Way.eachLibraryLasting()
                .filter(each -> each.get()[0] == Library.PAHO_5 || each.get()[0] == Library.PAHO_311);
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
        for (LibraryClient client : all()) {
            client.subscribe(topic, qos);
        }

        for (LibraryClient client : all()) {
            client.publish(topic, client.clientId(), qos);
            expected.add(new ReceivedMessage(topic, client.clientId(), qos, false));
        }

        for (LibraryClient client : all()) {
            Soon.until(() -> on(topic, client).size() >= expected.size());
            assertThat(on(topic, client)).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    @OnEachWay
    void theQosOfADeliveryIsTheLowerOneOfMessageAndSubscription(Library library, Way way) throws Exception {
        LibraryClient client = client(library, way);
        List<ReceivedMessage> expected = new ArrayList<>();
        for (int subscribed = 0; subscribed <= 2; subscribed++) {
            String topic = "lower/" + library + "/" + way + "/" + subscribed;
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

            publishNumbers(client(library, Way.DIRECT), topic, 0, 1_000, 2);

            Soon.until(() -> subscriber.received().size() >= 1_000);
            assertThat(subscriber.payloads()).isEqualTo(numbers(1_000));
        }
    }

    @OnEachLastingWay
    void aStreamOfQos2ArrivesOnceAndInOrderAlsoThroughTheStores(Library library, Way way) throws Exception {
        String topic = "stream/" + library + "/" + way;
        LibraryClient subscriber = client(library, way);
        subscriber.subscribe(topic, 2);

        publishNumbers(client(library, Way.DIRECT), topic, 0, 100, 2);

        Soon.until(() -> on(topic, subscriber).size() >= 100);
        assertThat(on(topic, subscriber)).extracting(ReceivedMessage::payload).isEqualTo(numbers(100));
    }

    @OnEachWay
    void ofOverlappingSubscriptionsOneCopyComesWithTheHigherQos(Library library, Way way) throws Exception {
        String topics = "overlap/" + library + "/" + way + "/";
        LibraryClient client = client(library, way);
        client.subscribe(topics + "#", 0);
        client.subscribe(topics + "+", 1);
        List<ReceivedMessage> expected = new ArrayList<>();

        for (int qos = 0; qos <= 2; qos++) {
            client.publish(topics + "both", "both" + qos, qos);
            expected.add(new ReceivedMessage(topics + "both", "both" + qos, Math.min(qos, 1), false));
            client.publish(topics + "one/of/them", "one" + qos, qos);
            expected.add(new ReceivedMessage(topics + "one/of/them", "one" + qos, 0, false));
        }
        // Behind all of them, and behind what would be a second copy.
        client.publish(topics + "end", "end", 1);
        expected.add(new ReceivedMessage(topics + "end", "end", 1, false));

        Soon.until(() -> on(topics, client).contains(expected.getLast()));
        assertThat(on(topics, client)).containsExactlyInAnyOrderElementsOf(expected);
    }

    @ParameterizedTest
    @EnumSource
    void theIdentifiersOfOverlappingSubscriptionsComeWithOneCopy(Way way) throws Exception {
        String topics = "identified/" + way + "/";
        LibraryClient publisher = client(Library.HIVEMQ_311, way);
        try (Paho5Client subscriber = new Paho5Client(broker.mqttPort(), way.newClientId())) {
            subscriber.connect(way.connecting());
            subscriber.subscribe(topics + "#", 1, 7);
            subscriber.subscribe(topics + "+", 0, 70_000);

            publisher.publish(topics + "a", "both", 1);
            publisher.publish(topics + "a/b", "one", 1);

            Soon.until(() -> subscriber.received().size() >= 2);
            assertThat(subscriber.payloads()).containsExactly("both", "one");
            assertThat(subscriber.identifiers().getFirst()).containsExactlyInAnyOrder(7, 70_000);
            assertThat(subscriber.identifiers().getLast()).containsExactly(7);
        }
    }

    @OnEachLastingWay
    void whatComesWhileAPersistentClientIsAwayWaitsForIt(Library library, Way way) throws Exception {
        String topics = "away/" + library + "/" + way + "/";
        String clientId = way.newClientId();
        double disconnected = broker.dropped("disconnected");
        LibraryClient publisher = client(Library.HIVEMQ_5, Way.DIRECT);
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

    @ParameterizedTest
    @MethodSource("pahoOnLastingWays")
    void whatIsNotAcknowledgedComesAgainWithDupAndItsPacketId(Library library, Way way) throws Exception {
        String topic = "again/" + library + "/" + way;
        LibraryClient publisher = client(Library.HIVEMQ_5, Way.DIRECT);
        try (Relay relay = Relay.open();
                PahoClient subscriber = (PahoClient) library.client(relay.port(), way.newClientId())) {
            relay.forwardTo(broker.mqttPort());
            subscriber.connect(Connecting.persistently());
            subscriber.subscribe(topic, 1);
            subscriber.acknowledgeNothing();
            publisher.publish(topic, "a", 1);
            publisher.publish(topic, "b", 1);
            Soon.until(() -> subscriber.packets().size() >= 2);
            List<String> packets = new ArrayList<>(subscriber.packets());

            relay.cut();
            Soon.until(() -> !subscriber.isConnected() && !broker.isConnected(subscriber.clientId()));
            relay.restore();
            subscriber.connect(Connecting.persistently());
            publisher.publish(topic, "c", 1);

            Soon.until(() -> subscriber.packets().size() >= 5);
            // The client of MQTT 5.0 does not tell.
            String dup = library == Library.PAHO_5 ? "" : " DUP";
            packets.add(packets.get(0) + dup);
            packets.add(packets.get(1) + dup);
            assertThat(subscriber.packets()).startsWith(packets.toArray(String[]::new));
            assertThat(subscriber.packets()).hasSize(5);
            assertThat(subscriber.packets().getLast()).startsWith("c ").doesNotContain("DUP");
        }
    }

    @ParameterizedTest
    @MethodSource("exactLibrariesOnLastingWays")
    void aStreamOfQos2ArrivesOnceAndInOrderAlthoughTheSubscribersConnectionBreaks(Library library, Way way)
            throws Exception {
        String topic = "breaking/" + library + "/" + way;
        LibraryClient publisher = client(Library.HIVEMQ_311, Way.DIRECT);
        try (Relay relay = Relay.open();
                LibraryClient subscriber = library.client(relay.port(), way.newClientId())) {
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
