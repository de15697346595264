package io.heddle.core.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.RecentDrops.DroppedMessage;
import io.heddle.core.mqtt.QoS;
import org.junit.jupiter.api.Test;

/** The bounds of the messages that clients have missed. */
final class RecentDropsTest {
    private final RecentDrops drops = new RecentDrops(new ClientEvents());

    private void add(String clientId, int millis, String topic) {
        drops.of(new ClientId(clientId)).add(millis, "expired", topic, QoS.AT_LEAST_ONCE, 3);
    }

    @Test
    void theLatestMessagesOfAClientAreKept() {
        for (int i = 0; i < RecentDrops.MESSAGES + 5; i++) {
            add("c", i, "t/" + i);
        }
        add("other", 0, "u");

        assertThat(drops.latest(new ClientId("c")))
                .hasSize(RecentDrops.MESSAGES)
                .first()
                .isEqualTo(new DroppedMessage(RecentDrops.MESSAGES + 4, "expired", "t/20", QoS.AT_LEAST_ONCE, 3));
        assertThat(drops.latest(new ClientId("c")))
                .extracting(DroppedMessage::millis)
                .endsWith(5L);
        assertThat(drops.latest(new ClientId("other"))).hasSize(1);
        assertThat(drops.latest(new ClientId("unknown"))).isEmpty();
    }

    @Test
    void theClientThatWasAddedFirstIsForgotten() {
        RecentDrops.OfClient first = drops.of(new ClientId("first"));
        first.add(1, "expired", "t", QoS.AT_LEAST_ONCE, 3);
        for (int i = 1; i < RecentDrops.CLIENTS; i++) {
            add("c" + i, i, "t");
        }
        assertThat(first.isForgotten()).isFalse();

        add("one more", 0, "t");

        assertThat(first.isForgotten()).isTrue();
        assertThat(drops.latest(new ClientId("first"))).isEmpty();
        assertThat(drops.latest(new ClientId("c1"))).hasSize(1);
    }

    @Test
    void aLongTopicIsCut() {
        add("c", 1, "t".repeat(65_535));

        assertThat(drops.latest(new ClientId("c")).getFirst().topic()).isEqualTo("t".repeat(256));
    }
}
