package io.heddle.core.delivery.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.OutboundQueue.StoredInFlight;
import io.heddle.core.delivery.log.SequenceRange;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Acknowledgements that a feed reports to its queue and to the log. {@link DeviceFeedTest} covers reading. */
final class DeviceFeedAcknowledgementTest extends DeviceFeedFixture {
    @Test
    void acknowledgementsAreReportedAfterTheBatchDelay() {
        DeviceFeed feed = started();
        push(feed, "one");
        push(feed, "two");
        drain(feed);

        feed.acknowledgedBelow(2);
        feed.acknowledgedBelow(3);
        feed.acknowledgedBelow(2);
        assertThat(queues.acknowledgements()).isEmpty();
        loop.advance(BATCH_DELAY);

        assertThat(queues.acknowledgements()).containsExactly(List.of(acknowledgement(2)));
        assertThat(stored()).isEmpty();
    }

    @Test
    void acknowledgementsOutOfOrderAreReportedOnce() {
        DeviceFeed feed = started();
        for (String payload : List.of("one", "two", "three", "four", "five")) {
            push(feed, payload);
        }
        drain(feed);

        feed.acknowledged(4);
        feed.acknowledged(2);
        feed.acknowledgedBelow(1);
        loop.advance(BATCH_DELAY);
        assertThat(stored()).containsExactly("one", "three", "five");
        feed.acknowledged(5);
        loop.advance(BATCH_DELAY);
        assertThat(queues.acknowledgements())
                .containsExactly(
                        List.of(acknowledgement(0, new SequenceRange(2, 3), new SequenceRange(4, 5))),
                        List.of(acknowledgement(0, new SequenceRange(5, 6))));
        feed.acknowledged(1);
        feed.acknowledgedBelow(3);
        loop.advance(BATCH_DELAY);

        assertThat(queues.acknowledgements()).hasSize(3).endsWith(List.of(acknowledgement(2)));
        assertThat(stored()).containsExactly("three");
    }

    @Test
    void allRangesAreReportedAgainAfterAFailedCall() {
        DeviceFeed feed = started();
        for (String payload : List.of("one", "two", "three", "four")) {
            push(feed, payload);
        }
        drain(feed);
        feed.acknowledged(2);
        loop.advance(BATCH_DELAY);
        queues.refuse(_ -> true);
        feed.acknowledged(4);
        loop.advance(BATCH_DELAY);

        queues.heal();
        loop.advance(PAUSE.plus(BATCH_DELAY));

        assertThat(queues.acknowledgements().getLast())
                .containsExactly(acknowledgement(0, new SequenceRange(2, 3), new SequenceRange(4, 5)));
        assertThat(stored()).containsExactly("one", "three");
    }

    @Test
    void tooManyGapsStopTheFeedUntilOneCloses() {
        DeviceFeed feed = started();
        for (int i = 1; i <= 2_048; i++) {
            push(feed, "m");
            take(feed);
            if (i % 2 == 0) {
                feed.acknowledged(i);
                loop.advance(BATCH_DELAY);
            }
        }
        push(feed, "next");
        assertThat(feed.peek()).isNull();

        feed.acknowledged(3);

        assertThat(takeOne(feed)).isEqualTo("2049 next");
    }

    @Test
    void replayedMessagesAreAcknowledgedAgain() {
        DeviceFeed feed = started();
        BucketCommand.Enqueue command = push(feed, "one");
        push(feed, "two");
        drain(feed);
        feed.acknowledgedBelow(2);
        loop.advance(BATCH_DELAY);

        feed.pushed(1, command, command.recipients().getFirst());
        loop.advance(BATCH_DELAY);

        assertThat(feed.peek()).as("not sent again").isNull();
        assertThat(queues.acknowledgements()).containsExactly(List.of(acknowledgement(1)), List.of(acknowledgement(1)));
    }

    @Test
    void aFeedWithStaleSequenceNumbersEndsWithoutReportingThem() {
        DeviceFeed feed = started();
        push(feed, "one");
        push(feed, "two");
        drain(feed);
        feed.acknowledgedBelow(3);

        feed.onSequencesReset(registration.position().viewId());
        assertThat(heard.lost()).as("the view of the feed").isEmpty();
        feed.onSequencesReset(registration.position().viewId() + 1);
        feed.filledUpTo(1);
        feed.resendAcknowledgements();
        feed.end();
        loop.advance(BATCH_DELAY);

        assertThat(queues.acknowledgements()).isEmpty();
        assertThat(heard.lost())
                .singleElement()
                .asString()
                .startsWith("SERVER_BUSY")
                .contains("its sequence numbers were reset");
    }

    @Test
    void acknowledgementsAreReportedAgainAfterARollback() {
        DeviceFeed feed = started();
        push(feed, "one");
        drain(feed);
        feed.acknowledgedBelow(2);
        loop.advance(BATCH_DELAY);

        feed.resendAcknowledgements();
        loop.advance(BATCH_DELAY);

        assertThat(queues.acknowledgements()).hasSize(2).containsOnly(List.of(acknowledgement(1)));
    }

