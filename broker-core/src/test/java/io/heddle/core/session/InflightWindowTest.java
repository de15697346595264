package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.subscription.DeliveryTerms;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class InflightWindowTest {
    private static final Outgoing MESSAGE = new Outgoing(
            new PublishMessage(
                    new ClientId("p"),
                    TopicName.parse("t", 1),
                    QoS.EXACTLY_ONCE,
                    false,
                    PublishProperties.NONE,
                    BinaryData.EMPTY,
                    PublishMessage.NEVER_EXPIRES),
            QoS.EXACTLY_ONCE,
            false,
            new DeliveryTerms(QoS.EXACTLY_ONCE, false, List.of()));

    @Test
    void everythingIsFoundByItsIdentifierInWhateverOrderItIsAcknowledged() {
        long seed = Long.getLong("heddle.seed", 20_261_121L);
        Random random = new Random(seed);
        InflightWindow window = new InflightWindow(PacketIdentifiers.IN_MEMORY);
        TreeMap<Long, Integer> open = new TreeMap<>();

        for (int i = 0; i < 300_000; i++) {
            boolean add = open.size() < 100 && random.nextBoolean() && window.hasRoomFor(window.next());
            if (add || open.isEmpty()) {
                long sequence =
                        window.next() + (random.nextInt(16) == 0 && window.hasRoomFor(window.next() + 2) ? 2 : 0);
                window.add(sequence, MESSAGE);
                int identifier = window.identifier(sequence);
                assertThat(identifier).as("seed " + seed).isBetween(1, 32_767).isNotIn(open.values());
                open.put(sequence, identifier);
            } else {
                List<Long> sequences = new ArrayList<>(open.keySet());
                // Mostly in order, with a few that stay behind for long.
                long sequence =
                        sequences.get(random.nextInt(8) == 0 ? random.nextInt(sequences.size()) : sequences.size() / 2);
                int identifier = window.identifier(sequence);
                open.remove(sequence);
                assertThat(window.sequence(identifier)).as("seed " + seed).isEqualTo(sequence);
                if (random.nextBoolean()) {
                    window.received(sequence);
                    assertThat(window.isReleased(sequence)).isFalse();
                    window.released(sequence);
                    assertThat(window.isReleased(sequence)).isTrue();
                    assertThat(window.message(sequence)).isNull();
                }
                window.remove(sequence);
                assertThat(window.sequence(identifier)).isEqualTo(-1);
            }
            assertThat(window.size()).isEqualTo(open.size());
            if (!open.isEmpty()) {
                assertThat(window.lowest()).isLessThanOrEqualTo(open.firstKey());
            }
        }
    }

    @Test
    void identifiersOutsideTheRangeStandForNothing() {
        InflightWindow window = new InflightWindow(PacketIdentifiers.IN_MEMORY);
        window.add(0, MESSAGE);

        assertThat(window.sequence(0)).isEqualTo(-1);
        assertThat(window.sequence(32_768)).isEqualTo(-1);
        assertThat(window.sequence(65_535)).isEqualTo(-1);
        assertThat(window.sequence(1)).isZero();
    }
}
