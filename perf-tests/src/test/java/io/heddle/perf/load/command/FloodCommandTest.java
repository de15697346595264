package io.heddle.perf.load.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.heddle.perf.load.command.BrokerMisbehaviour.Delivery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Short floods of a broker with or without a fault. */
@Tag("ci")
final class FloodCommandTest {
    // Waits for the replies of the broker, which has few threads.
    private static final String SMALL = "wrong-passwords --sockets 2";

    private static Invocation flood(int port, String kind, String... further) {
        List<String> arguments = new ArrayList<>(List.of("flood"));
        arguments.addAll(Arrays.asList(kind.split(" ", -1)));
        arguments.addAll(List.of("--warm-up", "0s", "--calm", "300ms", "--duration", "600ms"));
        if (!Arrays.asList(further).contains("--give-up")) {
            arguments.addAll(List.of("--give-up", "5s"));
        }
        arguments.addAll(List.of("--port", Integer.toString(port)));
        arguments.addAll(Arrays.asList(further));
        return Invocation.of(arguments.toArray(String[]::new));
    }

    private static Invocation flood(BrokerMisbehaviour misbehaviour, String kind, String... further)
            throws IOException {
        try (SmallBroker broker = new SmallBroker(misbehaviour)) {
            return flood(broker.port(), kind, further);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "absent-queues --sessions 3, PUBACKs",
        "subscribe --clients 1 --filters 3 --filter-length 50, filters granted",
        "retained-replay --messages 10 --filters 20, PUBACKs",
        "never-acknowledge --connections 2 --messages 5 --payload 1000, messages received",
        "small-packets --clients 1, packets sent",
        "small-packets --clients 1 --packet PINGREQ, packets sent",
        "wrong-passwords --sockets 2, CONNACK 0x86",
        "dying-clients --clients 2 --filters 3, cuts",
        "stalled-readers --readers 2 --publishers 1 --payload 24 --unacknowledged 1, PUBACKs",
        "fast-readers --publishers 1 --readers 2 --payload 1000, copies delivered"
    })
    void eachKindAttacksWhileOtherClientsAreMeasured(String kind, String count) throws IOException {
        Invocation invocation = flood(BrokerMisbehaviour.NONE, kind);
        assertThat(invocation.status()).as(invocation.toString()).isZero();
        assertThat(invocation.total("flood: " + count)).isPositive();
        assertThat(invocation.total("device delivered"))
                .isEqualTo(invocation.total("device sent"))
                .isPositive();
        assertThat(invocation.total("QoS 1 lost")).isZero();
        assertThat(invocation.total("connects accepted")).isPositive();
        assertThat(invocation.out())
                .startsWith("flood " + kind.split(" ", -1)[0] + ": ")
                .containsPattern(" before +during +after\n")
                .containsPattern("QoS 0 latency p99 \\[ms\\] +[0-9]")
                .containsPattern("device PUBACK max \\[ms\\] +[0-9]")
                .containsPattern("connect p50 \\[ms\\] +[0-9]");
    }

    @Test
    void undeliveredAcknowledgedMessagesFail() throws IOException {
        Invocation invocation = flood(BrokerMisbehaviour.delivering(4, Delivery.NEVER), SMALL, "--give-up", "2s");
        assertThat(invocation.status()).isEqualTo(1);
        long lost = invocation.total("QoS 1 lost") + invocation.total("device lost");
        assertThat(lost).isPositive();
        assertThat(invocation.out())
                .contains("FAILED: " + lost + " acknowledged QoS 1 messages of well-behaved clients were lost");
    }

    @Test
    void refusedMessagesAreCountedByReasonAndAreNotLost() throws IOException {
        Invocation invocation = flood(BrokerMisbehaviour.acknowledging(0x97), SMALL);
        assertThat(invocation.status()).as(invocation.toString()).isZero();
        assertThat(invocation.total("QoS 1 PUBACK 0x97")).isEqualTo(invocation.total("QoS 1 sent"));
    }

    @Test
    void brokenConnectionsAreCountedAndReopened() throws IOException {
        Invocation invocation = flood(BrokerMisbehaviour.closingAfter(3), SMALL, "--duration", "1s", "--give-up", "2s");
        assertThat(invocation.out()).containsPattern("QoS 0 publisher broke: .* +[1-9]");
        assertThat(invocation.total("QoS 0 delivered")).isGreaterThan(3);
    }

