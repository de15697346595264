package io.heddle.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The texts of networks for people. */
final class RemoteNetworkTest {
    @ParameterizedTest
    @CsvSource({"192.0.2.1, 192.0.2.1", "2001:db8::7, 2001:db8:0:0:0:0:0:0/64"})
    void aNetworkIsDescribedByItsAddress(String address, String expected) {
        assertThat(RemoteNetwork.described(RemoteNetwork.of(InetAddress.ofLiteral(address))))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"unknown", "c00002", "gateway.example.org"})
    void anotherTextStays(String network) {
        assertThat(RemoteNetwork.described(network)).isEqualTo(network);
    }
}
