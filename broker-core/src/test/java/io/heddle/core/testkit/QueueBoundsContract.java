package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.delivery.device.BucketApplied;
import io.heddle.core.delivery.device.BucketApplied.EnqueueOutcome;
import io.heddle.core.delivery.device.BucketApplied.EnqueueResult;
import io.heddle.core.delivery.device.DeviceQueues;
import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.delivery.device.QueuePage;
import io.heddle.core.session.persistent.SessionRegistry;
import io.heddle.core.session.persistent.SessionRegistry.Known;
import io.heddle.core.session.persistent.SessionRegistry.Registration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of {@link DeviceQueues} for the bounds of its queues. Each test starts with an empty store. */
public abstract class QueueBoundsContract extends QueueAcknowledgementContract {
    private static final String KILOBYTE = "k".repeat(1_000);

    @Test
    void aFullQueueRejectsTheNewestMessageWhichTakesASequenceNumber() {
        QueueBounds two = new QueueBounds(2, 1_000_000, false, 1);
        BucketApplied.Done done =
                done(next(to(PUMP, GENERATION, "a"), to(PUMP, GENERATION, "b"), to(PUMP, GENERATION, "c")), two);

        assertThat(done.results().getLast()).isEqualTo(new EnqueueResult(EnqueueOutcome.QUEUE_FULL, 3, 0));
        acknowledge(PUMP, GENERATION, 1);
        assertThat(done(next(to(PUMP, GENERATION, "d")), two).results())
                .containsExactly(new EnqueueResult(EnqueueOutcome.QUEUED, 4, 0));
        assertThat(waiting(PUMP, GENERATION)).containsExactly("2 b", "4 d");
    }

    @Test
    void theQueueIsBoundedByBytes() {
        QueueBounds little = new QueueBounds(1_000, 2_500, false, 1);
        BucketApplied.Done done = done(
                next(to(PUMP, GENERATION, KILOBYTE), to(PUMP, GENERATION, KILOBYTE), to(PUMP, GENERATION, KILOBYTE)),
                little);

        assertThat(done.results())
                .extracting(EnqueueResult::outcome)
                .containsExactly(EnqueueOutcome.QUEUED, EnqueueOutcome.QUEUED, EnqueueOutcome.QUEUE_FULL);
        acknowledge(PUMP, GENERATION, 2);
        assertThat(done(next(to(PUMP, GENERATION, KILOBYTE), to(PUMP, GENERATION, KILOBYTE)), little)
                        .results())
                .as("acknowledged messages take no room")
                .extracting(EnqueueResult::outcome)
                .containsExactly(EnqueueOutcome.QUEUED, EnqueueOutcome.QUEUED);
    }

    @Test
    void theOldestMessageIsEvictedIfAllowed() {
        QueueBounds two = new QueueBounds(2, 1_000_000, true, 1);
        Registration session = connect(PUMP, NEW, NODE);
        disconnect(PUMP, session.epoch(), 0);
        long generation = session.generation();
        BucketApplied.Done done = done(
                next(
                        to(PUMP, generation, "a"),
                        to(PUMP, generation, "b"),
                        to(PUMP, generation, "c"),
                        to(PUMP, generation, "d")),
                two);

        assertThat(done.results())
                .extracting(EnqueueResult::outcome)
                .containsExactly(
                        EnqueueOutcome.QUEUED,
                        EnqueueOutcome.QUEUED,
                        EnqueueOutcome.QUEUED_EVICTING,
                        EnqueueOutcome.QUEUED_EVICTING);
        assertThat(done.dropped()).isEqualTo(2);
        Registration again = connect(PUMP, generation, NODE);
        assertThat(again.head()).isEqualTo(3);
        assertThat(texts(page(PUMP, again, 1))).containsExactly("3 c", "4 d");
    }

