package io.heddle.core.delivery.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.delivery.log.OutboundQueue.StoredInFlight;
import io.heddle.core.delivery.log.SequenceRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A feed stores PUBRECs before PUBREL is sent, and removes them after PUBCOMP. */
final class ApplicationPubRecTest extends ApplicationFeedFixture {
    @Test
    void pubRelWaitsUntilNoOtherNodeCanHaveRestoredAnEarlierProgress() {
        List<String> remembered = new ArrayList<>();
        ApplicationFeed feed = started();
        leaseNanos += Duration.ofSeconds(5).toNanos();
        feed.received(1, StoredInFlight.EXACTLY_ONCE, () -> remembered.add("1"));
        loop.runTasks();
        feed.received(0, StoredInFlight.EXACTLY_ONCE, () -> remembered.add("0"));
        loop.runTasks();
        assertThat(last().received()).containsExactly(1L, 0L);
        assertThat(remembered).as("the lease has ended").isEmpty();

        lease.renew(leaseNanos);
        loop.runTasks();
        assertThat(remembered).containsExactly("1", "0");
        feed.end();
        assertThat(metrics.get("heddle.cluster.lease.publishers").gauge().value())
                .isZero();
    }

    @Test
    void aPubrecIsDurableBeforeItIsAnswered() {
        ApplicationFeed feed = started();
        append("a", "b", "c");
        drain(feed);
        List<String> remembered = new ArrayList<>();
        progressLog.hold();
        feed.received(1, StoredInFlight.EXACTLY_ONCE, () -> remembered.add("1"));
        feed.received(0, StoredInFlight.EXACTLY_ONCE, () -> remembered.add("0"));
        feed.received(2, StoredInFlight.EXACTLY_ONCE, () -> remembered.add("2"));
        loop.runTasks();
        assertThat(remembered).isEmpty();

        double before = written();
        progressLog.release();
        loop.runTasks();
        assertThat(remembered).containsExactly("1", "0", "2");
        assertThat(written()).as("both tasks shared one write").isEqualTo(before + 1);
        assertThat(last().received()).containsExactly(1L, 0L, 2L);
        feed.acknowledged(1);
        loop.advance(BATCH_DELAY);
        assertThat(last())
                .isEqualTo(new Progress(0, List.of(new SequenceRange(1, 2)), List.of(0L, 2L), Progress.UNKNOWN));
    }

    @Test
    void aPubrecThatCannotBeStoredEndsTheConnection() {
        ApplicationFeed feed = started();
        append("a");
        drain(feed);
        progressLog.failWith(new IllegalStateException("refused"));
        feed.received(0, StoredInFlight.EXACTLY_ONCE, () -> {
            throw new AssertionError("not remembered");
        });
        loop.runTasks();

        assertThat(heard.lost()).hasSize(1);
    }

    @Test
    void aMessageCompletedBeforeItIsReadIsNotRedelivered() {
        ApplicationFeed first = started();
        append("a", "b");
        drain(first);
        first.received(1, StoredInFlight.EXACTLY_ONCE, () -> {});
        first.end();
        loop.runTasks();

        // PUBCOMP arrives before the log is read again.
        progressLog.hold();
        ApplicationFeed second = opened();
        second.begin();
        second.acknowledged(1);
        progressLog.release();
        loop.runTasks();
        loop.advance(BATCH_DELAY);
        assertThat(last().received()).isEmpty();
        assertThat(last().acknowledged()).containsExactly(new SequenceRange(1, 2));
        restart();
        assertThat(drain(started())).containsExactly("0 a again");
    }
}
