package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authorization.TopicRules;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.MqttVersion;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Sessions of clients that cannot say for how long their session is kept. */
final class Version3ExpiryTest {
    private static final long EXPIRY_SECONDS = 1_800;
    private static final long MAXIMUM_SECONDS = 7_200;

    private final TestNode node = new TestNode(
            new SessionSettings(
                    65_536,
                    8,
                    TopicRules.STANDARD,
                    3,
                    5,
                    MAXIMUM_SECONDS,
                    EXPIRY_SECONDS,
                    0,
                    100,
                    4,
                    2,
                    TestNode.QUEUE,
                    50,
                    20_000,
                    TestNode.PATIENCE),
            1_000_000);

    private TestClient connect(MqttVersion version) {
        return node.connect(new Connect("c")
                .version(version)
                .cleanStart(false)
                .persistent(version.hasProperties() ? MAXIMUM_SECONDS : 0)
                .packet());
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "V5")
    void theSessionEndsWhenItsClientIsAwayForTooLong(MqttVersion version) {
        connect(version).lose();
        node.advance(Duration.ofSeconds(EXPIRY_SECONDS - 1));
        TestClient back = connect(version);
        assertThat(back.connAck().sessionPresent()).isTrue();

        node.advance(Duration.ofSeconds(2 * EXPIRY_SECONDS));
        assertThat(node.persistent.inOrder().all()).as("it is connected").hasSize(1);
        back.lose();
        node.advance(Duration.ofSeconds(EXPIRY_SECONDS));

        assertThat(node.persistent.inOrder().all()).isEmpty();
        assertThat(connect(version).connAck().sessionPresent()).isFalse();
    }

    @Test
    void aClientIdThatCredentialsNameKeepsItsSessionForTheMaximum() {
        node.authenticator =
                shown -> new Accepted(new ClientIdentity(shown.clientId(), ClientType.DEVICE, shown.userName(), true));
        connect(MqttVersion.V3_1_1).lose();

        node.advance(Duration.ofSeconds(MAXIMUM_SECONDS - 1));
        assertThat(node.persistent.inOrder().all()).hasSize(1);
        node.advance(Duration.ofSeconds(1));

        assertThat(node.persistent.inOrder().all()).isEmpty();
    }

    @Test
    void aClientOfVersion5SaysForHowLongItsSessionIsKept() {
        connect(MqttVersion.V5).lose();

        node.advance(Duration.ofSeconds(MAXIMUM_SECONDS - 1));

        assertThat(connect(MqttVersion.V5).connAck().sessionPresent()).isTrue();
    }
}
