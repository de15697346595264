package io.heddle.core.operator.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.client.AddressRange;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import io.heddle.core.message.frame.MalformedFrameException;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.session.ConnectedClient;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ClientFilterTest {
    private static ConnectedClient client(String id, @Nullable String user, String address, long connectedAtMillis) {
        return new ConnectedClient(
                new ClientIdentity(new ClientId(id), ClientType.APPLICATION, user),
                new InetSocketAddress(InetAddress.ofLiteral(address), 1234),
                "mqtt",
                MqttVersion.V3_1_1,
                60,
                0,
                true,
                connectedAtMillis);
    }

    @ParameterizedTest
    @CsvSource({
        "*, abc, true",
        "a*c, abc, true",
        "a*c, abcd, false",
        "a?c, abc, true",
        "a?c, ac, false",
        "*b*, abc, true",
        "*a*a*, xaya, true",
        "*a*a*, xay, false",
        "abc, abc, true",
        "abc, abcd, false",
        "a**, a, true",
        "'', a, false",
    })
    void aGlobMatchesAWholeClientId(String glob, String text, boolean matches) {
        assertThat(Glob.matches(glob, text)).isEqualTo(matches);
    }

    @Test
    void aLongGlobTakesNoExponentialTime() {
        assertThat(Glob.matches("*a".repeat(5_000) + "b", "a".repeat(20_000))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.255.1.2, true",
        "10.0.0.0/8, 11.0.0.1, false",
        "10.1.2.3, 10.1.2.3, true",
        "10.1.2.3, 10.1.2.4, false",
        "10.1.2.128/25, 10.1.2.129, true",
        "10.1.2.128/25, 10.1.2.127, false",
        "0.0.0.0/0, 192.0.2.1, true",
        "0.0.0.0/0, fd00::1, false",
        "fd00::/8, fd12::1, true",
        "fd00::/8, fe12::1, false",
        "::ffff:10.1.2.3, 10.1.2.3, true",
    })
    void aRangeContainsItsAddresses(String range, String address, boolean contains) {
        assertThat(AddressRange.parse(range).contains(new InetSocketAddress(InetAddress.ofLiteral(address), 1)))
                .isEqualTo(contains);
    }

    @ParameterizedTest
    @ValueSource(strings = {"example.org", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "", "10.0.0/x"})
    void otherTextsAreNoRange(String text) {
        assertThatThrownBy(() -> AddressRange.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void allConditionsMustBeMet() {
        ConnectedClient client = client("sensor-1", "ada", "10.0.0.7", 500);
        ClientFilter all = new ClientFilter(
                "sensor",
                "*-1",
                "ada",
                AddressRange.parse("10.0.0.0/24"),
                null,
                null,
                ClientType.APPLICATION,
                500L,
                501L,
                null);

        assertThat(all.matches(client)).isTrue();
        assertThat(all.commonPrefix()).isEqualTo("sensor");
        assertThat(all.matches(client("sensor-2", "ada", "10.0.0.7", 500))).isFalse();
        assertThat(all.matches(client("sensor-1", null, "10.0.0.7", 500))).isFalse();
        assertThat(all.matches(client("sensor-1", "ada", "10.0.1.7", 500))).isFalse();
        assertThat(all.matches(client("sensor-1", "ada", "10.0.0.7", 499))).isFalse();
        assertThat(all.matches(client("sensor-1", "ada", "10.0.0.7", 501))).isFalse();
        assertThat(all.showsAway()).as("a client that is away has no address").isFalse();
        assertThat(ClientFilter.ALL.showsAway()).isTrue();
    }

    @Test
    void aQueryCrossesALink() {
        ClientQuery query = new ClientQuery(
                new ClientFilter(
                        "p",
                        "p*",
                        "u",
                        AddressRange.parse("10.0.0.0/8"),
                        null,
                        ClientState.CONNECTED,
                        ClientType.APPLICATION,
                        5L,
                        6L,
                        null),
                "after",
                true,
                7);

        byte[] bytes = ClientFormat.QUERY.encode(query);

        assertThat(ClientFormat.QUERY.decode(bytes)).usingRecursiveComparison().isEqualTo(query);
        bytes[0] = 1;
        assertThatThrownBy(() -> ClientFormat.QUERY.decode(bytes)).isInstanceOf(MalformedFrameException.class);
    }
}
