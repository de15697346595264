package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.ReasonCode;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Clients whose proof of identity expires. */
final class ValidityTest {
    private final TestNode node = new TestNode();

    private TestClient connect(MqttVersion version, Duration valid) {
        return connect(version, Instant.ofEpochMilli(node.clock.millis()).plus(valid));
    }

    private TestClient connect(MqttVersion version, Instant end) {
        node.authenticator = shown ->
                new Accepted(new ClientIdentity(shown.clientId(), ClientType.DEVICE, null), Set.of(), Map.of(), end);
        return node.connect(new Connect("c").version(version).packet());
    }

    @Test
    void theClientIsDisconnectedWhenItsProofExpires() {
        TestClient client = connect(MqttVersion.V5, Duration.ofDays(3));

        node.advance(Duration.ofDays(3).minusMillis(1));
        assertThat(client.disconnected()).isEmpty();
        node.advance(Duration.ofMillis(1));

        assertThat(client.disconnected()).containsExactly(ReasonCode.MAXIMUM_CONNECT_TIME);
        assertThat(client.connection().isOpen()).isFalse();
        client.lose();
        assertThat(node.lines.only()).contains("reason=maximum_connect_time", "clientId=c");
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "V5")
    void theConnectionOfAnOlderClientIsClosed(MqttVersion version) {
        TestClient client = connect(version, Duration.ofSeconds(1));

        node.advance(Duration.ofSeconds(1));

        assertThat(client.disconnected()).isEmpty();
        assertThat(client.connection().isOpen()).isFalse();
    }

    @Test
    void aProofThatExpiresBeforeTheAnswerEndsTheConnection() {
        TestClient client = connect(MqttVersion.V5, Duration.ofSeconds(-1));

        node.advance(Duration.ZERO);

        assertThat(client.disconnected()).containsExactly(ReasonCode.MAXIMUM_CONNECT_TIME);
    }

    @Test
    void aLostConnectionLeavesNoTimer() {
        int before = node.loop.timers();
        TestClient client = connect(MqttVersion.V5, Duration.ofDays(365));
        assertThat(node.loop.timers()).isGreaterThan(before);

        client.lose();

        assertThat(node.loop.timers()).isEqualTo(before);
    }

    @Test
    void theLongestValidityNeedsNoSpecialCare() {
        TestClient client = connect(MqttVersion.V5, Instant.MAX);

        node.advance(Duration.ofDays(2));

        assertThat(client.disconnected()).isEmpty();
    }
}
