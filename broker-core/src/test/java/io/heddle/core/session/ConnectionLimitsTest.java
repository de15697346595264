package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authorization.ActiveRules;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.ReasonCode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules limit the connections of a user. */
final class ConnectionLimitsTest {
    private final SessionSettings settings = RulesTest.settings(
            "default allow", "limit connections none for user operator", "limit connections 2 for everyone");
    private final ActiveRules active = settings.topics().rules();
    private final TestNode node = new TestNode(settings, 1_000_000);

    ConnectionLimitsTest() {
        node.authenticator =
                shown -> new Accepted(new ClientIdentity(shown.clientId(), ClientType.DEVICE, shown.userName()));
    }

    private TestClient connect(@Nullable String userName, String clientId, long expirySeconds) {
        Connect connect = new Connect(clientId).persistent(expirySeconds);
        return node.connect((userName == null ? connect : connect.userName(userName)).packet());
    }

    private ReasonCode answer(@Nullable String userName, String clientId, long expirySeconds) {
        return connect(userName, clientId, expirySeconds).connAck().reason();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 60})
    void aUserHasAtMostSoManyConnections(long expirySeconds) {
        TestClient first = connect("alice", "a1", expirySeconds);
        connect("alice", "a2", expirySeconds);
        long memory = node.memory.chargedBytes();

        assertThat(answer("alice", "a3", expirySeconds)).isEqualTo(ReasonCode.QUOTA_EXCEEDED);

        assertThat(node.memory.chargedBytes()).isEqualTo(memory);
        assertThat(node.count("heddle.limits.refusals", "setting", "limit connections of the rules"))
                .isOne();
        assertThat(answer("alice", "a2", expirySeconds)).as("a takeover").isEqualTo(ReasonCode.SUCCESS);
        assertThat(answer("bob", "b1", expirySeconds)).isEqualTo(ReasonCode.SUCCESS);

        first.disconnect();
        assertThat(answer("alice", "a3", expirySeconds)).isEqualTo(ReasonCode.SUCCESS);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = "operator")
    void othersHaveNoLimit(@Nullable String userName) {
        for (int i = 0; i < 5; i++) {
            assertThat(answer(userName, "c" + i, 0)).isEqualTo(ReasonCode.SUCCESS);
        }
    }

    @Test
    void aChangedLimitHoldsForTheNextConnection() {
        TestClient first = connect("alice", "a1", 0);
        TestClient second = connect("alice", "a2", 0);

        active.apply(1, RulesTest.read("default allow", "limit connections 1 for user alice"));
        node.runAll();

        assertThat(first.connection().isOpen()).isTrue();
        assertThat(second.connection().isOpen()).isTrue();
        second.disconnect();
        assertThat(answer("alice", "a2", 0)).isEqualTo(ReasonCode.QUOTA_EXCEEDED);
        active.apply(2, RulesTest.read("default allow"));
        node.runAll();
        assertThat(answer("alice", "a2", 0)).isEqualTo(ReasonCode.SUCCESS);
    }
}
