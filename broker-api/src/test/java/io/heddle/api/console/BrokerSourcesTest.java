package io.heddle.api.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BrokerSourcesTest {
    @Test
    void aPageConnectsToItsHostAtEveryPortAndToTheListeners() {
        assertThat(BrokerSources.of(
                        "broker.example.org",
                        false,
                        List.of("tcp://10.0.0.5:1883", "ws://10.0.0.5:8083/mqtt", "wss://10.0.0.5:8084/a\"b;c")))
                .isEqualTo("'self' ws://broker.example.org:* wss://broker.example.org:* ws://10.0.0.5:8083"
                        + " wss://10.0.0.5:8084");
    }

    @Test
    void aPageWithTlsConnectsOnlyWithTls() {
        assertThat(BrokerSources.of("10.0.0.5", true, List.of("ws://10.0.0.5:8083/mqtt", "wss://10.0.0.5:8084")))
                .isEqualTo("'self' wss://10.0.0.5:* wss://10.0.0.5:8084");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "*",
                "a b",
                "a;script-src *",
                "a, default-src *",
                "a\r\nSet-Cookie: b=c",
                "a:1 https://evil.example",
                "*.example.org",
                "'unsafe-inline'",
                "a/b",
                "ä.example.org",
                "[::1]"
            })
    void aHostThatIsNoNameAddsNothing(String host) {
        assertThat(BrokerSources.of(host, false, List.of())).isEqualTo("'self'");
        assertThat(BrokerSources.of("a", true, List.of("wss://" + host + ":8084/mqtt")))
                .isEqualTo("'self' wss://a:*");
    }
}
