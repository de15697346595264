package io.heddle.transport.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AllowedOriginsTest {
    @ParameterizedTest
    @CsvSource(nullValues = "-", textBlock = """
        http://localhost,            127.0.0.1:8083,      true
        http://localhost:3000,       broker.example,      true
        http://127.0.0.1:3000,       localhost:8083,      true
        http://[::1]:3000,           [::1]:8083,          true
        http://192.0.2.7,            192.0.2.7:8083,      true
        https://[2001:db8::7]:8443,  [2001:db8::7],       true
        https://broker.example,      broker.example:8084, true
        https://Broker.Example:443,  broker.example,      true
        broker.example,              broker.example:8083, true
        localhost:8083,              127.0.0.1:8083,      true
        https://evil.example,        broker.example,      false
        https://evil.example,        127.0.0.1:8083,      false
        https://evil.example,        -,                   false
        https://localhost.evil.example, localhost:8083,   false
        https://127.0.0.1.evil.example, 127.0.0.1:8083,   false
        null,                        127.0.0.1:8083,      false
        '',                          127.0.0.1:8083,      false
        """)
    void byDefaultPagesOfTheSameHostAndOfLocalhostMayConnect(String origin, String host, boolean isAllowed) {
        assertThat(new AllowedOrigins(Set.of(), "the setting").allow(origin, host, false))
                .isEqualTo(isAllowed);
    }

    /** The owner of the page has let its name point to this machine. */
    @ParameterizedTest
    @CsvSource({
        "http://evil.example,      evil.example:8083, false",
        "http://localhost:3000,    localhost:8083,    true",
        "http://127.0.0.1,         127.0.0.1:8083,    true"
    })
    void aNameOnALoopbackAddressProvesNothing(String origin, String host, boolean isAllowed) {
        assertThat(new AllowedOrigins(Set.of(), "the setting").allow(origin, host, true))
                .isEqualTo(isAllowed);
    }

    @ParameterizedTest
    @CsvSource({
        "https://example.org, https://example.org,  true",
        "https://example.org, http://example.org,   false",
        "https://example.org, http://localhost,     false",
        "*,                   https://evil.example, true",
        "*,                   null,                 true"
    })
    void aListReplacesTheDefault(String listed, String origin, boolean isAllowed) {
        assertThat(new AllowedOrigins(Set.of(listed), "the setting").allow(origin, "localhost", true))
                .isEqualTo(isAllowed);
    }
}