    @Test
    void severalMessagesAreEvictedForALargeOne() {
        QueueBounds little = new QueueBounds(1_000, 3_500, true, 0);
        done(
                next(to(PUMP, GENERATION, KILOBYTE), to(PUMP, GENERATION, KILOBYTE), to(PUMP, GENERATION, KILOBYTE)),
                little);
        BucketApplied.Done done = done(next(to(PUMP, GENERATION, "x".repeat(2_000))), little);

        assertThat(done.results()).containsExactly(new EnqueueResult(EnqueueOutcome.QUEUED_EVICTING, 4, 0));
        assertThat(done.dropped()).isEqualTo(2);
        assertThat(waiting(PUMP, GENERATION)).containsExactly("3 " + KILOBYTE, "4 " + "x".repeat(2_000));
    }

    @Test
    void nothingIsEvictedForAMessageAboveTheBound() {
        QueueBounds little = new QueueBounds(1_000, 2_500, true, 0);
        done(next(to(PUMP, GENERATION, "a"), to(PUMP, GENERATION, "b")), little);
        BucketApplied.Done done = done(next(to(PUMP, GENERATION, "x".repeat(3_000))), little);

        assertThat(done.results()).containsExactly(new EnqueueResult(EnqueueOutcome.QUEUE_FULL, 3, 0));
        assertThat(done.dropped()).isZero();
        assertThat(waiting(PUMP, GENERATION)).containsExactly("1 a", "2 b");
    }

    private static final QueueBounds THREE = new QueueBounds(3, 1_000_000, true, 2);

    private QueuePage page(Registration session, long from, int maximumMessages) {
        return await(queues().page(
                        BUCKET, PUMP, session.generation(), session.epoch(), from, maximumMessages, Integer.MAX_VALUE));
    }

    @Test
    void messagesReadByAConnectedClientAreNotEvicted() {
        Registration session = connect(PUMP, NEW, NODE);
        long generation = session.generation();
        done(next(to(PUMP, generation, "a"), to(PUMP, generation, "b"), to(PUMP, generation, "c")), THREE);
        assertThat(texts(page(session, 1, 2))).containsExactly("1 a", "2 b");
        // Pushes are only hints for a client that is behind.
        pushedUpTo = 3;
        BucketApplied.Done done = done(next(to(PUMP, generation, "d"), to(PUMP, generation, "e")), THREE);

        assertThat(done.results()).extracting(EnqueueResult::outcome).containsOnly(EnqueueOutcome.QUEUED_EVICTING);
        assertThat(done.dropped()).isEqualTo(2);
        assertThat(texts(page(PUMP, session, 1))).containsExactly("1 a", "2 b", "5 e");
        acknowledge(PUMP, generation, 1);
        assertThat(texts(page(PUMP, session, 2))).containsExactly("2 b", "5 e");
        acknowledge(PUMP, generation, 2);
        assertThat(texts(page(PUMP, session, 3))).containsExactly("5 e");
        acknowledge(PUMP, generation, 5);
        assertThat(texts(page(PUMP, session, 1))).isEmpty();
    }

    @Test
    void messagesPushedInSyncAreNotEvicted() {
        Registration session = connect(PUMP, NEW, NODE);
        long generation = session.generation();
        done(next(to(PUMP, generation, "a")), THREE);
        assertThat(texts(page(session, 1, 10))).containsExactly("1 a");
        pushedUpTo = 0;
        done(next(to(PUMP, generation, "b")), THREE);
        pushedUpTo = 2;
        BucketApplied.Done done = done(next(to(PUMP, generation, "c"), to(PUMP, generation, "d")), THREE);

        assertThat(done.dropped()).isOne();
        assertThat(texts(page(PUMP, session, 1))).containsExactly("1 a", "2 b", "4 d");
        // The client has this message now, too.
        assertThat(done(next(to(PUMP, generation, "e")), THREE).results())
                .containsExactly(new EnqueueResult(EnqueueOutcome.QUEUE_FULL, 5, session.epoch()));
    }

