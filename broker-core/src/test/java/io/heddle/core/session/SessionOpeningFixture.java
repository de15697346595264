package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.ConnAckPacket;

/** A client whose session is opened while the test fails or delays the stores, and a publisher. */
abstract class SessionOpeningFixture {
    static final ClientId CLIENT = new ClientId("c");
    final StoreUnavailableException away = new StoreUnavailableException("the store is away", null);

    final TestNode node = new TestNode();
    final TestClient publisher = node.connect("publisher");

    TestClient connect() {
        return node.connect(new Connect("c").persistent(60).packet());
    }

    void assertRefused(TestClient client) {
        assertThat(client.connection().sent(ConnAckPacket.class))
                .extracting(ConnAckPacket::reason)
                .containsExactly(ReasonCode.SERVER_UNAVAILABLE);
        assertThat(client.connection().isOpen()).isFalse();
        assertThat(client.established()).isEmpty();
        assertThat(node.sessions.find(CLIENT)).isNull();
        assertThat(node.gauge("heddle.sessions.connected")).as("the publisher").isOne();
    }
}
