package io.heddle.core.session.persistent;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import org.junit.jupiter.api.Test;

class OrderedSessionsTest extends PersistentSessionsFixture {
    private static final ClientId BILLING = new ClientId("billing");

    private void begin(ClientType type, long epoch) {
        answer(sessions.begin(BILLING, type, "user", null, 60, "node-1-a", epoch, null));
    }

    @Test
    void aClientIsAmongTheApplicationsWhileItsLatestSessionIsOfThatType() {
        begin(ClientType.APPLICATION, 1);
        assertThat(sessions.inOrder().applications()).containsOnlyKeys("billing");

        begin(ClientType.DEVICE, 2);
        assertThat(sessions.inOrder().applications()).isEmpty();
        assertThat(sessions.inOrder().all()).containsOnlyKeys("billing");

        begin(ClientType.APPLICATION, 3);
        assertThat(sessions.inOrder().applications()).containsOnlyKeys("billing");

        answer(sessions.end(requireNonNull(sessions.find(BILLING))));
        assertThat(sessions.inOrder().applications()).isEmpty();
        assertThat(sessions.inOrder().all()).isEmpty();
    }
}
