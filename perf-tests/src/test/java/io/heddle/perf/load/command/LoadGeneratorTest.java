package io.heddle.perf.load.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.perf.load.command.BrokerMisbehaviour.Delivery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The generator against a broker with or without a fault. */
@Tag("ci")
final class LoadGeneratorTest {
    private static final String[] SMALL_FAN_OUT = {"fan-out", "--publishers", "2", "--subscribers", "3"};

    private static Invocation fanOut(BrokerMisbehaviour misbehaviour, String... further) throws IOException {
        String[] arguments = new String[SMALL_FAN_OUT.length + further.length];
        System.arraycopy(SMALL_FAN_OUT, 0, arguments, 0, SMALL_FAN_OUT.length);
        System.arraycopy(further, 0, arguments, SMALL_FAN_OUT.length, further.length);
        try (SmallBroker broker = new SmallBroker(misbehaviour)) {
            return Invocation.at(broker.port(), arguments);
        }
    }

    private static void assertAllIsWell(Invocation invocation, int recipients) {
        assertThat(invocation.status()).as(invocation.toString()).isZero();
        assertThat(invocation.total("published")).isPositive();
        assertThat(invocation.total("delivered")).isEqualTo(recipients * invocation.total("published"));
        assertThat(invocation.total("lost")).isZero();
    }

    @ParameterizedTest
    @CsvSource({"3.1.1, 0", "3.1.1, 1", "3.1.1, 2", "5.0, 0", "5.0, 1", "5.0, 2"})
    void everyMessageReachesEachSubscriberOnce(String version, String qos) throws IOException {
        assertAllIsWell(fanOut(BrokerMisbehaviour.NONE, "--mqtt", version, "--qos", qos), 3);
        assertAllIsWell(fanOut(BrokerMisbehaviour.NONE, "--mqtt", version, "--qos", qos, "--rate", "500"), 3);
    }

    @Test
    void subscribersAcknowledgeEachMessage() throws IOException {
        for (String qos : new String[] {"1", "2"}) {
            try (SmallBroker broker = new SmallBroker(BrokerMisbehaviour.NONE)) {
                Invocation invocation = Invocation.at(broker.port(), "point-to-point", "--pairs", "3", "--qos", qos);
                assertAllIsWell(invocation, 1);
                assertThat((long) broker.subscriberAcknowledgements.get()).isEqualTo(invocation.total("delivered"));
            }
        }
    }

    @Test
    void eachPairHasItsOwnTopic() throws IOException {
        try (SmallBroker broker = new SmallBroker(BrokerMisbehaviour.NONE)) {
            assertAllIsWell(Invocation.at(broker.port(), "point-to-point", "--pairs", "2"), 1);
            // Over two connections, in any order.
            assertThat(broker.subscribes).containsExactlyInAnyOrder("continent/country/0/+", "continent/country/1/+");
        }
    }

    @Test
    void publishersAreDistributedAmongSubscribers() throws IOException {
        try (SmallBroker broker = new SmallBroker(BrokerMisbehaviour.NONE)) {
            assertAllIsWell(
                    Invocation.at(broker.port(), "fan-in", "--publishers", "6", "--subscribers", "2", "--qos", "1"), 1);
        }
    }

    @Test
    void largePayloadsArrive() throws IOException {
        assertAllIsWell(fanOut(BrokerMisbehaviour.NONE, "--payload", "150000", "--qos", "1"), 3);
    }

    @Test
    void unacknowledgedMessagesCanBeFewerThanTheWindow() throws IOException {
        assertAllIsWell(fanOut(BrokerMisbehaviour.NONE, "--window", "16", "--unacknowledged", "1", "--qos", "2"), 3);
    }

    @Test
    void fixedRateIsKept() throws IOException {
        Invocation invocation = fanOut(BrokerMisbehaviour.NONE, "--rate", "200", "--duration", "500ms");
        assertAllIsWell(invocation, 3);
        // 20 ms + 2 × 500 ms at 200/s; a slow machine takes longer, but does not send faster.
        assertThat(invocation.total("published")).isBetween(200L, 400L);
    }

