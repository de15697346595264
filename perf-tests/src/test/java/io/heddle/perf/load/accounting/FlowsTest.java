package io.heddle.perf.load.accounting;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class FlowsTest {
    /** Two groups of two publishers and one subscriber; each publisher has sent ten messages. */
    private final long[] published = {10, 10, 10, 10};

    private final Flows flows = new Flows(new Groups(2, 2, 1), published);

    private void deliver(int subscriber, int publisher, long... sequences) {
        for (long sequence : sequences) {
            flows.delivered(subscriber, publisher, sequence);
        }
    }

    private void deliverAll(int subscriber, int publisher) {
        deliver(subscriber, publisher, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    }

    private void assertCounts(long delivered, long missing, long duplicated, long reordered, long strays) {
        assertThat(new long[] {flows.delivered(), flows.missing(), flows.duplicated(), flows.reordered(), flows.strays()
                })
                .as("delivered, missing, duplicated, reordered, strays")
                .containsExactly(delivered, missing, duplicated, reordered, strays);
    }

    @Test
    void deliveriesInOrderAreNoFault() {
        deliverAll(0, 0);
        deliverAll(0, 1);
        deliverAll(1, 2);
        deliverAll(1, 3);
        assertCounts(40, 0, 0, 0, 0);
    }

    @Test
    void undeliveredMessagesAreMissing() {
        deliver(0, 0, 0, 1, 5, 6);
        assertCounts(4, 36, 0, 0, 0);
    }

    @Test
    void lateMessagesAreReorderedAndNotMissing() {
        deliver(0, 0, 0, 4, 2, 1, 3, 5, 6, 7, 8, 9);
        assertCounts(10, 30, 0, 3, 0);
    }

    @Test
    void messagesDeliveredTwiceAreDuplicated() {
        deliver(0, 0, 0, 0, 1, 2, 1, 3);
        assertCounts(4, 36, 2, 0, 0);
    }

    @Test
    void lateMessagesDeliveredTwiceAreReorderedAndDuplicated() {
        deliver(0, 0, 0, 2, 1, 1, 2);
        assertCounts(3, 37, 2, 1, 0);
    }

    @Test
    void onlyTheFirstDeliveryCounts() {
        assertThat(flows.delivered(0, 0, 0)).isTrue();
        assertThat(flows.delivered(0, 0, 0)).isFalse();
        assertThat(flows.delivered(0, 0, 2)).isTrue();
        assertThat(flows.delivered(0, 0, 1)).isTrue();
        assertThat(flows.delivered(0, 0, 1)).isFalse();
    }

    @Test
    void messagesOfAnotherGroupAreStrays() {
        deliver(0, 2, 0);
        deliver(1, 1, 0);
        deliver(0, -1, 0);
        deliver(0, 4, 0);
        assertCounts(0, 40, 0, 0, 4);
    }

    @Test
    void unpublishedMessagesAreStrays() {
        deliver(0, 0, 10, -1);
        assertCounts(0, 40, 0, 0, 2);
    }

    @Test
    void gapsInsideGapsAreCounted() {
        published[0] = 1_000_000;
        deliver(0, 0, 0, 500_000, 250_000, 999_999, 1, 499_999);
        assertCounts(6, 1_000_000 - 6 + 30, 0, 3, 0);
    }
}
