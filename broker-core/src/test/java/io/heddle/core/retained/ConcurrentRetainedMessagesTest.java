package io.heddle.core.retained;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.message.PublishMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

/**
 * Runs publishers, subscribers and housekeeping concurrently for two seconds. {@code -Dheddle.test.seed} repeats the random
 * choices.
 */
final class ConcurrentRetainedMessagesTest {
    private static final Duration LENGTH = Duration.ofSeconds(2);
    private static final int NAMES = 150;

    private static final int WALKS = 10;

    private final long seed = Long.getLong("heddle.test.seed", System.nanoTime());
    private final Publications publications = new Publications();
    private final RetainedMessages retained =
            publications.following(new RetainedLimits(1_000_000, Long.MAX_VALUE, 1_000, 1_000_000));
    private final Set<String> stay = new HashSet<>();
    private final long start = System.nanoTime();
    private final AtomicInteger walks = new AtomicInteger();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    private interface Work {
        void once(RandomGenerator random);
    }

    @Test
    void eachCursorFindsUnchangedMessagesExactlyOnce() throws InterruptedException {
        for (int i = 0; i < NAMES; i += 10) {
            for (String topic : List.of("t/" + i, "t/" + i + "/x", "t/" + i + "/deep/er/x")) {
                stay.add(topic);
                retained.store(publications.message(topic, topic));
            }
        }
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            threads.add(start("publisher-" + i, i, this::publish));
        }
        threads.add(start("subscriber-0", 10, random -> walk("#", "", random)));
        threads.add(start("subscriber-1", 11, random -> walk("t/+/x", "/x", random)));
        threads.add(start("subscriber-2", 12, random -> walk("t/+/deep/#", "/deep/er/x", random)));
        threads.add(start("housekeeping", 20, random -> {
            publications.pass(Duration.ofMillis(1));
            retained.expireSome(random.nextInt(500) + 1, publications.log);
        }));
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(failures).as("seed %d", seed).isEmpty();
        assertThat(walks.get()).isGreaterThan(WALKS);
        removeEverything();
        assertThat(retained.size()).as("seed %d", seed).isZero();
        assertThat(retained.bytes()).as("seed %d", seed).isZero();
        assertThat(retained.nodeCount()).as("seed %d", seed).isOne();
    }

    private Thread start(String name, int number, Work work) {
        return Thread.ofPlatform()
                .name(name)
                .uncaughtExceptionHandler((thread, failure) -> failures.add(failure))
                .start(() -> {
                    RandomGenerator random =
                            RandomGeneratorFactory.of("L64X128MixRandom").create(seed + number);
                    while (System.nanoTime() - start < LENGTH.toNanos() || walks.get() <= WALKS) {
                        work.once(random);
                    }
                });
    }

    /** Topics beside, above and below the unchanged ones, and the unchanged ones themselves. */
    private void publish(RandomGenerator random) {
        String base = "t/" + random.nextInt(NAMES);
        String topic = switch (random.nextInt(6)) {
            case 0 -> base;
            case 1 -> base + "/x";
            case 2 -> base + "/deep";
            case 3 -> base + "/deep/er/" + random.nextInt(100);
            case 4 -> base + "/deep/er/x";
            default -> "u" + random.nextInt(5_000);
        };
        if (stay.contains(topic)) {
            retained.store(publications.message(topic, topic));
        } else {
            switch (random.nextInt(5)) {
                case 0, 1 -> retained.store(publications.message(topic, topic));
                case 2 -> retained.store(publications.expiring(topic, topic, random.nextInt(2)));
                default -> retained.store(publications.message(topic, ""));
            }
        }
    }

    private void walk(String filter, String suffix, RandomGenerator random) {
        Set<String> found = new HashSet<>();
        RetainedCursor cursor = Publications.cursor(retained, filter);
        while (!cursor.isDone()) {
            PublishMessage message = cursor.next(random.nextInt(200) + 1);
            if (message != null) {
                String topic = message.topic().value();
                assertThat(found.add(topic))
                        .as("%s only once, seed %d", topic, seed)
                        .isTrue();
                assertThat(Publications.text(message))
                        .as("whole, seed %d", seed)
                        .isEqualTo(topic);
            }
        }
        for (String topic : stay) {
            boolean matches = suffix.equals("/x") ? topic.matches("t/[0-9]+/x") : topic.endsWith(suffix);
            if (matches) {
                assertThat(found).as("seed %d, filter %s", seed, filter).contains(topic);
            }
        }
        walks.incrementAndGet();
    }

    private void removeEverything() {
        RetainedCursor cursor = Publications.cursor(retained, "#");
        while (!cursor.isDone()) {
            PublishMessage message = cursor.next(1_000);
            if (message != null) {
                retained.store(publications.message(message.topic().value(), ""));
            }
        }
        // A cursor skips expired messages. The first sweep may continue one that started before they expired.
        for (int sweep = 0; sweep < 2; sweep++) {
            retained.expireSome(Integer.MAX_VALUE, publications.log);
        }
    }
}