    @Test
    void lostQos1MessagesFail() throws IOException {
        Invocation invocation =
                fanOut(BrokerMisbehaviour.delivering(10, Delivery.NEVER), "--qos", "1", "--give-up", "100ms");
        assertThat(invocation.status()).isEqualTo(1);
        assertThat(invocation.total("lost")).isPositive();
        assertThat(invocation.total("delivered") + invocation.total("lost"))
                .isEqualTo(3 * invocation.total("published"));
        assertThat(invocation.out()).contains("FAILED: " + invocation.total("lost") + " deliveries were lost");
    }

    @Test
    void lostQos0MessagesFailOnlyWhenForbidden() throws IOException {
        BrokerMisbehaviour losing = BrokerMisbehaviour.delivering(10, Delivery.NEVER);
        Invocation allowed = fanOut(losing, "--give-up", "50ms", "--duration", "300ms");
        assertThat(allowed.total("lost")).isPositive();
        assertThat(allowed.total("given up")).isPositive();
        assertThat(allowed.status()).isZero();
        assertThat(fanOut(losing, "--give-up", "100ms", "--forbid-loss").status())
                .isEqualTo(1);
    }

    @Test
    void duplicatedMessagesFail() throws IOException {
        for (String qos : new String[] {"0", "2"}) {
            Invocation invocation = fanOut(BrokerMisbehaviour.delivering(10, Delivery.TWICE), "--qos", qos);
            assertThat(invocation.status()).isEqualTo(1);
            assertThat(invocation.total("duplicated")).isPositive();
            assertThat(invocation.total("lost")).isZero();
        }
    }

    @Test
    void duplicatedQos1MessagesFailOnlyInMqtt5() throws IOException {
        BrokerMisbehaviour repeating = BrokerMisbehaviour.delivering(10, Delivery.TWICE);
        assertThat(fanOut(repeating, "--qos", "1", "--mqtt", "5.0").status()).isEqualTo(1);
        Invocation allowed = fanOut(repeating, "--qos", "1", "--mqtt", "3.1.1");
        assertThat(allowed.status()).isZero();
        assertThat(allowed.total("duplicated")).isPositive();
    }

    @Test
    void reorderedMessagesFail() throws IOException {
        Invocation invocation = fanOut(BrokerMisbehaviour.delivering(11, Delivery.LATE), "--give-up", "200ms");
        assertThat(invocation.status()).isEqualTo(1);
        assertThat(invocation.total("reordered")).isPositive();
        assertThat(invocation.total("duplicated")).isZero();
    }

    @Test
    void strayMessagesFail() throws IOException {
        Invocation invocation = fanOut(BrokerMisbehaviour.delivering(10, Delivery.FORGED), "--give-up", "100ms");
        assertThat(invocation.status()).isEqualTo(1);
        assertThat(invocation.total("strays")).isPositive();
    }

    @Test
    void payloadsOfAWrongSizeAreForeignAndTheirMessagesLost() throws IOException {
        Invocation invocation =
                fanOut(BrokerMisbehaviour.delivering(10, Delivery.CUT), "--give-up", "2s", "--forbid-loss");
        assertThat(invocation.status()).isEqualTo(1);
        assertThat(invocation.total("foreign"))
                .isEqualTo(invocation.total("lost"))
                .isPositive();
    }

    @Test
    void unacknowledgedMessagesFail() throws IOException {
        Invocation invocation =
                fanOut(BrokerMisbehaviour.acknowledging(BrokerMisbehaviour.SILENT), "--qos", "1", "--give-up", "100ms");
        assertThat(invocation.status()).isEqualTo(1);
        assertThat(invocation.total("unacknowledged")).isEqualTo(invocation.total("published"));
    }

    @Test
    void refusedMessagesFail() throws IOException {
        for (String qos : new String[] {"1", "2"}) {
            Invocation invocation = fanOut(BrokerMisbehaviour.acknowledging(0x97), "--qos", qos, "--mqtt", "5.0");
            assertThat(invocation.status()).isEqualTo(1);
            assertThat(invocation.total("refused")).isEqualTo(invocation.total("published"));
        }
    }

