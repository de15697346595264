package io.heddle.core.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.heddle.core.Limit;
import io.heddle.core.client.RecentRefusals.Refusal;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.testkit.LogLines;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class ClientIncidentsTest {
    private static final Limit SUBSCRIPTIONS = new Limit("heddle.session.maximum-subscriptions", 10_000);
    private static final Limit PACKETS = new Limit("heddle.mqtt.maximum-packet-size", 1_048_576);

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000);
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final LogLines log = new LogLines();
    private final ClientIncidents incidents = new ClientIncidents(log.logger(), nanos::get, metrics);

    private static InetSocketAddress address(int lastByte, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral("192.0.2." + lastByte), port);
    }

    private void drop(String reason, String clientId) {
        incidents.dropped(reason, "it is slow", new ClientId(clientId));
    }

    @Test
    void anExceededLimitIsOneLineWithTheSettingItsValueAndTheClient() {
        incidents.refused(SUBSCRIPTIONS, "a subscription", new ClientId("gateway"));
        incidents.refused(PACKETS, "a packet", "c", "u", address(1, 5_000));

        assertThat(log.all())
                .containsExactly(
                        "INFO A client exceeds a limit (change the setting if the client needs more):"
                                + " setting=heddle.session.maximum-subscriptions, limit=10000, refused=a subscription,"
                                + " clientId=gateway",
                        "INFO A client exceeds a limit (change the setting if the client needs more):"
                                + " setting=heddle.mqtt.maximum-packet-size, limit=1048576, refused=a packet,"
                                + " clientId=c, userName=u, address=/192.0.2.1:5000");
    }

    @Test
    void eachExceededLimitIsCountedByItsSetting() {
        incidents.refused(SUBSCRIPTIONS, "a subscription", new ClientId("c"));
        incidents.refused(SUBSCRIPTIONS, "a subscription", "c", null, null);
        incidents.refused(SUBSCRIPTIONS, "a subscription", new ClientId("d"));

        assertThat(metrics.get("heddle.limits.refusals")
                        .tag("setting", "heddle.session.maximum-subscriptions")
                        .counter()
                        .count())
                .isEqualTo(3);
        assertThat(log.all()).hasSize(2).last().asString().endsWith("clientId=d, suppressed=1");
    }

    @Test
    void connectedClientsAreNamedByTheirUserNamesAndAddresses() {
        incidents.lookUp(
                clientId -> clientId.value().equals("c") ? new ClientIncidents.Origin("u", address(1, 5_000)) : null);

        drop("slow_consumer", "c");
        drop("slow_consumer", "d");

        assertThat(log.all())
                .containsExactly(
                        "INFO Dropped a message: reason=slow_consumer, detail=it is slow,"
                                + " clientId=c, userName=u, address=/192.0.2.1:5000",
                        "INFO Dropped a message: reason=slow_consumer, detail=it is slow, clientId=d");
    }

    @Test
    void aClientHasOneLineOfAKindAMinuteAndTheNextLineCountsTheOthers() {
        for (int i = 0; i < 5; i++) {
            drop("slow_consumer", "c");
        }
        drop("packet_too_large", "c");
        nanos.addAndGet(IncidentLines.WINDOW.toNanos() - 1);
        drop("slow_consumer", "c");
        nanos.incrementAndGet();
        drop("slow_consumer", "c");
        drop("slow_consumer", "d");

        assertThat(log.all())
                .extracting(line -> line.replaceAll("INFO .*reason=(.*), detail=it is slow", "$1"))
                .containsExactly(
                        "slow_consumer, clientId=c",
                        "packet_too_large, clientId=c",
                        "slow_consumer, clientId=c, suppressed=5",
                        "slow_consumer, clientId=d");
    }

    @Test
    void anotherCauseOfTheSameKindIsNotSuppressed() {
        incidents.violated(ReasonCode.PROTOCOL_ERROR, "a second CONNECT", "c", null, null, "mqtt");
        incidents.violated(ReasonCode.PROTOCOL_ERROR, "a second CONNECT", "c", null, null, "mqtt");
        incidents.violated(ReasonCode.PROTOCOL_ERROR, "an AUTH packet", "c", null, null, "mqtt");

        assertThat(log.all()).hasSize(2).last().asString().contains("detail=an AUTH packet");
    }

    @Test
    void theTextOfAClientIsNoOtherCause() {
        for (int i = 0; i < 5; i++) {
            incidents.refused(PACKETS, "a packet: bytes=" + i, "c", null, null);
            incidents.closed("origin", "of its origin=https://" + i + ".example", address(1, 5_000 + i), "ws");
        }

        assertThat(log.all()).hasSize(2);
    }

    @Test
    void manyClientsThatAreLostAtOnceHaveALineEach() {
        for (int i = 0; i < IncidentLines.MAXIMUM; i++) {
            incidents.disconnected(
                    new ClientIdentity(new ClientId("c" + i), ClientType.DEVICE, null),
                    address(1, 5_000),
                    "mqtt",
                    DisconnectCause.silent(60));
        }

        assertThat(log.all()).hasSizeGreaterThanOrEqualTo(100).last().asString().contains("clientId=c99, ");
    }

    @Test
    void aClientThatDoesNotWaitForConnackIsALine() {
        incidents.gone("c", "u", address(1, 5_000), "mqtt");

        assertThat(log.only())
                .isEqualTo("INFO A client has closed its connection before CONNACK: clientId=c, userName=u,"
                        + " address=/192.0.2.1:5000, listener=mqtt");
    }

    @Test
    void takeoversThatRepeatAreKeptAndThoseOfAClientThatComesBackAreNot() {
        ClientIdentity identity = new ClientIdentity(new ClientId("c"), ClientType.DEVICE, "u");
        incidents.takenOver(identity, address(1, 5_000), address(2, 6_000));
        nanos.addAndGet(Takeovers.WINDOW.toNanos());
        incidents.takenOver(identity, address(1, 5_000), address(2, 6_000));
        assertThat(incidents.recent().takeovers(new ClientId("c"))).isEmpty();

        incidents.takenOver(identity, address(2, 6_000), address(1, 5_001));
        incidents.takenOver(identity, address(1, 5_001), null);
        incidents.takenOver(identity, address(2, 6_001), address(1, 5_002));

        assertThat(incidents.recent().takeovers(new ClientId("c")))
                .extracting(Refusal::address, Refusal::count, Refusal::detail)
                .containsExactlyInAnyOrder(
                        tuple("192.0.2.2", 2L, "by a connection from 192.0.2.1"),
                        tuple("192.0.2.1", 1L, "by a connection to another node"));
        assertThat(incidents.recent().takeovers(new ClientId("d"))).isEmpty();
    }

    @Test
    void aViolationNamesTheReasonTheClientAndTheListener() {
        incidents.violated(ReasonCode.PROTOCOL_ERROR, "a second CONNECT", "c", null, address(1, 5_000), "mqtts");

        assertThat(log.only())
                .isEqualTo("INFO Disconnected a client that violates the protocol: reason=protocol_error,"
                        + " detail=a second CONNECT, clientId=c, address=/192.0.2.1:5000, listener=mqtts");
    }

    @Test
    void aConnectionWithoutAClientIsKnownByItsAddressWithoutThePort() {
        incidents.closed("foreign_protocol", "it sent HTTP", address(1, 5_000), "mqtt");
        incidents.closed("foreign_protocol", "it sent HTTP", address(1, 5_001), "mqtt");
        incidents.closed("foreign_protocol", "it sent TLS", address(2, 5_000), "mqtt");
        incidents.closed("foreign_protocol", "it sent HTTP", address(1, 5_002), "ws");

        assertThat(log.all())
                .containsExactly(
                        "INFO Connection closed because it sent HTTP: address=/192.0.2.1:5000, listener=mqtt",
                        "INFO Connection closed because it sent TLS: address=/192.0.2.2:5000, listener=mqtt,"
                                + " suppressed=1",
                        "INFO Connection closed because it sent HTTP: address=/192.0.2.1:5002, listener=ws");
    }

    @Test
    void failedSignInsAreOneWarningForEachNetwork() {
        incidents.signInsFail("c0000201", "a", "u", address(1, 5_000));
        incidents.signInsFail("c0000201", "b", "v", address(1, 5_001));

        assertThat(log.only())
                .startsWith("WARN Sign-ins have failed repeatedly")
                .endsWith("clientId=a, userName=u, address=/192.0.2.1:5000");
    }

    @Test
    void textOfClientsCannotForgeLinesOrValues() {
        SocketAddress reported = InetSocketAddress.createUnresolved("a\nb", 1);
        incidents.violated(
                ReasonCode.PROTOCOL_ERROR,
                "x\r\ny",
                "c\nINFO all is well",
                "u, address=/10.0.0.1:1\"",
                reported,
                "mqtt");

        assertThat(log.only())
                .doesNotContain("\n", "\r")
                .contains("detail=x\\u000d\\u000ay, ")
                .contains("clientId=\"c\\u000aINFO all is well\", userName=\"u, address=/10.0.0.1:1\\\"\", address=");
    }

    @Test
    void longTextIsShortened() {
        drop("slow_consumer", "c".repeat(65_535));

        assertThat(log.only()).endsWith("clientId=" + "c".repeat(200) + "...").hasSizeLessThan(400);
    }

    @Test
    void aMillionBadClientsMakeFewLinesAndHoldLittleMemory() {
        for (int i = 0; i < 1_000_000; i++) {
            String clientId = "client-" + i;
            switch (i % 5) {
                case 0 -> incidents.violated(ReasonCode.PROTOCOL_ERROR, "x", clientId, null, null, "mqtt");
                case 1 -> drop("slow_consumer", clientId);
                case 2 -> incidents.refused(SUBSCRIPTIONS, "a subscription", new ClientId(clientId));
                case 3 -> incidents.closed("foreign_protocol", "x", address(i / 5 % 250, i % 60_000), "mqtt");
                default -> incidents.signInsFail("network " + i, clientId, clientId, address(i % 250, 1));
            }
        }

        assertThat(log.all()).hasSize(5 * IncidentLines.MAXIMUM);
        assertThat(incidents.subjects()).isEqualTo(5 * IncidentLines.MAXIMUM);

        nanos.addAndGet(IncidentLines.WINDOW.toNanos());
        drop("slow_consumer", "last");
        assertThat(log.all()).last().asString().endsWith("clientId=last, suppressed=199900");
    }
}