    @Test
    void exceededThresholdsFail() throws IOException {
        Invocation invocation =
                flood(BrokerMisbehaviour.NONE, SMALL, "--require-p99", "0ms", "--require-connect", "0ms");
        assertThat(invocation.status()).isEqualTo(1);
        assertThat(invocation.out())
                .containsPattern("FAILED: p99 during the flood was up to [0-9.]+ ms, more than 0 ms")
                .containsPattern("FAILED: a CONNECT during the flood took [0-9]+ ms, more than 0 ms");
    }

    @Test
    void thresholdsThatAreMetDoNotFail() throws IOException {
        Invocation invocation = flood(BrokerMisbehaviour.NONE, SMALL, "--require-p99", "1m", "--require-connect", "1m");
        assertThat(invocation.status()).as(invocation.toString()).isZero();
    }

    @Test
    void exitOfTheBrokerEndsTheFloodAndFails() throws Exception {
        Process process = new ProcessBuilder("sh", "-c", "read line").start();
        try (SmallBroker broker = new SmallBroker(BrokerMisbehaviour.NONE)) {
            Thread.ofVirtual().name("killer").start(() -> {
                await().atMost(Duration.ofSeconds(30))
                        .until(() -> broker.connects.stream()
                                        .filter(text -> text.startsWith("load-connect "))
                                        .count()
                                >= 5);
                process.destroyForcibly();
            });
            Invocation invocation = flood(broker.port(), SMALL, "--duration", "9m", "--pid", "broker=" + process.pid());
            assertThat(invocation.status()).isEqualTo(1);
            assertThat(invocation.out())
                    .contains("FAILED: the process broker (" + process.pid() + ") has exited")
                    .containsPattern("resident broker \\[MB\\] +[0-9]");
        } finally {
            process.destroyForcibly();
            process.waitFor(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void memoryAndProcessorTimeAreReportedForEachPhase(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("result.json");
        Invocation invocation = flood(
                BrokerMisbehaviour.NONE,
                SMALL,
                "--pid",
                "broker=" + ProcessHandle.current().pid(),
                "--json",
                file.toString());
        assertThat(invocation.status()).as(invocation.toString()).isZero();
        assertThat(invocation.out())
                .containsPattern("peak resident broker \\[MB\\] +[0-9.,]+ +[0-9.,]+ +[0-9.,]+\n")
                .containsPattern("cpu broker \\[processors\\] +[0-9.]+ +[0-9.]+ +[0-9.]+\n")
                .containsPattern("heap after GC \\[MB\\] +[0-9.,]+ +- +[0-9.,]+\n");
        assertThat(Files.readString(file)).contains("\"phases\" : [ \"before\", \"during\", \"after\" ]");
    }

    @Test
    void brokerThatRefusesItsClientsIsNotFlooded() throws IOException {
        Invocation invocation =
                flood(BrokerMisbehaviour.refusing(0x88), "wrong-passwords --sockets 1", "--give-up", "250ms");
        assertThat(invocation.status()).isEqualTo(1);
        assertThat(invocation.err())
                .contains("FAILED: The well-behaved clients cannot connect before the flood")
                .contains("0x88");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "absent-queues --sessions 0",
                "stalled-readers --readers 18000",
                "retained-replay --messages 1000001",
                "retained-replay --matching 16",
                "never-acknowledge --payload 23",
                "subscribe --filters 2000",
                "small-packets --from no.such.host.invalid",
                "small-packets --duration 0s"
            })
    void invalidLoadIsRejectedInOneSentence(String kind) {
        Invocation invocation = Invocation.of(("flood " + kind).split(" ", -1));
        assertThat(invocation.status()).isEqualTo(1);
        assertThat(invocation.err().lines().toList()).singleElement().asString().startsWith("FAILED: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"flood", "flood small-packets --packet CONNECT", "flood small-packets --clients few"})
    void wrongCommandLineShowsTheUsage(String arguments) {
        Invocation invocation = Invocation.of(arguments.split(" ", -1));
        assertThat(invocation.status()).isEqualTo(2);
        assertThat(invocation.err()).contains("Usage: load flood");
    }
}
