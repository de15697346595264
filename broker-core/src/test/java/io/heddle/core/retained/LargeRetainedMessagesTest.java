package io.heddle.core.retained;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.message.PublishMessage;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Attacks with many topics, deep topics and filters with few matches among many messages. */
final class LargeRetainedMessagesTest {
    private static final int MANY = 100_000;
    private static final int STEP = 1_000;

    private final Publications publications = new Publications();
    private final RetainedMessages retained = publications.following(Publications.ROOMY);
    private int steps;

    /** Iterates in steps and checks the bound of each step. */
    private int found(String filter) {
        RetainedCursor cursor = Publications.cursor(retained, filter);
        int found = 0;
        steps = 0;
        while (!cursor.isDone()) {
            long end = cursor.visited() + STEP;
            while (!cursor.isDone() && cursor.visited() < end) {
                if (cursor.next((int) (end - cursor.visited())) != null) {
                    found++;
                }
            }
            assertThat(cursor.visited()).isLessThanOrEqualTo(end);
            steps++;
        }
        return found;
    }

    @Test
    void filterWithoutMatchesStopsAfterEachStep() {
        for (int i = 0; i < MANY; i++) {
            retained.store(publications.message("site/" + i + "/y", "1"));
        }

        assertThat(found("+/+/x")).isZero();
        assertThat(steps).as("each device entered and left").isBetween(2 * MANY / STEP, 2 * MANY / STEP + 1);
        assertThat(found("site/77/y")).isOne();
        assertThat(steps).isOne();
        assertThat(found("+/77/+")).isOne();
        assertThat(steps).isOne();
    }

    @Test
    void manyTopicsUnderOneParentAreAllFoundAndAllRemoved() {
        for (int i = 0; i < MANY; i++) {
            retained.store(publications.message("site/" + i, "1"));
        }
        assertThat(retained.nodeCount()).isEqualTo(MANY + 2);
        assertThat(found("site/+")).isEqualTo(MANY);
        assertThat(steps).isLessThanOrEqualTo(MANY / STEP + 1);
        assertThat(found("#")).isEqualTo(MANY);

        for (int i = 0; i < MANY; i++) {
            assertThat(retained.store(publications.message("site/" + i, ""))).isEqualTo(RetainOutcome.Done.REMOVED);
        }
        assertThat(retained.nodeCount()).isOne();
        assertThat(retained.bytes()).isZero();
    }

    @Test
    void levelsWithEqualHashCodesCostNoMoreThanOthers() {
        int bits = 14;
        for (int i = 0; i < 1 << bits; i++) {
            StringBuilder level = new StringBuilder();
            for (int bit = 0; bit < bits; bit++) {
                level.append((i >> bit & 1) == 0 ? "Aa" : "BB");
            }
            retained.store(publications.message("a/" + level, "1"));
        }

        assertThat(found("a/+")).isEqualTo(1 << bits);
        assertThat(steps).isLessThanOrEqualTo((1 << bits) / STEP + 1);
    }

    @Test
    void deepestTopicIsFoundByEveryKindOfFilterAndRemovedCompletely() {
        String topic = "a/".repeat(Publications.LEVELS - 1) + "a";
        retained.store(publications.message(topic, "1"));
        retained.store(publications.message("/".repeat(Publications.LEVELS - 1), "2"));

        assertThat(found("#")).isEqualTo(2);
        assertThat(found(topic)).isOne();
        assertThat(found("+/".repeat(Publications.LEVELS - 1) + "+")).isEqualTo(2);
        assertThat(found("+/".repeat(Publications.LEVELS - 1) + "#")).isEqualTo(2);
        assertThat(found("+/".repeat(Publications.LEVELS - 2) + "+")).isZero();
        assertThat(retained.nodeCount()).isEqualTo(1 + 2 * Publications.LEVELS);

        retained.store(publications.message(topic, ""));
        retained.store(publications.message("/".repeat(Publications.LEVELS - 1), ""));
        assertThat(retained.nodeCount()).isOne();
    }

    @Test
    void expiredMessagesAreRemovedInBoundedSteps() {
        for (int i = 0; i < MANY; i++) {
            retained.store(publications.expiring("a/" + i, "1", 1));
        }
        publications.pass(Duration.ofSeconds(1));

        int calls = 0;
        while (retained.size() > 0) {
            assertThat(retained.expireSome(STEP, publications.log)).isLessThanOrEqualTo(STEP);
            calls++;
        }
        assertThat(calls).isLessThanOrEqualTo(MANY / STEP + 1);
        assertThat(retained.nodeCount()).isOne();
    }

    @Test
    void abandonedCursorHoldsNoMessage() {
        retained.store(publications.message("a/b", "1"));
        retained.store(publications.message("a/c", "2"));
        RetainedCursor cursor = Publications.cursor(retained, "#");
        PublishMessage first = null;
        while (first == null) {
            first = cursor.next(1);
        }
        retained.store(publications.message("a/b", ""));
        retained.store(publications.message("a/c", ""));

        assertThat(cursor.next(100)).isNull();
        assertThat(cursor.isDone()).isTrue();
    }
}
