package io.heddle.perf.load.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.perf.load.accounting.Groups;
import io.heddle.perf.load.traffic.BrokerAccess.Client;
import io.heddle.perf.load.traffic.BrokerAccess.ClientKind;
import io.heddle.perf.load.traffic.Brokers.Spread;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which broker a client connects to. */
final class BrokersTest {
    private static final Groups FAN_OUT = new Groups(1, 10, 100);
    private static final Groups PAIRS = new Groups(500, 1, 1);

    private static Brokers brokers(int count, Spread spread) {
        List<InetSocketAddress> addresses = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            addresses.add(InetSocketAddress.createUnresolved("h", i));
        }
        return new Brokers(addresses, spread);
    }

    private static List<Integer> publishers(Groups groups, Brokers brokers) {
        return IntStream.range(0, groups.publishers())
                .map(number -> brokers.of(new Client(ClientKind.PUBLISHER, number, groups.groupOfPublisher(number)))
                        .getPort())
                .boxed()
                .toList();
    }

    private static List<Integer> subscribers(Groups groups, Brokers brokers) {
        return IntStream.range(0, groups.subscribers())
                .map(number -> brokers.of(new Client(ClientKind.SUBSCRIBER, number, groups.groupOfSubscriber(number)))
                        .getPort())
                .boxed()
                .toList();
    }

    private static long pairsAtOneBroker(Brokers brokers) {
        List<Integer> publishers = publishers(PAIRS, brokers);
        List<Integer> subscribers = subscribers(PAIRS, brokers);
        return IntStream.range(0, PAIRS.count())
                .filter(pair -> publishers.get(pair).equals(subscribers.get(pair)))
                .count();
    }

    @ParameterizedTest
    @EnumSource(Spread.class)
    void aSingleBrokerHasAllClients(Spread spread) {
        assertThat(subscribers(PAIRS, brokers(1, spread))).containsOnly(0);
    }

    @Test
    void eachBrokerGetsTheSameNumberOfClientsAtRandom() {
        Brokers three = brokers(3, Spread.RANDOM);
        assertThat(publishers(FAN_OUT, three)).contains(0, 1, 2);
        for (int broker = 0; broker < 3; broker++) {
            int of = broker;
            assertThat(publishers(FAN_OUT, three))
                    .filteredOn(each -> each == of)
                    .hasSizeBetween(3, 4);
            assertThat(subscribers(FAN_OUT, three))
                    .filteredOn(each -> each == of)
                    .hasSizeBetween(33, 34);
        }
        assertThat(pairsAtOneBroker(three)).isBetween(130L, 200L);
        assertThat(pairsAtOneBroker(brokers(2, Spread.RANDOM))).isBetween(215L, 285L);
    }

    @Test
    void theBrokerOfAClientIsTheSameInAllInvocations() {
        assertThat(publishers(FAN_OUT, brokers(3, Spread.RANDOM)))
                .isEqualTo(publishers(FAN_OUT, brokers(3, Spread.RANDOM)))
                .hasSize(10);
    }

    @Test
    void togetherAGroupHasOneBrokerAndTheGroupsTakeTurns() {
        Brokers three = brokers(3, Spread.TOGETHER);
        assertThat(publishers(PAIRS, three)).startsWith(0, 1, 2, 0).isEqualTo(subscribers(PAIRS, three));
        assertThat(publishers(FAN_OUT, three)).containsOnly(0);
        assertThat(subscribers(FAN_OUT, three)).containsOnly(0);
    }

    @Test
    void apartTheSubscribersHaveTheNextBroker() {
        Brokers three = brokers(3, Spread.APART);
        assertThat(publishers(PAIRS, three)).startsWith(0, 1, 2, 0);
        assertThat(subscribers(PAIRS, three)).startsWith(1, 2, 0, 1);
        assertThat(pairsAtOneBroker(three)).isZero();
        assertThat(publishers(FAN_OUT, three)).containsOnly(0);
        assertThat(subscribers(FAN_OUT, three)).containsOnly(1);
    }

    @Test
    void theTextNamesAllBrokers() {
        assertThat(brokers(2, Spread.RANDOM)).hasToString("h:0, h:1");
    }
}
