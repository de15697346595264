package io.heddle.core.delivery.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The memory bounds of a feed, and the lag that it reports before its queue is full. */
final class DeviceFeedBoundsTest extends DeviceFeedFixture {
    @Test
    void aFullFeedLeavesMessagesInTheQueueUntilItIsEmpty() {
        DeviceFeed feed = started();
        for (int i = 1; i <= 200; i++) {
            push(feed, "m" + i);
        }
        loop.runTasks();
        assertThat(queues.pages()).as("messages beyond the bound are not read").containsExactly(1L);

        List<String> all = new ArrayList<>();
        for (int i = 0; i < 63; i++) {
            all.add(takeOne(feed));
        }
        loop.runTasks();
        assertThat(queues.pages()).hasSize(1);
        all.addAll(drain(feed));

        assertThat(all).hasSize(200).startsWith("1 m1").endsWith("200 m200").doesNotHaveDuplicates();
        assertThat(queues.pages()).containsExactly(1L, 65L, 129L, 193L);
    }

    @Test
    void aFeedBuffersOneMessageWhileItsLoopExceedsTheReadAhead() {
        readAhead.add(READ_AHEAD_BYTES);
        DeviceFeed feed = started();
        for (int i = 1; i <= 5; i++) {
            push(feed, "m" + i);
        }
        loop.runTasks();
        assertThat(queues.pages()).containsExactly(1L);
        assertThat(takeOne(feed)).isEqualTo("1 m1");
        assertThat(feed.peek()).isNull();
        loop.runTasks();
        assertThat(queues.pages()).containsExactly(1L, 2L);

        assertThat(drain(feed)).containsExactly("2 m2", "3 m3", "4 m4", "5 m5");
        assertThat(queues.pages()).containsExactly(1L, 2L, 3L, 4L, 5L);
    }

    @Test
    void aFeedThatEndsReleasesItsReadAhead() {
        readAhead.add(READ_AHEAD_BYTES - 1);
        DeviceFeed feed = started();
        push(feed, "m1");
        assertThat(readAhead.isFull()).isTrue();

        feed.end();

        assertThat(readAhead.isFull()).isFalse();
    }

    @Test
    void messagesOfTheFeedAreNeverEvicted() {
        bounds = new QueueBounds(1_000, 100_000_000, true, 10);
        DeviceFeed feed = started();
        List<String> sent = new ArrayList<>();
        for (int i = 1; i <= 3_000; i++) {
            push(feed, "m" + i);
            loop.runTasks();
            if (i % 300 == 0) {
                sent.add(takeOne(feed));
            }
        }

        // The evicted messages lie between those that were sent or buffered and the newest ones.
        List<String> left = drain(feed);
        List<String> all = new ArrayList<>(sent);
        all.addAll(left);
        assertThat(all).hasSize(1_000).startsWith("1 m1").contains("64 m64").endsWith("3000 m3000");
        assertThat(all.stream().map(each -> each.replaceAll(".* ", ""))).containsExactlyElementsOf(stored());
        assertThat(all).doesNotHaveDuplicates();
    }

    @Test
    void aFeedReportsItsLagOnceBeforeTheQueueIsFull() {
        bounds = new QueueBounds(200, 100_000_000, true, 10);
        DeviceFeed feed = started();
        for (int i = 1; i <= 163; i++) {
            push(feed, "m" + i);
            loop.runTasks();
        }
        assertThat(queues.pages()).containsExactly(1L);
        for (int i = 164; i <= 300; i++) {
            push(feed, "m" + i);
            loop.runTasks();
        }
        assertThat(queues.pages()).containsExactly(1L, 65L);

        assertThat(drain(feed))
                .hasSize(200)
                .startsWith("1 m1")
                .contains("64 m64", "165 m165")
                .endsWith("300 m300");
    }

    @Test
    void aFeedReportsItsLagAgainAfterAFailedCall() {
        bounds = new QueueBounds(200, 100_000_000, true, 10);
        DeviceFeed feed = started();
        for (int i = 1; i <= 163; i++) {
            push(feed, "m" + i);
        }
        queues.refuse(_ -> true);
        push(feed, "m164");
        loop.runTasks();
        assertThat(queues.pages()).containsExactly(1L, 65L);
        queues.heal();
        push(feed, "m165");
        loop.runTasks();
        assertThat(queues.pages()).containsExactly(1L, 65L, 65L);
        push(feed, "m166");
        loop.runTasks();
        assertThat(queues.pages()).hasSize(3);
    }

    @Test
    void aFeedReportsItsLagWhenItSkipsLargeMessages() {
        bounds = new QueueBounds(1_000, 8_000_000, true, 10);
        DeviceFeed feed = started();
        for (int i = 1; i <= 60; i++) {
            push(feed, "x".repeat(200_000));
            loop.runTasks();
        }

        assertThat(queues.pages()).containsExactly(1L, 7L);
        List<String> all = drain(feed);
        assertThat(all).hasSizeBetween(36, 40);
        assertThat(all.getLast()).startsWith("60 ");
        assertThat(all.stream().limit(6).map(each -> each.substring(0, 2)))
                .containsExactly("1 ", "2 ", "3 ", "4 ", "5 ", "6 ");
    }

    @Test
    void theFeedIsBoundedByBytes() {
        DeviceFeed feed = started();
        for (int i = 1; i <= 20; i++) {
            push(feed, "x".repeat(200_000));
        }
        loop.runTasks();
        assertThat(queues.pages()).containsExactly(1L);

        int before = 0;
        while (queues.pages().size() == 1) {
            takeOne(feed);
            before++;
        }
        assertThat(before).as("1 MiB and one message").isEqualTo(6);
        loop.runTasks();
        assertThat(drain(feed)).hasSize(14);
    }
}
