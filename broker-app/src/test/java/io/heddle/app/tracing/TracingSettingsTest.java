package io.heddle.app.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.lifecycle.StartupException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TracingSettingsTest {
    private static final String ENDPOINT = "http://collector:4318/v1/traces";

    @Test
    void anEndpointSwitchesTracesOn() {
        assertThat(new TracingSettings("", Map.of(), 0, 100).isOn()).isFalse();
        assertThat(new TracingSettings(ENDPOINT, Map.of(), 1, 100).isOn()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"collector:4318", "ftp://collector/", "http://", "http://user:secret@host/", "http://a b/"})
    void theEndpointIsAnAddress(String endpoint) {
        assertThatThrownBy(() -> new TracingSettings(endpoint, Map.of(), 0, 100))
                .isInstanceOf(StartupException.class)
                .hasMessage("heddle.tracing.endpoint is not the address of a collector: write"
                        + " http://host:4318/v1/traces");
    }

    @Test
    void headersMustBeSendable() {
        assertThatThrownBy(() -> new TracingSettings(ENDPOINT, Map.of("a b", "secret"), 0, 100))
                .isInstanceOf(StartupException.class)
                .hasMessage("heddle.tracing.headers.a b is no header that can be sent: correct its name and value");
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.1, 1.1, Double.NaN})
    void theRatioIsAShare(double ratio) {
        assertThatThrownBy(() -> new TracingSettings(ENDPOINT, Map.of(), ratio, 100))
                .isInstanceOf(StartupException.class)
                .hasMessageStartingWith("heddle.tracing.ratio is ")
                .hasMessageEndingWith(": set it to a number from 0 to 1");
    }

    @Test
    void aRatioNeedsACollector() {
        assertThatThrownBy(() -> new TracingSettings("", Map.of(), 0.1, 100))
                .isInstanceOf(StartupException.class)
                .hasMessage("heddle.tracing.ratio is set, but there is no collector: set heddle.tracing.endpoint, or"
                        + " remove the setting");
    }

    @Test
    void headersAreNotShown() {
        assertThat(new TracingSettings(ENDPOINT, Map.of("authorization", "secret"), 0, 100))
                .asString()
                .doesNotContain("secret");
    }
}
