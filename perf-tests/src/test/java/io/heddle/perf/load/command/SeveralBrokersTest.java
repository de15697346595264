package io.heddle.perf.load.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The generator against a cluster of three brokers. */
final class SeveralBrokersTest {
    private final List<SmallBroker> brokers = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        for (int i = 0; i < 3; i++) {
            brokers.add(new SmallBroker(BrokerMisbehaviour.NONE));
        }
    }

    @AfterEach
    void close() {
        brokers.forEach(SmallBroker::close);
    }

    private void cluster() {
        SmallBroker.cluster(brokers.toArray(SmallBroker[]::new));
    }

    private Invocation load(String... command) {
        String ports = brokers.get(0).port() + "," + brokers.get(1).port() + ","
                + brokers.get(2).port();
        List<String> arguments = new ArrayList<>(List.of(command));
        arguments.addAll(List.of("--warm-up", "20ms", "--duration", "50ms", "--runs", "1", "--port", ports));
        return Invocation.of(arguments.toArray(String[]::new));
    }

    private static void assertAllIsWell(Invocation invocation, int recipients) {
        assertThat(invocation.status()).as(invocation.toString()).isZero();
        assertThat(invocation.total("delivered"))
                .isEqualTo(recipients * invocation.total("published"))
                .isPositive();
    }

    @Test
    void eachBrokerHasItsShareOfTheClientsAndAllMessagesArrive() {
        cluster();
        assertAllIsWell(load("fan-out", "--publishers", "3", "--subscribers", "6", "--qos", "1"), 6);
        for (SmallBroker broker : brokers) {
            assertThat(broker.subscribes).containsExactly("country/city/#", "country/city/#");
            assertThat(broker.connects)
                    .filteredOn(each -> each.startsWith("load-pub-"))
                    .hasSize(1);
        }
    }

    @Test
    void togetherNoMessageNeedsAnotherBroker() {
        assertAllIsWell(load("point-to-point", "--pairs", "6", "--spread", "together"), 1);
        assertThat(brokers).allSatisfy(broker -> assertThat(broker.subscribes).hasSize(2));
    }

    @Test
    void apartEveryMessageNeedsAnotherBroker() {
        Invocation alone = load("point-to-point", "--pairs", "6", "--spread", "apart", "--give-up", "50ms");
        assertThat(alone.total("delivered")).isZero();
        cluster();
        assertAllIsWell(load("point-to-point", "--pairs", "6", "--spread", "apart"), 1);
    }

    @Test
    void persistentSessionsAreEndedAtTheBrokersOfTheirClients() {
        cluster();
        assertAllIsWell(load("point-to-point", "--pairs", "9", "--persistent", "all", "--qos", "1"), 1);
        for (SmallBroker broker : brokers) {
            assertThat(broker.connects).hasSize(18);
            List<String> clients = broker.connects.stream()
                    .map(each -> each.substring(0, each.indexOf(' ')))
                    .toList();
            assertThat(clients)
                    .allSatisfy(client ->
                            assertThat(clients).filteredOn(client::equals).hasSize(3));
        }
    }

    @Test
    void idleConnectionsAreSpread() {
        assertThat(load("idle", "--connections", "30").status()).isZero();
        assertThat(brokers)
                .allSatisfy(broker -> assertThat(Set.copyOf(broker.connects)).hasSize(10));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"fan-out --port 1883,0", "fan-out --port 1883 --spread apart", "flood subscribe --port 1,2"})
    void invalidBrokersAreRejectedInOneSentence(String arguments) {
        Invocation invocation = Invocation.of(arguments.split(" ", -1));
        assertThat(invocation.status()).isEqualTo(1);
        assertThat(invocation.err().lines().toList()).singleElement().asString().startsWith("FAILED: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"fan-out --spread far", "fan-out --port 1883,x"})
    void wrongCommandLineShowsTheUsage(String arguments) {
        Invocation invocation = Invocation.of(arguments.split(" ", -1));
        assertThat(invocation.status()).isEqualTo(2);
        assertThat(invocation.err()).contains("Usage: load");
    }
}
