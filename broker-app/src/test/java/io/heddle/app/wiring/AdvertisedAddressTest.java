package io.heddle.app.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.app.settings.ClusterSettings;
import io.heddle.core.lifecycle.StartupException;
import java.net.InetAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.util.unit.DataSize;

final class AdvertisedAddressTest {
    private static final String KAFKA = "nosuch.invalid:9092, 127.0.0.1:9092";

    private static ClusterSettings settings(String bind, String advertise) {
        return new ClusterSettings(
                Duration.ofSeconds(10),
                Duration.ofSeconds(1),
                "",
                "7883-7898",
                bind,
                advertise,
                DataSize.ofMegabytes(8));
    }

    private static AdvertisedAddress of(String advertise) {
        return AdvertisedAddress.of(settings("", advertise), KAFKA);
    }

    @Test
    void itIsTheLocalAddressTowardsKafkaAndOnlyThatIsBound() throws Exception {
        AdvertisedAddress address = of("");

        assertThat(address.address()).isEqualTo(InetAddress.ofLiteral("127.0.0.1"));
        assertThat(address.portOr(7_883)).isEqualTo(7_883);
        assertThat(address.bind(settings("", ""))).isEqualTo(InetAddress.ofLiteral("127.0.0.1"));
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.5, 10.0.0.5, 7883",
        "10.0.0.5:9000, 10.0.0.5, 9000",
        "localhost:9000, 127.0.0.1, 9000",
        "fd00::5, fd00::5, 7883",
        "[fd00::5], fd00::5, 7883",
        "[fd00::5]:9000, fd00::5, 9000"
    })
    void anAddressOrANameCanBeSet(String advertise, String address, int port) {
        AdvertisedAddress set = of(advertise);

        assertThat(set.address()).isEqualTo(InetAddress.ofLiteral(address));
        assertThat(set.portOr(7_883)).isEqualTo(port);
    }

    @Test
    void withASetAddressAllAddressesAreBoundUnlessOneIsChosen() {
        assertThat(of("10.0.0.5").bind(settings("", "10.0.0.5")).isAnyLocalAddress())
                .isTrue();
        assertThat(of("10.0.0.5").bind(settings("127.0.0.2", "10.0.0.5")))
                .isEqualTo(InetAddress.ofLiteral("127.0.0.2"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        nosuch.invalid | heddle.cluster.advertise is nosuch.invalid, which is neither an address nor a name
        0.0.0.0        | heddle.cluster.advertise is 0.0.0.0, to which no node can connect
        10.0.0.5:0     | heddle.cluster.advertise has the port 0
        10.0.0.5:99999 | heddle.cluster.advertise has the port 99999
        """)
    void aWrongAddressIsOneSentence(String advertise, String sentence) {
        assertThatThrownBy(() -> of(advertise))
                .isInstanceOf(StartupException.class)
                .hasMessageStartingWith(sentence)
                .hasMessageContaining("set it to an address at which the other nodes reach this one");
    }

    @Test
    void anUnknownAddressToBindIsOneSentence() {
        assertThatThrownBy(() -> of("").bind(settings("nosuch.invalid", "")))
                .isInstanceOf(StartupException.class)
                .hasMessageStartingWith("heddle.cluster.bind is nosuch.invalid");
    }

    @Test
    void withoutARouteToKafkaItMustBeSet() {
        assertThatThrownBy(() -> AdvertisedAddress.of(settings("", ""), "nosuch.invalid:9092"))
                .isInstanceOf(StartupException.class)
                .hasMessageStartingWith("heddle.cluster.advertise is empty, and this node cannot tell its own address");
    }
}
