package io.heddle.core.delivery.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.log.LogAppend.ToApplication;
import io.heddle.core.delivery.log.OutboundQueue.StoredInFlight;
import io.heddle.core.delivery.log.OutboundQueue.StoredMessage;
import io.heddle.core.delivery.log.SequenceRange;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.testkit.InMemoryApplicationLogs;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ApplicationFeedTest extends ApplicationFeedFixture {
    @Test
    void storedAndNewMessagesAreFedInOrder() {
        append("a", "b");
        ApplicationFeed feed = started();
        assertThat(heard.ready()).isOne();
        assertThat(drain(feed)).containsExactly("0 a", "1 b");

        append("c");
        assertThat(heard.ready()).isEqualTo(2);
        assertThat(feed.peek())
                .isEqualTo(new StoredMessage(2, message("c"), QoS.EXACTLY_ONCE, false, List.of(3), false, false));
    }

    @Test
    void nothingIsFedBeforeTheOpeningOfTheConnectionIsDurable() {
        append("a");
        progressLog.hold();
        ApplicationFeed feed = started();
        assertThat(feed.peek()).isNull();
        assertThat(heard.ready()).isZero();

        progressLog.release();
        loop.runTasks();
        assertThat(heard.ready()).isOne();
        assertThat(drain(feed)).containsExactly("0 a");
        assertThat(last().sentBelow()).isEqualTo(Progress.UNKNOWN);
    }

    @Test
    void messagesThatTheClientDoesNotTakeStayInTheLog() {
        ApplicationFeed feed = started();
        for (int i = 0; i < 500; i++) {
            append("x".repeat(200));
        }
        assertThat(feed.waiting()).isBetween(1L, 200L);

        assertThat(drain(feed)).hasSize(500);
    }

    @Test
    void gapsInTheLogAreSkipped() {
        ApplicationFeed feed = started();
        append("a");
        logs.skip(APP);
        logs.skip(APP);
        append(GENERATION - 1, "of an earlier session");
        append("b");
        assertThat(drain(feed)).containsExactly("0 a", "4 b");

        feed.acknowledged(0);
        loop.advance(BATCH_DELAY);
        assertThat(last().lowest()).isEqualTo(4);
        feed.acknowledged(4);
        loop.advance(BATCH_DELAY);
        assertThat(last().lowest()).isEqualTo(5);
    }

    @Test
    void acknowledgementsAreBatchedAndWrittenAsynchronously() {
        ApplicationFeed feed = started();
        append("a", "b", "c", "d");
        drain(feed);
        double before = written();
        feed.acknowledged(0);
        feed.acknowledged(2);
        feed.acknowledged(3);
        loop.runTasks();
        assertThat(written()).isEqualTo(before);

        loop.advance(BATCH_DELAY);
        assertThat(written()).isEqualTo(before + 1);
        assertThat(last()).isEqualTo(new Progress(1, List.of(new SequenceRange(2, 4)), List.of(), Progress.UNKNOWN));
        loop.advance(BATCH_DELAY.multipliedBy(10));
        assertThat(written()).as("nothing has changed").isEqualTo(before + 1);
        assertThat(logs.removedBelow(APP)).isEqualTo(1);
    }

    @Test
    void oneRecordIsInFlightDuringAnOutage() {
        ApplicationFeed feed = started();
        append("a", "b", "c", "d");
        drain(feed);
        double before = written();
        progressLog.hold();
        for (long i = 0; i < 4; i++) {
            feed.acknowledged(i);
            loop.advance(BATCH_DELAY);
        }
        assertThat(written()).isEqualTo(before + 1);
        assertThat(logs.removedBelow(APP))
                .as("messages whose acknowledgement is not in the log stay")
                .isEqualTo(1);

        progressLog.release();
        loop.runTasks();
        loop.advance(BATCH_DELAY);
        assertThat(written()).isEqualTo(before + 2);
        assertThat(last().lowest()).isEqualTo(4);
        assertThat(logs.removedBelow(APP)).isEqualTo(4);
    }

    @Test
    void unacknowledgedMessagesAreRedeliveredToTheNextConnection() {
        ApplicationFeed first = started();
        append("a", "b", "c", "d");
        assertThat(drain(first)).hasSize(4);
        append("e");
        first.received(1, StoredInFlight.EXACTLY_ONCE, () -> {});
        first.acknowledged(2);
        first.end();
        loop.runTasks();
        assertThat(last()).isEqualTo(new Progress(0, List.of(new SequenceRange(2, 3)), List.of(1L), 4));

        ApplicationFeed second = started();
        assertThat(second.first()).isZero();
        assertThat(second.received()).containsExactly(1L);
        assertThat(second.duplicatesUpTo()).isEqualTo(3);
        assertThat(drain(second)).containsExactly("0 a again", "1 b again received", "3 d again", "4 e");
    }

    @Test
    void writtenProgressSurvivesAKilledNode() {
        ApplicationFeed first = started();
        append("a", "b", "c", "d");
        drain(first);
        first.acknowledged(0);
        first.acknowledged(2);
        first.received(3, StoredInFlight.EXACTLY_ONCE, () -> {});
        loop.runTasks();
        first.acknowledged(1);

        restart();
        ApplicationFeed second = started();
        append("e");
        assertThat(second.duplicatesUpTo()).isEqualTo(1 + SPAN);
        assertThat(drain(second)).containsExactly("1 b again", "3 d again received", "4 e again");
        assertThat(last().lowest()).isEqualTo(1);
    }

    @Test
    void aSessionWithoutProgressGetsItsWholeLog() {
        append(GENERATION - 1, "old");
        append("a");
        progressLog.append(new ProgressKey(APP, GENERATION, 0), null);
        restart();

        assertThat(drain(started())).containsExactly("1 a again");
    }

    @Test
    void onlyTheProgressOfTheLastConnectionIsKept() {
        for (int i = 0; i < 3; i++) {
            ApplicationFeed feed = started();
            feed.end();
            loop.runTasks();
        }
        assertThat(stored()).hasSize(1);

        sessions.end(APP, GENERATION);
        assertThat(stored()).isEmpty();
    }

    @Test
    void aStartRemovesTheProgressOfEndedSessions() {
        started();
        progressLog.append(new ProgressKey(APP, GENERATION, 1), Progress.startingAt(7));
        progressLog.append(new ProgressKey(new ClientId("gone"), 3, 4), Progress.startingAt(1));

        restart();
        assertThat(last().lowest()).isZero();
    }

    @Test
    void theLogsReceiveTheProgressOfEachSessionAlsoAfterARestart() {
        append("a", "b");
        sessions.begin(APP, GENERATION + 1).toCompletableFuture().join();
        assertThat(logs.removedBelow(APP)).isEqualTo(2);

        InMemoryApplicationLogs same = new InMemoryApplicationLogs();
        same.create(APP, GENERATION).toCompletableFuture().join();
        same.append(new ToApplication(APP, GENERATION, message("a"), QoS.EXACTLY_ONCE, false, List.of()));
        progressLog.append(new ProgressKey(APP, GENERATION, epoch), Progress.startingAt(1));
        ApplicationSessions next = new ApplicationSessions(same, progressLog, lease, metrics);
        next.follow(_ -> {});
        take(next);
        assertThat(same.removedBelow(APP)).isEqualTo(1);
    }

    @Test
    void anEndedConnectionIsFedNothing() {
        ApplicationFeed feed = started();
        append("a");
        feed.end();
        logs.append(new ToApplication(APP, GENERATION, message("b"), QoS.AT_LEAST_ONCE, false, List.of()));
        loop.runTasks();

        assertThat(feed.peek()).isNull();
        assertThat(heard.lost()).isEmpty();
    }

    @Test
    void tooManyGapsBetweenAcknowledgementsStopTheFeed() {
        ApplicationFeed feed = started();
        int count = 5_000;
        for (int i = 0; i < count; i++) {
            append("m");
        }
        // Every second message is acknowledged.
        int taken = 0;
        for (StoredMessage fed = feed.peek(); fed != null; fed = feed.peek()) {
            feed.take();
            loop.runTasks();
            taken++;
            if (fed.sequence() % 2 == 1) {
                feed.acknowledged(fed.sequence());
            }
        }
        assertThat(taken).isEqualTo(2 * 2_048);

        feed.acknowledged(0);
        assertThat(feed.peek()).isNotNull();
    }
}