    @Test
    void messagesPushedAfterAReportedLagAreEvicted() {
        Registration session = connect(PUMP, NEW, NODE);
        long generation = session.generation();
        page(session, 1, 10);
        done(next(to(PUMP, generation, "a"), to(PUMP, generation, "b"), to(PUMP, generation, "c")), THREE);
        pushedUpTo = 3;
        assertThat(done(next(to(PUMP, generation, "d")), THREE).dropped()).isZero();

        assertThat(page(session, 2, 0)).isEqualTo(new QueuePage(QueuePage.Ownership.OWNER, List.of(), 4));
        assertThat(done(next(to(PUMP, generation, "e")), THREE).dropped()).isOne();
        assertThat(texts(page(PUMP, session, 1))).containsExactly("1 a", "3 c", "5 e");
    }

    @Test
    void theNewestMessageIsRejectedWhenAllOthersAreInFlight() {
        QueueBounds two = new QueueBounds(2, 1_000_000, true, 10);
        Registration session = connect(PUMP, NEW, NODE);
        long generation = session.generation();
        done(next(to(PUMP, generation, "a"), to(PUMP, generation, "b")), two);
        assertThat(texts(page(PUMP, session, 1))).containsExactly("1 a", "2 b");
        BucketApplied.Done done = done(next(to(PUMP, generation, "c")), two);

        assertThat(done.results().getLast())
                .isEqualTo(new EnqueueResult(EnqueueOutcome.QUEUE_FULL, 3, session.epoch()));
        assertThat(done.dropped()).isZero();
        assertThat(texts(page(PUMP, session, 1))).containsExactly("1 a", "2 b");
    }

    @Test
    void messagesReadByEarlierConnectionsAreNotEvicted() {
        Registration session = connect(PUMP, NEW, NODE);
        long generation = session.generation();
        done(next(to(PUMP, generation, "a"), to(PUMP, generation, "b"), to(PUMP, generation, "c")), THREE);
        page(session, 1, 2);
        disconnect(PUMP, session.epoch(), 2);
        Registration next = connect(PUMP, generation, NODE);
        done(next(to(PUMP, generation, "d")), THREE);

        assertThat(texts(page(PUMP, next, 1))).containsExactly("1 a", "2 b", "4 d");
    }

    @Test
    void messagesPushedToARestoredRegistrationAreNotEvicted() {
        Registration session = connect(PUMP, NEW, NODE);
        long generation = session.generation();
        done(next(to(PUMP, generation, "a"), to(PUMP, generation, "b"), to(PUMP, generation, "c")), THREE);
        page(session, 1, 1);
        await(registry().restore(BUCKET, List.of(new Known(PUMP, generation, session.epoch(), NODE))));
        pushedUpTo = 3;

        assertThat(done(next(to(PUMP, generation, "d")), THREE).results())
                .containsExactly(new EnqueueResult(EnqueueOutcome.QUEUE_FULL, 4, session.epoch()));
    }

    @Test
    void messagesSentToADisconnectedClientAreNotEvicted() {
        QueueBounds three = new QueueBounds(3, 1_000_000, true, 3);
        Registration session = connect(PUMP, NEW, NODE);
        long generation = session.generation();
        done(next(to(PUMP, generation, "a"), to(PUMP, generation, "b"), to(PUMP, generation, "c")), three);
        disconnect(PUMP, session.epoch(), 1);
        BucketApplied.Done done = done(next(to(PUMP, generation, "d"), to(PUMP, generation, "e")), three);

        assertThat(done.dropped()).isEqualTo(2);
        assertThat(waiting(PUMP, generation)).containsExactly("1 a", "4 d", "5 e");
    }

    @Test
    void withoutARecordOfTheLastOwnerTheFirstMessagesCountAsInFlight() {
        QueueBounds three = new QueueBounds(3, 1_000_000, true, 2);
        Registration session = connect(PUMP, NEW, NODE);
        long generation = session.generation();
        done(next(to(PUMP, generation, "a"), to(PUMP, generation, "b"), to(PUMP, generation, "c")), three);
        disconnect(PUMP, session.epoch(), SessionRegistry.UNKNOWN);
        done(next(to(PUMP, generation, "d")), three);

        assertThat(waiting(PUMP, generation)).containsExactly("1 a", "2 b", "4 d");
    }
}
