package io.heddle.core.authentication.blocked;

import static io.heddle.core.testkit.BlockedClientStoreContract.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authentication.AuthenticationOutcome.Refused;
import io.heddle.core.authentication.blocked.BlockedClient.Kind;
import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.ReasonCode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BlockedClientsTest {
    private static final InetSocketAddress ADDRESS = address("192.0.2.7");

    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private Instant now = Instant.parse("2026-11-01T10:00:00Z");
    private long nanos;
    private final BlockedClients clients = new BlockedClients(
            new Flapping(new Flapping.Limits(3, Duration.ofMinutes(1), Duration.ofMinutes(5)), () -> nanos),
            clientId -> clientId.value().equals("exempt"),
            () -> now,
            metrics);

    private static InetSocketAddress address(String text) {
        return new InetSocketAddress(InetAddress.ofLiteral(text), 50_000);
    }

    private void block(BlockedClient... entries) {
        clients.replace(new BlockedIndex(List.of(entries)));
    }

    private boolean isBlocked(String clientId, @Nullable String userName, InetSocketAddress address) {
        return clients.refusal(new ClientId(clientId), userName, address) != null;
    }

    private boolean isBlocked(String clientId) {
        return isBlocked(clientId, null, ADDRESS);
    }

    private @Nullable String connect(String clientId) {
        return clients.connected(new ClientId(clientId), null, ADDRESS);
    }

    @ParameterizedTest
    @CsvSource({
        "CLIENT_ID, pump, true",
        "CLIENT_ID, pum, false",
        "CLIENT_ID, pump*, false",
        "CLIENT_ID, alice, false",
        "CLIENT_ID_PATTERN, p*p, true",
        "CLIENT_ID_PATTERN, p??p, true",
        "CLIENT_ID_PATTERN, p?p, false",
        "USER_NAME, alice, true",
        "USER_NAME, Alice, false",
        "USER_NAME, pump, false",
        "ADDRESS, 192.0.2.7, true",
        "ADDRESS, 192.0.2.8, false",
        "ADDRESS, ::ffff:192.0.2.7, true",
        "ADDRESS, 192.0.2.4/30, true",
        "ADDRESS, 192.0.2.9/30, false",
        "ADDRESS, 0.0.0.0/0, true",
        "ADDRESS, ::/0, false"
    })
    void aClientIsBlockedByItsIdUserOrAddress(Kind kind, String value, boolean isBlocked) {
        block(entry(kind, value));

        assertThat(isBlocked("pump", "alice", ADDRESS)).isEqualTo(isBlocked);
    }

    @ParameterizedTest
    @CsvSource({"2001:db8::7, true", "2001:db8::8, false", "2001:db8::/32, true", "2001:db9::/32, false", "::/0, true"})
    void addressesOfVersion6AreBlocked(String value, boolean isBlocked) {
        block(entry(Kind.ADDRESS, value));

        assertThat(isBlocked("pump", null, address("2001:db8:0:0::7"))).isEqualTo(isBlocked);
        assertThat(isBlocked("pump", null, ADDRESS)).isFalse();
    }

    @Test
    void aMappedAddressIsThatOfVersion4() throws UnknownHostException {
        byte[] mapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xff, (byte) 0xff, (byte) 192, 0, 2, 7};
        InetSocketAddress address = new InetSocketAddress(InetAddress.getByAddress(mapped), 50_000);
        block(entry(Kind.ADDRESS, "192.0.2.0/24"));
        assertThat(isBlocked("pump", null, address)).isTrue();
        block(entry(Kind.ADDRESS, "192.0.2.7"));
        assertThat(isBlocked("pump", null, address)).isTrue();
    }

    @Test
    void aRefusalIsBannedAndCountedAndSaysWhyInTheLog() {
        block(entry(Kind.CLIENT_ID_PATTERN, "pump-*"));

        Refused refused = Objects.requireNonNull(clients.refusal(new ClientId("pump-1"), null, ADDRESS));

        assertThat(refused.reason()).isEqualTo(ReasonCode.BANNED);
        assertThat(refused.detail())
                .isEqualTo(
                        "the client is blocked (Größe \"7\"): kind=client_id_pattern, value=pump-*, until=none, by=ada");
        assertThat(clients.disconnection(new ClientId("pump-2"), null, ADDRESS)).isEqualTo(refused.detail());
        assertThat(metrics.get("heddle.clients.blocked")
                        .tags("kind", "client_id_pattern", "effect", "refused")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(metrics.get("heddle.clients.blocked")
                        .tags("kind", "client_id_pattern", "effect", "disconnected")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void anEntryEndsAtItsTimeAndTheNextOneApplies() {
        Instant until = now.plusSeconds(60);
        block(
                entry(Kind.CLIENT_ID, "pump", until, "ada"),
                entry(Kind.USER_NAME, "alice", until, "ada"),
                entry(Kind.CLIENT_ID_PATTERN, "p*", until, "ada"),
                entry(Kind.ADDRESS, "192.0.2.7", until, "ada"),
                entry(Kind.ADDRESS, "10.0.0.0/8", until.plusSeconds(60), "ada"));
        now = until.minusMillis(1);
        assertThat(isBlocked("pump", "alice", ADDRESS)).isTrue();
        assertThat(clients.hasEnded()).isFalse();

        now = until;

        assertThat(isBlocked("pump", "alice", ADDRESS)).isFalse();
        assertThat(clients.hasEnded()).isTrue();
        assertThat(isBlocked("pump", "alice", address("10.1.2.3"))).isTrue();
    }

    @Test
    void anEntryThatCannotBeReadDoesNotHideTheOthers() {
        block(entry(Kind.ADDRESS, "somewhere"), entry(Kind.ADDRESS, "192.0.2.0/24"));

        assertThat(isBlocked("pump")).isTrue();
        assertThat(isBlocked("pump", null, address("198.51.100.1"))).isFalse();
    }

    @Test
    void anExemptClientIsNotBlocked() {
        block(entry(Kind.ADDRESS, "0.0.0.0/0"), entry(Kind.CLIENT_ID_PATTERN, "*"));

        assertThat(isBlocked("exempt")).isFalse();
        assertThat(connect("exempt")).isNull();
        assertThat(isBlocked("pump")).isTrue();
    }

    @Test
    void aClientThatConnectsTooOftenIsBlockedForSomeTime() {
        connect("pump");
        connect("pump");
        assertThat(connect("pump")).isNull();

        assertThat(connect("pump"))
                .isEqualTo(
                        "the client is blocked (connected more than 3 times within 60 s): kind=client_id, value=pump,"
                                + " until=2026-11-01T10:05:00Z, by=flapping");
        assertThat(isBlocked("pump")).isTrue();
        assertThat(isBlocked("other")).isFalse();
        assertThat(metrics.get("heddle.clients.blocked.entries").gauge().value())
                .isEqualTo(1);

        now = now.plus(Duration.ofMinutes(5));
        assertThat(isBlocked("pump")).isFalse();
        assertThat(clients.pending()).isEmpty();
    }

    @Test
    void aStoredEntryOfAFlappingClientCanBeLifted() {
        for (int i = 0; i < 4; i++) {
            connect("pump");
        }
        Collection<BlockedClient> pending = clients.pending();
        assertThat(pending).hasSize(1).allMatch(BlockedClient::isFlapping);

        clients.replace(new BlockedIndex(pending));
        pending.forEach(clients::stored);
        assertThat(clients.pending()).isEmpty();
        assertThat(isBlocked("pump")).isTrue();

        clients.replace(BlockedIndex.EMPTY);
        assertThat(isBlocked("pump")).isFalse();
        assertThat(connect("pump")).isNull();
    }

    @Test
    void aWindowBeginsAgainAfterItsTime() {
        for (int i = 0; i < 20; i++) {
            assertThat(connect("pump")).isNull();
            nanos += Duration.ofSeconds(20).toNanos();
        }
    }

    @Test
    void theClientWhoseWindowBeganFirstIsForgotten() {
        Flapping flapping = new Flapping(new Flapping.Limits(1, Duration.ofMinutes(1), Duration.ofMinutes(5)), () -> 0);
        for (int i = 0; i <= Flapping.MAXIMUM_CLIENTS; i++) {
            assertThat(flapping.count(new ClientId("c" + i))).isFalse();
        }

        assertThat(flapping.count(new ClientId("c1"))).isTrue();
        assertThat(flapping.count(new ClientId("c0"))).isFalse();
    }

    @Test
    void clientsAreNotCountedByDefaultNorIfTheirIdIsTooLongForAnEntry() {
        Flapping off = new Flapping(Flapping.Limits.NONE, () -> 0);
        Flapping on = new Flapping(new Flapping.Limits(1, Duration.ofMinutes(1), Duration.ofMinutes(5)), () -> 0);
        for (int i = 0; i < 10; i++) {
            assertThat(off.count(new ClientId("pump"))).isFalse();
            assertThat(on.count(new ClientId("ü".repeat(513)))).isFalse();
        }
    }

    @Test
    void entriesThatAreNotStoredYetAreBounded() {
        for (int i = 0; i < BlockedClients.MAXIMUM_PENDING + 10; i++) {
            for (int j = 0; j < 4; j++) {
                connect("c" + i);
            }
        }

        assertThat(clients.pending()).hasSize(BlockedClients.MAXIMUM_PENDING);
    }

    @ParameterizedTest
    @CsvSource({
        "CLIENT_ID, pump 7, true",
        "CLIENT_ID_PATTERN, *, true",
        "ADDRESS, 10.0.0.0/8, true",
        "ADDRESS, fd00::/8, true",
        "ADDRESS, 10.0.0.0/33, false",
        "ADDRESS, example.org, false",
        "ADDRESS, ::ffff:10.0.0.0, true",
        "ADDRESS, ::ffff:10.0.0.0/104, false",
        "ADDRESS, ::ffff:10.0.0.0/8, false",
        "ADDRESS, fe80::1%lo, false",
        "ADDRESS, fe80::1%1, false",
        "ADDRESS, fe80::%1/10, false",
        "USER_NAME, ' ', false"
    })
    void valuesAreChecked(Kind kind, String value, boolean isValid) {
        assertThat(BlockedClient.fault(kind, value) == null).isEqualTo(isValid);
    }

    @ParameterizedTest
    @CsvSource({
        "ADDRESS, ::ffff:1.2.3.4, 1.2.3.4",
        "ADDRESS, ::FFFF:102:304, 1.2.3.4",
        "ADDRESS, 10.1.2.3/8, 10.0.0.0/8",
        "ADDRESS, 10.1.2.3/32, 10.1.2.3",
        "ADDRESS, 10.1.2.3/31, 10.1.2.2/31",
        "ADDRESS, 255.255.255.255/0, 0.0.0.0/0",
        "ADDRESS, FD00:0:0:0::1/8, fd00::/8",
        "ADDRESS, 2001:0DB8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "ADDRESS, 2001:db8:0:1:0:0:0:1, 2001:db8:0:1::1",
        "ADDRESS, 2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "ADDRESS, 100:0:0:10:0:0:0:0, 100:0:0:10::",
        "ADDRESS, 0:0:0:0:0:0:0:1, ::1",
        "ADDRESS, 2001:db8::7/128, 2001:db8::7",
        "ADDRESS, 2001:db8:ffff:ffff::/35, 2001:db8:e000::/35",
        "ADDRESS, ff::/0, ::/0",
        "ADDRESS, ::ffff:10.1.0.0/8, 10.0.0.0/8",
        "ADDRESS, somewhere, somewhere",
        "CLIENT_ID, 10.1.2.3/8, 10.1.2.3/8"
    })
    void anAddressHasOneText(Kind kind, String value, String canonical) {
        assertThat(entry(kind, value).value()).isEqualTo(canonical);
        assertThat(entry(kind, canonical).value()).isEqualTo(canonical);
    }

    @Test
    void aFaultSaysWhatIsWrongWithAnAddress() {
        assertThat(BlockedClient.fault(Kind.ADDRESS, "fe80::1%eth0")).contains("zone");
        assertThat(BlockedClient.fault(Kind.ADDRESS, "::ffff:10.0.0.0/8")).contains("without ::ffff:");
    }

    @Test
    void ofTwoEntriesForAnAddressThatWithTheLaterEndApplies() {
        BlockedClient ended = entry(Kind.ADDRESS, "::ffff:192.0.2.7", now.minusSeconds(1), "ada");
        BlockedClient later = entry(Kind.ADDRESS, "192.0.2.7", now.plusSeconds(1), "ada");
        BlockedClient forEver = entry(Kind.ADDRESS, "192.0.2.7");
        for (BlockedClient longer : List.of(later, forEver)) {
            block(ended, longer);
            assertThat(isBlocked("pump")).isTrue();
            block(longer, ended);
            assertThat(isBlocked("pump")).isTrue();
        }
    }

    @Test
    void textsAreChecked() {
        assertThat(BlockedClient.fault(Kind.CLIENT_ID, "a".repeat(1_024))).isNull();
        assertThat(BlockedClient.fault(Kind.CLIENT_ID, "a".repeat(1_025))).contains("1024 bytes");
        assertThat(BlockedClient.fault(Kind.CLIENT_ID, "a\nb")).isNotNull();
        assertThat(BlockedClient.fault(Kind.CLIENT_ID, "a\ud800")).isNotNull();
        assertThat(BlockedClient.fault("😀".repeat(200))).isNull();
        assertThat(BlockedClient.fault("a".repeat(201))).contains("200 characters");
        assertThat(BlockedClient.fault("a\tb")).isNotNull();
        assertThat(BlockedClient.fault("")).isNotNull();
    }
}
