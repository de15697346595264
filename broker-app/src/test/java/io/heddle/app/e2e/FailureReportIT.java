package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Failing waits print the state of clients and broker, so that no second run is needed to find the cause. */
final class FailureReportIT {
    private static final Duration BRIEFLY = Duration.ofMillis(100);

    @Test
    void aFailingWaitPrintsReceivedMessagesAndMetrics() throws Exception {
        try (BrokerUnderTest broker = BrokerUnderTest.start("--heddle.authentication.anonymous.enabled=true");
                LibraryClient library = Library.HIVEMQ_5.connected(broker.mqttPort());
                RawClient raw = new RawConnect(Library.newClientId()).open(broker.mqttPort())) {
            library.subscribe("report", 1);
            raw.subscribe("report", 0);
            library.publish("report", "hello", 1);
            Soon.until(() -> !library.received().isEmpty());
            assertThat(raw.message().payload()).isEqualTo("hello");

            assertThatThrownBy(
                            () -> Soon.until(BRIEFLY, () -> library.received().size() == 2))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining(library.clientId() + " received 1:")
                    .hasMessageContaining("payload=hello")
                    .hasMessageContaining("PUBLISH report hello qos=0")
                    .hasMessageContaining("heddle.messages.delivered=2.0")
                    .hasMessageContaining("heddle.sessions.connected=2.0");
            assertThatThrownBy(() -> Soon.untilAsserted(
                            BRIEFLY, () -> assertThat(library.payloads()).containsExactly("hello", "again")))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("again")
                    .hasMessageContaining("heddle.messages.delivered=2.0");
        }
        assertThat(FailureReport.text()).doesNotContain("payload=hello");
    }
}