    @Test
    void brokenConnectionsEndTheLoadAndFail() throws IOException {
        Invocation invocation = fanOut(BrokerMisbehaviour.closingAfter(3), "--duration", "1m");
        assertThat(invocation.status()).isEqualTo(1);
        assertThat(invocation.total("broken connections")).isEqualTo(2);
        assertThat(invocation.out()).contains("FAILED: 2 connections broke: the broker closed it");
    }

    @Test
    void aRefusedConnectFailsWithItsCode() throws IOException {
        assertThat(fanOut(BrokerMisbehaviour.refusing(5)).err())
                .contains("FAILED: A connection broke before it was ready (0 of 3 were): CONNECT of client load-sub-")
                .contains("was refused with return code 5");
        Invocation five = fanOut(BrokerMisbehaviour.refusing(0x87), "--mqtt", "5.0");
        assertThat(five.status()).isEqualTo(1);
        assertThat(five.err()).contains("was refused with reason code 0x87");
    }

    @Test
    void otherQosThanRequestedFails() throws IOException {
        Invocation invocation = fanOut(BrokerMisbehaviour.granting(0), "--qos", "1");
        assertThat(invocation.status()).isEqualTo(1);
        assertThat(invocation.err()).contains("SUBSCRIBE to country/city/# with QoS 1 was granted QoS 0");
    }

    @Test
    void refusedConnectionFailsWithTheRemedy() throws IOException {
        int port;
        try (SmallBroker broker = new SmallBroker(BrokerMisbehaviour.NONE)) {
            port = broker.port();
        }
        Invocation invocation = Invocation.at(port, SMALL_FAN_OUT);
        assertThat(invocation.status()).isEqualTo(1);
        assertThat(invocation.err())
                .contains("no connection to 127.0.0.1:" + port)
                .contains("--port");
    }

    @Test
    void filtersWithoutMatchesFail() throws IOException {
        Invocation invocation = fanOut(BrokerMisbehaviour.NONE, "--filter", "elsewhere", "--give-up", "100ms");
        assertThat(invocation.status()).isEqualTo(1);
        assertThat(invocation.out()).contains("nothing was delivered");
    }

    @Test
    void persistentSessionsAreEndedBeforeAndAfterTheLoad() throws IOException {
        try (SmallBroker broker = new SmallBroker(BrokerMisbehaviour.NONE)) {
            assertAllIsWell(
                    Invocation.at(broker.port(), "point-to-point", "--pairs", "1", "--persistent", "all", "--qos", "1"),
                    1);
            // The steps are in order; the connections within a step are not.
            List<String> connects = List.copyOf(broker.connects);
            assertThat(connects).hasSize(6);
            assertThat(connects.subList(0, 2))
                    .containsExactlyInAnyOrder("load-sub-0 clean keep alive 60", "load-pub-0 clean keep alive 60");
            assertThat(connects.subList(2, 4))
                    .containsExactlyInAnyOrder(
                            "load-sub-0 persistent keep alive 60", "load-pub-0 persistent keep alive 60");
            assertThat(connects.subList(4, 6))
                    .containsExactlyInAnyOrder("load-sub-0 clean keep alive 60", "load-pub-0 clean keep alive 60");
        }
    }

    @Test
    void clientsSendTheirIdentities() throws IOException {
        try (SmallBroker broker = new SmallBroker(BrokerMisbehaviour.NONE)) {
            Invocation invocation = Invocation.at(
                    broker.port(),
                    "point-to-point",
                    "--pairs",
                    "1",
                    "--client-id-prefix",
                    "x",
                    "--username",
                    "u",
                    "--password",
                    "p",
                    "--subscriber-username",
                    "s",
                    "--keep-alive",
                    "0s");
            assertAllIsWell(invocation, 1);
            assertThat(broker.connects)
                    .containsExactlyInAnyOrder("x-sub-0 clean keep alive 0 s", "x-pub-0 clean keep alive 0 u:p");
        }
    }

