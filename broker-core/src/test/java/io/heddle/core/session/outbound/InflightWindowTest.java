package io.heddle.core.session.outbound;

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
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class InflightWindowTest {
    private static final HeldMessage MESSAGE = new HeldMessage(
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
    void messagesAreFoundByIdentifierInAnyOrderOfAcknowledgement() {
        long seed = Long.getLong("heddle.test.seed", 20_261_121L);
        Random random = new Random(seed);
        InflightWindow window = new InflightWindow(PacketIdentifiers.IN_MEMORY, 0);
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
                // Mostly in order, with a few long-lived exceptions.
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
    void identifiersOutsideTheRangeMatchNoMessage() {
        InflightWindow window = new InflightWindow(PacketIdentifiers.IN_MEMORY, 0);
        window.add(0, MESSAGE);

        assertThat(window.sequence(0)).isEqualTo(-1);
        assertThat(window.sequence(32_768)).isEqualTo(-1);
        assertThat(window.sequence(65_535)).isEqualTo(-1);
        assertThat(window.sequence(1)).isZero();
    }

    @Test
    void earlyReleasedMessagesKeepTheirPlaceInAnyOrder() {
        long seed = Long.getLong("heddle.test.seed", 20_261_122L);
        Random random = new Random(seed);
        for (int round = 0; round < 2_000; round++) {
            long first = random.nextInt(40_000);
            InflightWindow window = new InflightWindow(PacketIdentifiers.NUMBERED, first);
            Set<Long> early = new TreeSet<>();
            for (int i = random.nextInt(10); i > 0; i--) {
                long sequence = first + random.nextInt(40);
                if (early.add(sequence)) {
                    window.releaseEarly(sequence);
                    assertThat(window.sequence(window.identifier(sequence))).isEqualTo(sequence);
                }
            }
            Set<Long> open = new TreeSet<>(early);
            long turn = first;
            while (turn < first + 50 || !open.isEmpty()) {
                List<Long> acknowledgeable = new ArrayList<>(open);
                if (turn < first + 50 && (acknowledgeable.isEmpty() || random.nextBoolean())) {
                    // Sequence numbers may be missing, including released ones.
                    if (random.nextInt(4) > 0) {
                        if (window.isReleasedEarly(turn)) {
                            assertThat(early).as("seed " + seed).contains(turn);
                            window.skip(turn);
                        } else {
                            assertThat(early).as("seed " + seed).doesNotContain(turn);
                            window.add(turn, MESSAGE);
                            open.add(turn);
                        }
                    }
                    turn++;
                } else if (!acknowledgeable.isEmpty()) {
                    long sequence = acknowledgeable.get(random.nextInt(acknowledgeable.size()));
                    assertThat(window.sequence(window.identifier(sequence)))
                            .as("seed " + seed)
                            .isEqualTo(sequence);
                    assertThat(window.isReleased(sequence)).isEqualTo(early.contains(sequence));
                    window.remove(sequence);
                    open.remove(sequence);
                    assertThat(window.sequence(window.identifier(sequence)))
                            .as("seed " + seed)
                            .isEqualTo(-1);
                }
                long lowestOpen =
                        open.isEmpty() ? Long.MAX_VALUE : open.iterator().next();
                assertThat(window.lowest())
                        .as("passes neither unacknowledged nor unsent messages; seed " + seed)
                        .isLessThanOrEqualTo(Math.min(lowestOpen, turn));
            }
            long last = Math.max(turn, first + 50);
            window.add(last, MESSAGE);
            assertThat(window.lowest()).as("seed " + seed).isEqualTo(last);
            assertThat(window.size()).isOne();
        }
    }

    @Test
    void theWidestSpanOfIdentifiersFits() {
        InflightWindow window = new InflightWindow(PacketIdentifiers.NUMBERED, 100);
        long highest = 100L + PacketIdentifiers.NUMBERED.count() - 2;
        window.releaseEarly(highest);

        assertThat(window.hasRoomFor(highest)).isTrue();
        assertThat(window.hasRoomFor(highest + 1)).isFalse();
        window.add(100, MESSAGE);
        assertThat(window.sequence(window.identifier(highest))).isEqualTo(highest);
        assertThat(window.sequence(window.identifier(100))).isEqualTo(100);
        window.remove(highest);
        assertThat(window.sequence(window.identifier(highest))).isEqualTo(-1);
        assertThat(window.lowest()).isEqualTo(100);
    }

    @Test
    void earlyCompletedMessagesCountAsDoneUpToTheFirstGap() {
        InflightWindow window = new InflightWindow(PacketIdentifiers.NUMBERED, 10);
        for (long sequence : new long[] {10, 11, 13}) {
            window.releaseEarly(sequence);
        }
        assertThat(window.doneBelow()).isEqualTo(10);

        window.remove(11);
        assertThat(window.doneBelow()).isEqualTo(10);
        window.remove(10);
        window.remove(13);

        assertThat(window.doneBelow()).as("12 is unsent").isEqualTo(12);
        assertThat(window.lowest()).as("their turn has not come").isEqualTo(10);
        window.skip(10);
        window.skip(11);
        window.add(12, MESSAGE);
        window.remove(12);
        window.skip(13);
        assertThat(window.doneBelow()).isEqualTo(14);
        assertThat(window.lowest()).isEqualTo(14);
    }
}
