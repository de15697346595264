package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import io.heddle.core.client.DisconnectCause;
import io.heddle.core.mqtt.MqttVersion;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class DisconnectionsTest {
    private static final long NOW = 1_793_527_200_000L;
    private static final long DAY = Disconnections.KEPT.toMillis();

    private final Disconnections disconnections = new Disconnections();

    private void add(String clientId, DisconnectCause cause, long millis) {
        disconnections.add(new Disconnection(
                new ConnectedClient(
                        new ClientIdentity(new ClientId(clientId), ClientType.DEVICE, null),
                        InetSocketAddress.createUnresolved("c", 1),
                        "mqtt",
                        MqttVersion.V5,
                        60,
                        0,
                        true,
                        NOW),
                cause,
                millis));
    }

    private @Nullable Disconnection find(String clientId, long nowMillis) {
        return disconnections.find(new ClientId(clientId), nowMillis);
    }

    @Test
    void theLatestDisconnectionIsKeptForADay() {
        add("a", DisconnectCause.silent(60), NOW);
        add("a", DisconnectCause.CLOSED_BY_CLIENT, NOW + 1);

        assertThat(find("a", NOW + DAY)).extracting(Disconnection::cause).isEqualTo(DisconnectCause.CLOSED_BY_CLIENT);
        assertThat(find("a", NOW + 1 + DAY)).isNull();
        assertThat(find("b", NOW)).isNull();
        assertThat(disconnections.size()).isOne();
    }

    @Test
    void oldDisconnectionsLeaveTheMemory() {
        add("a", DisconnectCause.CLOSED_BY_CLIENT, NOW);
        add("b", DisconnectCause.CLOSED_BY_CLIENT, NOW + 1);

        add("c", DisconnectCause.CLOSED_BY_CLIENT, NOW + DAY);

        assertThat(disconnections.size()).isEqualTo(2);
        assertThat(find("b", NOW + DAY)).isNotNull();
    }

    @Test
    void theOldestOfTooManyAreForgotten() {
        for (int i = 0; i < 200_000; i++) {
            add("client-" + i, DisconnectCause.CLOSED_BY_CLIENT, NOW + i);
        }

        assertThat(disconnections.size()).isBetween(20_000, 45_000);
        assertThat(find("client-199999", NOW + 200_000)).isNotNull();
        assertThat(find("client-0", NOW + 200_000)).isNull();
    }

    @Test
    void longClientIdsTakeTheRoomOfMany() {
        for (int i = 0; i < 1_000; i++) {
            add(i + "x".repeat(65_000), DisconnectCause.CLOSED_BY_CLIENT, NOW);
        }

        assertThat(disconnections.size()).isLessThanOrEqualTo((int) (Disconnections.MAXIMUM_BYTES / 130_000));
    }
}
