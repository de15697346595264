package io.heddle.core.retained;

import static io.heddle.core.retained.Publications.found;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.changelog.ChangeLog.Change;
import io.heddle.core.mqtt.TopicName;
import org.junit.jupiter.api.Test;

final class RetainedLimitsTest {
    private final Publications publications = new Publications();

    @Test
    void refusesTopicsAboveTheMaximumAndReplacesExistingOnes() {
        RetainedMessages two = publications.retained(new RetainedLimits(2, 1_000_000, 1_000, 0));
        two.store(publications.message("a", "1"));
        two.store(publications.message("b", "1"));

        assertThat(two.store(publications.message("c", "1"))).isEqualTo(RetainOutcome.Refused.MAXIMUM_MESSAGES);
        assertThat(two.store(publications.message("b", "2"))).isEqualTo(RetainOutcome.Done.REPLACED);
        assertThat(found(two, "#")).containsExactly("a=1", "b=2");
        assertThat(publications.refused(RetainOutcome.Refused.MAXIMUM_MESSAGES)).isEqualTo(1);

        two.store(publications.message("a", ""));
        assertThat(two.store(publications.message("c", "1"))).isEqualTo(RetainOutcome.Done.STORED);
    }

    @Test
    void refusesBytesAboveTheMaximumAndKeepsTheOldMessage() {
        RetainedMessages small = publications.retained(new RetainedLimits(100, 1_000, 1_000, 0));
        small.store(publications.message("a", "x".repeat(200)));
        small.store(publications.message("b", "x".repeat(100)));

        assertThat(small.store(publications.message("a", "y".repeat(700))))
                .isEqualTo(RetainOutcome.Refused.MAXIMUM_BYTES);
        assertThat(small.store(publications.message("c", "y".repeat(700))))
                .isEqualTo(RetainOutcome.Refused.MAXIMUM_BYTES);
        assertThat(found(small, "+")).containsExactly("a=" + "x".repeat(200), "b=" + "x".repeat(100));
        assertThat(small.store(publications.message("a", "z"))).isEqualTo(RetainOutcome.Done.REPLACED);
        assertThat(small.bytes()).isLessThanOrEqualTo(1_000);
        assertThat(publications.refused(RetainOutcome.Refused.MAXIMUM_BYTES)).isEqualTo(2);
    }

    @Test
    void deepTopicsCountByMemoryNotByLength() {
        RetainedMessages small = publications.retained(new RetainedLimits(100, 2_000, 1_000, 0));

        assertThat(small.store(publications.message("/".repeat(63), "1")))
                .isEqualTo(RetainOutcome.Refused.MAXIMUM_BYTES);
        assertThat(small.store(publications.message("x".repeat(64), "1"))).isEqualTo(RetainOutcome.Done.STORED);
        assertThat(small.nodeCount()).isEqualTo(2);
    }

    @Test
    void refusesAPayloadAboveTheMaximumAndKeepsTheOldMessage() {
        RetainedMessages small = publications.retained(new RetainedLimits(100, 10_000, 10, 0));
        small.store(publications.message("a", "x".repeat(10)));

        assertThat(small.store(publications.message("a", "y".repeat(11))))
                .isEqualTo(RetainOutcome.Refused.MAXIMUM_PAYLOAD);

        assertThat(found(small, "a")).containsExactly("a=" + "x".repeat(10));
        assertThat(publications.refused(RetainOutcome.Refused.MAXIMUM_PAYLOAD)).isEqualTo(1);
    }

    @Test
    void topicsCreatedByOneClientAreLimited() {
        RetainedMessages two = publications.retained(new RetainedLimits(100, 1_000_000, 1_000, 2));
        two.store(publications.by("greedy", "a", "1"));
        two.store(publications.by("greedy", "b", "1"));

        assertThat(two.store(publications.by("greedy", "c", "1"))).isEqualTo(RetainOutcome.Refused.MAXIMUM_PER_CLIENT);
        assertThat(two.store(publications.by("other", "c", "1"))).isEqualTo(RetainOutcome.Done.STORED);
        assertThat(two.store(publications.by("greedy", "c", "2"))).isEqualTo(RetainOutcome.Done.REPLACED);
        // The topic counts for its creator, whichever client removes it.
        assertThat(two.store(publications.by("other", "a", "2"))).isEqualTo(RetainOutcome.Done.REPLACED);
        assertThat(two.store(publications.by("other", "a", ""))).isEqualTo(RetainOutcome.Done.REMOVED);
        assertThat(two.store(publications.by("greedy", "d", "1"))).isEqualTo(RetainOutcome.Done.STORED);
        assertThat(two.store(publications.by("greedy", "e", "1"))).isEqualTo(RetainOutcome.Refused.MAXIMUM_PER_CLIENT);
        assertThat(publications.refused(RetainOutcome.Refused.MAXIMUM_PER_CLIENT))
                .isEqualTo(2);
    }

    @Test
    void invalidLimitsAreRejected() {
        assertThatThrownBy(() -> new RetainedLimits(0, 1, 1, 0)).hasMessageContaining("maximumMessages");
        assertThatThrownBy(() -> new RetainedLimits(1, 0, 1, 0)).hasMessageContaining("maximumBytes");
        assertThatThrownBy(() -> new RetainedLimits(1, 10, 11, 0)).hasMessageContaining("maximumPayloadBytes");
        assertThatThrownBy(() -> new RetainedLimits(1, 1, 1, -1)).hasMessageContaining("maximumMessagesPerClient");
    }

    @Test
    void restartRestoresMessagesOnTopicsCreatedByOtherClients() {
        RetainedMessages one = publications.retained(new RetainedLimits(100, 1_000_000, 1_000, 1));
        one.apply(new Change<>(TopicName.parse("a", 1), publications.by("client", "a", "1")), 0);
        one.apply(new Change<>(TopicName.parse("b", 1), publications.by("client", "b", "1")), 0);

        assertThat(found(one, "#")).containsExactly("a=1", "b=1");
        assertThat(one.store(publications.by("client", "c", "1"))).isEqualTo(RetainOutcome.Refused.MAXIMUM_PER_CLIENT);
    }
}