    @Test
    void endReportsAcknowledgementsAndStopsTheFeed() {
        DeviceFeed feed = started();
        push(feed, "one");
        push(feed, "two");
        take(feed);
        feed.acknowledgedBelow(2);

        feed.end();

        assertThat(queues.acknowledgements()).containsExactly(List.of(acknowledgement(1)));
        assertThat(feed.peek()).isNull();
        push(feed, "three");
        feed.filledUpTo(3);
        feed.acknowledgedBelow(3);
        feed.resendAcknowledgements();
        loop.advance(PAUSE);
        assertThat(feed.peek()).isNull();
        assertThat(queues.acknowledgements()).hasSize(1);
        assertThat(stored()).as("unacknowledged messages stay").containsExactly("two", "three");
    }

    @Test
    void pubrecIsReportedAsStoredOnceItIsInTheLog() {
        DeviceFeed feed = started();
        messageLog.hold(10);
        List<String> remembered = new ArrayList<>();

        feed.received(7, StoredInFlight.EXACTLY_ONCE, () -> remembered.add("7"));
        loop.runTasks();
        assertThat(remembered).isEmpty();
        messageLog.release();
        assertThat(remembered).as("on the event loop").isEmpty();
        loop.runTasks();

        assertThat(remembered).containsExactly("7");
        assertThat(bucketLog.commands(0))
                .containsExactly(new BucketCommand.OutboundReceived(PUMP, registration.generation(), 7));
    }

    /** A node that was declared dead while it was frozen must not release a message: the node that took over may not know of its PUBREC. */
    @Test
    void pubrecIsReportedOnceTheNodeKnowsThatItIsAMember() {
        AtomicLong nanos = new AtomicLong();
        lease = new RoutingLease(Duration.ofSeconds(5), nanos::get, new SimpleMeterRegistry());
        DeviceFeed feed = started();
        List<String> remembered = new ArrayList<>();

        feed.received(7, StoredInFlight.EXACTLY_ONCE, () -> remembered.add("7"));
        feed.received(8, StoredInFlight.EXACTLY_ONCE, () -> remembered.add("8"));
        loop.runTasks();
        assertThat(bucketLog.commands(0)).hasSize(2);
        assertThat(remembered).isEmpty();
        lease.renew(nanos.get());
        feed.received(9, StoredInFlight.EXACTLY_ONCE, () -> remembered.add("9"));
        loop.runTasks();

        assertThat(remembered).containsExactly("7", "8", "9");
    }

    @Test
    void afterTheEndNoPubrecWaitsForTheLease() {
        lease = new RoutingLease(Duration.ofSeconds(5), () -> 0, new SimpleMeterRegistry());
        DeviceFeed feed = started();
        feed.received(7, StoredInFlight.EXACTLY_ONCE, () -> {
            throw new AssertionError("the client is gone");
        });
        loop.runTasks();

        feed.end();
        lease.renew(0);
        loop.runTasks();

        assertThat(heard.lost()).isEmpty();
    }

    @Test
    void aPubrecThatCannotBeStoredEndsTheConnection() {
        DeviceFeed feed = started();
        messageLog.failWith(new IllegalStateException("refused for good"));

        feed.received(7, StoredInFlight.EXACTLY_ONCE, () -> {
            throw new AssertionError("it is not remembered");
        });
        loop.runTasks();

        assertThat(heard.lost()).containsExactly("SERVER_BUSY: its PUBREC could not be stored");
    }

    @Test
    void afterTheEndNoPubrecIsReported() {
        DeviceFeed feed = started();
        messageLog.hold(10);
        feed.received(7, StoredInFlight.EXACTLY_ONCE, () -> {
            throw new AssertionError("the client is gone");
        });
        feed.received(8, StoredInFlight.EXACTLY_ONCE, () -> {
            throw new AssertionError("the client is gone");
        });

        feed.end();
        messageLog.failWith(new IllegalStateException("refused for good"));
        messageLog.release();
        loop.runTasks();

        assertThat(heard.lost()).isEmpty();
    }

    @Test
    void manyAcknowledgementsAreReportedAtOnceBeforeTheQueueFillsUp() {
        DeviceFeed feed = started();
        for (int i = 1; i <= 200; i++) {
            push(feed, "m" + i);
            takeOne(feed);
        }
        for (int i = 1; i < 125; i++) {
            feed.acknowledged(i);
        }
        assertThat(queues.acknowledgements()).as("below the limit").isEmpty();

        feed.acknowledged(125);
        assertThat(queues.acknowledgements()).containsExactly(List.of(acknowledgement(125)));
        for (int i = 126; i <= 200; i++) {
            feed.acknowledged(i);
        }
        assertThat(queues.acknowledgements()).hasSize(1);
    }

    @Test
    void largeAcknowledgedMessagesAreReportedAtOnceBeforeTheQueueFillsUp() {
        DeviceFeed feed = started();
        push(feed, "x".repeat(13_000_000));
        push(feed, "small");
        takeOne(feed);
        loop.runTasks();
        takeOne(feed);

        feed.acknowledgedBelow(2);
        assertThat(queues.acknowledgements()).hasSize(1);
        feed.acknowledgedBelow(3);
        assertThat(queues.acknowledgements()).hasSize(1);
    }
}
