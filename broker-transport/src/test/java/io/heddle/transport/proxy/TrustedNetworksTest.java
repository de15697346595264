package io.heddle.transport.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TrustedNetworksTest {
    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.255.0.1, true",
        "10.0.0.0/8, 11.0.0.0, false",
        "192.0.2.1, 192.0.2.1, true",
        "192.0.2.1, 192.0.2.2, false",
        "0.0.0.0/0, 8.8.8.8, true",
        "0.0.0.0/0, ::1, false",
        "fd00::/8, fdff::1, true",
        "fd00::/8, fe80::1, false",
        "2001:db8::1, 2001:db8::1, true",
        "::/0, 2001:db8::1, true",
    })
    void anAddressIsInItsNetwork(String network, String address, boolean expected) {
        assertThat(TrustedNetworks.parse(List.of("198.51.100.0/24", network))
                        .contains(new InetSocketAddress(InetAddress.ofLiteral(address), 1)))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "localhost", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "fd00::/129", "1.2.3/8", "/8"})
    void otherTextsAreRejectedWithTheRemedy(String text) {
        assertThatThrownBy(() -> TrustedNetworks.parse(List.of(text)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "' is not a network");
    }

    @Test
    void noNetworkHasNoAddress() {
        assertThat(TrustedNetworks.NONE.isEmpty()).isTrue();
        assertThat(TrustedNetworks.NONE.contains(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1)))
                .isFalse();
    }
}
