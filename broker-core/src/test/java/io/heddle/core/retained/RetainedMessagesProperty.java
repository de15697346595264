package io.heddle.core.retained;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.message.PublishMessage;
import io.heddle.core.testkit.Conformance;
import io.heddle.core.testkit.NaiveMatcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/** Compares lookups with a matcher that works level by level. {@code -Dheddle.test.seed} repeats a run. */
final class RetainedMessagesProperty {
    private static final String[] NAMES = {"a", "b", "", "$x", "c"};
    private static final int STEPS = 1_500;

    private final Publications publications = new Publications();
    private final RetainedMessages retained = publications.following(Publications.ROOMY);
    private final Map<String, Kept> model = new HashMap<>();
    private long nowSeconds;

    private record Kept(String payload, long untilSeconds) {}

    @Conformance(value = "MQTT-4.7.2-1", mqtt311 = "MQTT-4.7.2-1")
    @RepeatedTest(30)
    void findsWhatANaiveMatcherFindsThroughRandomChanges(RepetitionInfo repetition) {
        long seed = Long.getLong("heddle.test.seed", System.nanoTime()) + repetition.getCurrentRepetition();
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        // Every other run has more siblings than fit into one chunk.
        int names = repetition.getCurrentRepetition() % 2 == 0 ? NAMES.length : 400;
        for (int step = 0; step < STEPS; step++) {
            change(random, names, seed);
            if (step % 10 == 0) {
                String filter = filter(random, names);
                assertThat(found(filter, random))
                        .as("seed %d, filter '%s'", seed, filter)
                        .isEqualTo(expected(filter));
            }
        }
        for (String topic : List.copyOf(model.keySet())) {
            retained.store(publications.message(topic, ""));
        }
        publications.pass(Duration.ofDays(1));
        while (retained.size() > 0) {
            assertThat(retained.expireSome(Integer.MAX_VALUE, publications.log))
                    .as("seed %d", seed)
                    .isPositive();
        }
        assertThat(retained.bytes()).as("seed %d", seed).isZero();
        assertThat(retained.nodeCount())
                .as("nothing is left but the root, seed %d", seed)
                .isOne();
    }

    private void change(RandomGenerator random, int names, long seed) {
        String topic = topic(random, names);
        String payload = Integer.toHexString(random.nextInt());
        switch (random.nextInt(8)) {
            case 0, 1 -> {
                boolean there = live(topic) != null;
                RetainOutcome outcome = retained.store(publications.message(topic, ""));
                model.remove(topic);
                if (there) {
                    assertThat(outcome).as("seed %d", seed).isEqualTo(RetainOutcome.Done.REMOVED);
                }
            }
            case 2, 3 -> {
                long lifetime = random.nextInt(20);
                retained.store(publications.expiring(topic, payload, lifetime));
                model.put(topic, new Kept(payload, nowSeconds + lifetime));
            }
            case 4 -> {
                nowSeconds++;
                publications.pass(Duration.ofSeconds(1));
                retained.expireSome(random.nextInt(50) + 1, publications.log);
            }
            default -> {
                retained.store(publications.message(topic, payload));
                model.put(topic, new Kept(payload, Long.MAX_VALUE));
            }
        }
    }

    private @Nullable Kept live(String topic) {
        Kept kept = model.get(topic);
        return kept == null || kept.untilSeconds <= nowSeconds ? null : kept;
    }

    private Map<String, String> found(String filter, RandomGenerator random) {
        Map<String, String> found = new TreeMap<>();
        RetainedCursor cursor = Publications.cursor(retained, filter);
        while (!cursor.isDone()) {
            long before = cursor.visited();
            int most = random.nextInt(20) + 1;
            PublishMessage message = cursor.next(most);
            assertThat(cursor.visited() - before).isLessThanOrEqualTo(most);
            if (message != null) {
                assertThat(found.put(message.topic().value(), Publications.text(message)))
                        .as("%s only once", message.topic())
                        .isNull();
            }
        }
        return found;
    }

    private Map<String, String> expected(String filter) {
        Map<String, String> expected = new TreeMap<>();
        for (String topic : model.keySet()) {
            Kept kept = live(topic);
            if (kept != null && NaiveMatcher.matches(filter, topic)) {
                expected.put(topic, kept.payload);
            }
        }
        return expected;
    }

    private static String topic(RandomGenerator random, int names) {
        List<String> levels = new ArrayList<>();
        int depth = 1 + random.nextInt(5);
        for (int i = 0; i < depth; i++) {
            levels.add(name(random, names));
        }
        return named(levels);
    }

    private static String filter(RandomGenerator random, int names) {
        List<String> levels = new ArrayList<>();
        int depth = random.nextInt(5);
        for (int i = 0; i < depth; i++) {
            levels.add(random.nextInt(3) == 0 ? "+" : name(random, names));
        }
        if (depth == 0 || random.nextInt(3) == 0) {
            levels.add("#");
        }
        return named(levels);
    }

    private static String named(List<String> levels) {
        String text = String.join("/", levels);
        return text.isEmpty() ? "/" : text;
    }

    private static String name(RandomGenerator random, int names) {
        // Mostly few names, so that topics share prefixes; sometimes many.
        int number = random.nextInt(3) > 0 ? random.nextInt(NAMES.length) : random.nextInt(names);
        return number < NAMES.length ? NAMES[number] : Integer.toString(number);
    }
}
