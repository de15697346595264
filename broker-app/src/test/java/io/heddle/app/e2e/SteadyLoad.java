package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Traffic that goes on while brokers and servers fail, and its ledger: a DEVICE and an APPLICATION client publish at QoS 1 and 2, two
 * sessions of each type receive, one connected and one away, and further clients have wills. One test thread.
 */
final class SteadyLoad implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SteadyLoad.class);
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final String topic = "steady/" + Library.newClientId();
    private final IntSupplier port;
    private final List<SteadyPublisher> publishers;
    private final List<SteadySubscriber> connected = new ArrayList<>();
    private final List<SteadySubscriber> away = new ArrayList<>();
    private final List<RawClient> withWills = new ArrayList<>();
    private final Set<String> expectedWills = new HashSet<>();

    private SteadyLoad(int perSecond, IntSupplier port) {
        this.port = port;
        this.publishers = DeliveryPath.persistent()
                .map(path -> new SteadyPublisher(path, topic + "/messages", perSecond, port))
                .toList();
    }

    /**
     * Subscribes, then begins to publish.
     *
     * @param perSecond the most messages of each publisher
     * @param port of the broker that serves
     */
    static SteadyLoad begin(int perSecond, IntSupplier port) {
        SteadyLoad load = new SteadyLoad(perSecond, port);
        DeliveryPath.persistent().forEach(path -> {
            load.connected.add(load.subscribed(path));
            load.away.add(load.subscribed(path));
        });
        load.connected.forEach(each -> each.client().start());
        load.publishers.forEach(each -> each.client().start());
        return load;
    }

    private SteadySubscriber subscribed(DeliveryPath path) {
        RawConnect connect = SteadyClient.persistent(path);
        connect.open(port.getAsInt()).subscribe(topic + "/#", 2).leave();
        return new SteadySubscriber(connect, port);
    }

    /** Connects a client of each type with a will that must not be published while the clients are connected. */
    void connectClientsWithWills(String prefix) {
        DeliveryPath.persistent()
                .forEach(path -> withWills.add(SteadyClient.persistent(path)
                        .will(topic + "/will", prefix + "-" + path, 0)
                        .open(port.getAsInt())));
    }

    /** Expects the wills of {@link #connectClientsWithWills} from now on. */
    void expectWills(String prefix) {
        DeliveryPath.persistent().forEach(path -> expectedWills.add(prefix + "-" + path));
    }

    /** Returns when the broker has acknowledged this many further messages of each publisher. */
    void awaitAcknowledged(int further) {
        List<Integer> counts = publishers.stream()
                .map(each -> each.acknowledgedCount() + further)
                .toList();
        Soon.until(PATIENCE, () -> {
            requireHealthy();
            for (int i = 0; i < counts.size(); i++) {
                if (publishers.get(i).acknowledgedCount() < counts.get(i)) {
                    return false;
                }
            }
            return true;
        });
    }

    private Stream<SteadyClient> clients() {
        return Stream.concat(
                publishers.stream().map(SteadyPublisher::client),
                connected.stream().map(SteadySubscriber::client));
    }

    private void requireHealthy() throws Exception {
        for (SteadyClient client : clients().toList()) {
            client.requireHealthy();
        }
    }

    /** Asserts that the broker has closed no connection. */
    void assertNoConnectionLost() {
        assertThat(clients().flatMap(client -> client.lostConnections().stream()))
                .as("connections that the broker has closed")
                .isEmpty();
        for (RawClient client : withWills) {
            assertThat(client.packetsUntilPing()).isEmpty();
        }
    }

    /** The publishers publish nothing more. */
    void stopPublishing() {
        publishers.forEach(SteadyPublisher::stop);
    }

    /** Ends the traffic and asserts that nothing was lost, and that QoS 2 messages and wills came exactly once. */
    void finish() throws Exception {
        stopPublishing();
        for (SteadyPublisher publisher : publishers) {
            publisher.client().awaitDone();
        }
        Soon.until(() -> connected.stream().allMatch(each -> each.received().containsAll(expectedWills)));
        try (RawClient last = new RawConnect(Library.newClientId()).open(port.getAsInt())) {
            last.publish(topic + "/messages", SteadySubscriber.END, 1, 1, false);
            assertThat(last.packet()).isEqualTo("PUBACK 1");
        }
        away.forEach(each -> each.client().start());
        for (SteadySubscriber subscriber :
                Stream.concat(connected.stream(), away.stream()).toList()) {
            subscriber.client().awaitDone();
            assertReceived(subscriber);
        }
        for (SteadyPublisher publisher : publishers) {
            log.info(
                    "Published {} messages; lost connections {}; pauses {}",
                    publisher.acknowledgedCount(),
                    publisher.client().lostConnections(),
                    publisher.pauses());
        }
    }

    /**
     * Ends loads during which brokers were drained, as {@link #finish} does, and asserts that each client was connected again in time. Logs
     * the times without a connection and without an answer.
     */
    static void finishAll(List<SteadyLoad> loads, Duration longestAbsence) throws Exception {
        loads.forEach(SteadyLoad::stopPublishing);
        for (SteadyLoad load : loads) {
            load.finish();
            log.info(
                    "Connections ended by the drains: {}; longest time without a connection of each client: {};"
                            + " longest time without an answer of each publisher: {}",
                    load.lostConnections(),
                    load.longestAbsences(),
                    load.longestPauses());
        }
        assertThat(loads)
                .allSatisfy(load -> assertThat(load.longestAbsences())
                        .allSatisfy(absence -> assertThat(absence).isLessThan(longestAbsence)));
        assertThat(loads.stream().mapToInt(SteadyLoad::lostConnections).sum()).isPositive();
    }

    private void assertReceived(SteadySubscriber subscriber) {
        List<String> received = subscriber.received();
        List<String> published = publishers.stream()
                .flatMap(each -> each.acknowledged().stream())
                .toList();
        Set<String> all = new HashSet<>(published);
        all.addAll(expectedWills);
        all.add(SteadySubscriber.END);
        Set<String> missing = new HashSet<>(all);
        received.forEach(missing::remove);
        Set<String> unknown = new HashSet<>(received);
        unknown.removeAll(all);
        assertThat(missing)
                .as("messages that client %s missed", subscriber.client().clientId())
                .isEmpty();
        assertThat(unknown)
                .as(
                        "messages that client %s has received although no client has published them",
                        subscriber.client().clientId())
                .isEmpty();
        assertInOrder(subscriber);
        Set<String> once = new HashSet<>(expectedWills);
        published.stream().filter(SteadyPublisher::isExactlyOnce).forEach(once::add);
        received.stream()
                .filter(payload -> once.contains(payload) && Collections.frequency(received, payload) > 1)
                .distinct()
                .forEach(payload -> {
                    throw new AssertionError(payload + " came again to "
                            + subscriber.client().clientId() + ": " + subscriber.exchangesOf(payload));
                });
    }

    /** Asserts that the first copies of the messages of each publisher and QoS have come in the order in which they were published. */
    private void assertInOrder(SteadySubscriber subscriber) {
        List<String> first = subscriber.received().stream().distinct().toList();
        for (SteadyPublisher publisher : publishers) {
            for (boolean exactlyOnce : List.of(false, true)) {
                assertThat(publisher.published(first, exactlyOnce))
                        .as(
                                "order of the messages that client %s has received",
                                subscriber.client().clientId())
                        .isSorted();
            }
        }
    }

    /** Returns the longest pause of each publisher; zero if none was longer than half a second. */
    List<Duration> longestPauses() {
        return publishers.stream()
                .map(each -> each.pauses().stream().max(Duration::compareTo).orElse(Duration.ZERO))
                .toList();
    }

    /** Returns the longest time without a connection of each client that is to stay connected. */
    List<Duration> longestAbsences() {
        return clients().map(SteadyClient::longestAbsence).toList();
    }

    /** Returns how many connections the broker has ended. */
    int lostConnections() {
        return clients().mapToInt(client -> client.lostConnections().size()).sum();
    }

    /** Closes all clients; the wills are published if the broker still serves. */
    @Override
    public void close() {
        publishers.forEach(each -> each.client().close());
        connected.forEach(each -> each.client().close());
        away.forEach(each -> each.client().close());
        withWills.forEach(RawClient::close);
    }
}
