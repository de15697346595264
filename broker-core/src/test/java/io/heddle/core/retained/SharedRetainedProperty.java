package io.heddle.core.retained;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.changelog.ChangeCondition;
import io.heddle.core.changelog.ChangeLog.Change;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.retained.SharedRetainedLog.Node;
import io.heddle.core.retained.SharedRetainedLog.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/**
 * Three nodes write to one log, with commits, answers and reads in random order. In the end all have what the log says, and so has a node
 * that reads the log after compaction. {@code -Dheddle.test.seed} repeats a run.
 */
final class SharedRetainedProperty {
    private static final int ROUNDS = 60;
    private static final int STEPS = 60;
    private static final String[] TOPICS = {"a", "a/b", "c", "$x"};

    private final Publications publications = new Publications();
    private final SharedRetainedLog log = new SharedRetainedLog(publications);
    private final List<Node> nodes = List.of(
            log.node(Publications.ROOMY),
            log.node(new RetainedLimits(2, 10_000, 100, 2)),
            log.node(Publications.ROOMY));
    private int published;

    @RepeatedTest(40)
    void allNodesHaveWhatTheLogSays(RepetitionInfo repetition) {
        long seed = Long.getLong("heddle.test.seed", System.nanoTime()) + repetition.getCurrentRepetition();
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        for (int round = 0; round < ROUNDS; round++) {
            int steps = random.nextInt(STEPS);
            for (int i = 0; i < steps; i++) {
                step(random);
                requireNoEarlierMessages(seed);
            }
            settle();
            requireEqualNodes(seed);
            if (random.nextInt(4) == 0) {
                requireEqualAfterCompaction(seed);
            }
        }
        publications.pass(Duration.ofDays(1));
        sweep();
        assertThat(nodes.getFirst().messages.size())
                .as("nothing expired is left, seed %d", seed)
                .isEqualTo(expected().size());
    }

    private void requireEqualNodes(long seed) {
        Map<String, String> expected = expected();
        for (Node node : nodes) {
            assertThat(visible(node)).as("seed %d", seed).isEqualTo(expected);
            assertThat(node.messages.checksum())
                    .as("seed %d", seed)
                    .isEqualTo(nodes.getFirst().messages.checksum());
        }
    }

    private void requireEqualAfterCompaction(long seed) {
        sweep();
        for (SharedRetainedLog read : List.of(log, log.compacted())) {
            Node late = read.node(Publications.ROOMY);
            late.settle();
            assertThat(visible(late)).as("read later, seed %d", seed).isEqualTo(expected());
            assertThat(late.messages.checksum())
                    .as("read later, seed %d", seed)
                    .isEqualTo(nodes.getFirst().messages.checksum());
        }
    }

    /** No node shows a message that is earlier in the log than one whose commit it has acknowledged. */
    private void requireNoEarlierMessages(long seed) {
        for (Node node : nodes) {
            Map<String, String> visible = visible(node);
            node.acknowledged().forEach((topic, offset) -> {
                String payload = visible.getOrDefault(topic.value(), "");
                assertThat(node.isInFlight(topic, payload) || log.hasFrom(offset, topic, payload))
                        .as("'%s' of %s after offset %d, seed %d", payload, topic, offset, seed)
                        .isTrue();
            });
        }
    }

    /** The steward removes what has expired, and repeats what its removals could not remove. */
    private void sweep() {
        for (int i = 0; i < 3; i++) {
            // After a failure, the steward pauses.
            publications.pass(Duration.ofSeconds(1));
            nodes.getFirst().messages.expireSome(1_000, nodes.getFirst());
            settle();
        }
    }

    private void step(RandomGenerator random) {
        Node node = nodes.get(random.nextInt(nodes.size()));
        switch (random.nextInt(12)) {
            case 0, 1 -> node.publish(message(random));
            case 2, 3, 4 -> {
                if (node.hasCommits()) {
                    node.commit(outcome(random));
                }
            }
            case 5, 6 -> node.answer();
            case 7 -> publications.pass(Duration.ofSeconds(random.nextInt(3)));
            case 8 -> node.messages.expireSome(random.nextInt(20) + 1, node);
            default -> node.read();
        }
    }

    private PublishMessage message(RandomGenerator random) {
        String topic = TOPICS[random.nextInt(TOPICS.length)];
        String payload = "p" + published++;
        return switch (random.nextInt(4)) {
            case 0 -> publications.message(topic, "");
            case 1, 2 -> publications.expiring(topic, payload, random.nextInt(6));
            default -> publications.message(topic, payload);
        };
    }

    private static Outcome outcome(RandomGenerator random) {
        return switch (random.nextInt(10)) {
            case 0 -> Outcome.FAILED;
            case 1 -> Outcome.UNKNOWN;
            default -> Outcome.COMMITTED;
        };
    }

    private void settle() {
        boolean isBusy = true;
        while (isBusy) {
            isBusy = false;
            for (Node node : nodes) {
                while (node.hasCommits()) {
                    node.commit(Outcome.COMMITTED);
                    isBusy = true;
                }
                while (node.answer() || node.read()) {
                    isBusy = true;
                }
            }
        }
    }

    /** What the log says: the last unconditional record of a topic, unless a later removal names its expiry. */
    private Map<String, String> expected() {
        Map<String, PublishMessage> values = new TreeMap<>();
        for (Change<TopicName, PublishMessage> record : log.records()) {
            String topic = record.key().value();
            PublishMessage before = values.get(topic);
            PublishMessage value = record.value();
            if (record.condition() instanceof ChangeCondition.ExpiredBy(long millis)) {
                if (before != null && before.canExpire() && before.expiresAtMillis() <= millis) {
                    values.remove(topic);
                }
            } else if (record.condition() == ChangeCondition.Always.ALWAYS) {
                if (value == null) {
                    values.remove(topic);
                } else {
                    values.put(topic, value);
                }
            }
        }
        Map<String, String> expected = new TreeMap<>();
        values.forEach((topic, message) -> {
            if (!message.canExpire() || !message.isExpiredAt(publications.clock.millis())) {
                expected.put(topic, Publications.text(message));
            }
        });
        return expected;
    }

    private static Map<String, String> visible(Node node) {
        Map<String, String> visible = new TreeMap<>();
        List<String> found = new ArrayList<>(node.found());
        found.addAll(Publications.found(node.messages, "$x"));
        found.forEach(each -> visible.put(each.substring(0, each.indexOf('=')), each.substring(each.indexOf('=') + 1)));
        return visible;
    }
}