    @Test
    void idleConnectionsAreCountedAndPinged() throws IOException {
        try (SmallBroker broker = new SmallBroker(BrokerMisbehaviour.NONE)) {
            Invocation invocation = Invocation.at(
                    broker.port(),
                    "idle",
                    "--connections",
                    "20",
                    "--warm-up",
                    "0s",
                    "--duration",
                    "1s",
                    "--runs",
                    "1",
                    "--keep-alive",
                    "1s",
                    "--pid",
                    "own=" + ProcessHandle.current().pid());
            assertThat(invocation.status()).as(invocation.toString()).isZero();
            // Twenty first connections, twenty for the memory, twenty in the run.
            assertThat(invocation.total("connected")).isEqualTo(60);
            assertThat(broker.pings.get()).isGreaterThanOrEqualTo(40);
            assertThat(broker.disconnects.get()).isEqualTo(60);
            assertThat(invocation.out())
                    .contains("cpu own [µs/connect]", "cpu generator, its thread [µs/connect]", "handshake p99 [ms]")
                    .contains("resident own [bytes/connection]");
        }
    }

    @Test
    void missingPingRespBreaksTheConnection() throws IOException {
        try (SmallBroker broker = new SmallBroker(BrokerMisbehaviour.ignoringPings())) {
            Invocation invocation = Invocation.at(
                    broker.port(), "idle", "--connections", "2", "--duration", "9s", "--keep-alive", "1s");
            assertThat(invocation.status()).isEqualTo(1);
            assertThat(invocation.out()).contains("FAILED: ").contains("no PINGRESP within");
        }
    }

    @Test
    void resultIsWrittenAsJson(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("result.json");
        assertAllIsWell(fanOut(BrokerMisbehaviour.NONE, "--json", file.toString()), 3);
        assertThat(Files.readString(file))
                .contains("\"passed\" : true", "\"latency p99 [ms]\"", "\"cpu generator, its thread [µs/delivery]\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "fan-out --publishers 0",
                "fan-out --payload 23",
                "fan-out --qos 3",
                "fan-out --window 0",
                "fan-out --runs 0",
                "fan-out --port 0",
                "fan-out --unacknowledged 0",
                "fan-out --password x",
                "fan-out --pid broker=999999999",
                "fan-out --host no.such.host.invalid",
                "point-to-point --pairs 0",
                "fan-in --publishers 3 --subscribers 2",
                "idle --connections 0",
                "replace-retained --publishers 2 --topics 1",
                "replace-retained --unacknowledged 0"
            })
    void invalidLoadIsRejectedInOneSentence(String arguments) {
        Invocation invocation = Invocation.of(arguments.split(" ", -1));
        assertThat(invocation.status()).isEqualTo(1);
        assertThat(invocation.err().lines().toList()).singleElement().asString().startsWith("FAILED: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "fan-out --warm-up 5", "fan-out --mqtt 4", "fan-out --persistent some", "xyz"})
    void wrongCommandLineShowsTheUsage(String arguments) {
        Invocation invocation = arguments.isEmpty() ? Invocation.of() : Invocation.of(arguments.split(" ", -1));
        assertThat(invocation.status()).isEqualTo(2);
        assertThat(invocation.err()).contains("Usage: load");
    }

    @Test
    void helpListsThePresets() {
        assertThat(Invocation.of("--help").out()).contains("B-paced = point-to-point --pairs 500");
    }

    @Test
    void presetsAreValidCommandsWhoseOptionsCanBeReplaced() {
        for (Preset preset : Preset.values()) {
            // A process that does not exist is an error before any connection.
            Invocation invocation = Invocation.of(preset.word(), "--pid", "none=999999999", "--runs", "1");
            assertThat(invocation.err()).contains("FAILED: Process 999999999 cannot be measured");
        }
        assertThat(Preset.expand(new String[] {"D", "--connections", "5"}))
                .containsExactly("idle", "--connections", "10000", "--connections", "5");
    }

    @Test
    void optionAfterAPresetReplacesThatOfThePreset() throws IOException {
        try (SmallBroker broker = new SmallBroker(BrokerMisbehaviour.NONE)) {
            Invocation invocation = Invocation.at(broker.port(), "A", "--subscribers", "2", "--publishers", "1");
            assertAllIsWell(invocation, 2);
            assertThat(invocation.out()).startsWith("fan-out: 1 publishers, 2 subscribers, 66 bytes, QoS 0, window 4");
        }
    }
}
