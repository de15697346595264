package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.delivery.device.BucketApplied;
import io.heddle.core.delivery.device.BucketApplied.Fate;
import io.heddle.core.delivery.device.BucketApplied.Placement;
import io.heddle.core.delivery.device.DeviceQueues;
import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.session.SessionRegistry;
import io.heddle.core.session.SessionRegistry.Registration;
import org.junit.jupiter.api.Test;

/** What every {@link DeviceQueues} promises of the bounds of its queues. Each test begins with an empty store. */
public abstract class QueueBoundsContract extends QueueAcknowledgementContract {
    private static final String KILOBYTE = "k".repeat(1_000);

    @Test
    void aFullQueueRefusesTheNewestWhichTakesANumber() {
        QueueBounds two = new QueueBounds(2, 1_000_000, false, 1);
        BucketApplied.Done done =
                done(next(to(PUMP, GENERATION, "a"), to(PUMP, GENERATION, "b"), to(PUMP, GENERATION, "c")), two);

        assertThat(done.placements().getLast()).isEqualTo(new Placement(Fate.QUEUE_FULL, 3, 0));
        acknowledge(PUMP, GENERATION, 1);
        assertThat(done(next(to(PUMP, GENERATION, "d")), two).placements())
                .containsExactly(new Placement(Fate.QUEUED, 4, 0));
        assertThat(waiting(PUMP, GENERATION)).containsExactly("2 b", "4 d");
    }

    @Test
    void bytesAreABoundToo() {
        QueueBounds little = new QueueBounds(1_000, 2_500, false, 1);
        BucketApplied.Done done = done(
                next(to(PUMP, GENERATION, KILOBYTE), to(PUMP, GENERATION, KILOBYTE), to(PUMP, GENERATION, KILOBYTE)),
                little);

        assertThat(done.placements())
                .extracting(Placement::fate)
                .containsExactly(Fate.QUEUED, Fate.QUEUED, Fate.QUEUE_FULL);
        acknowledge(PUMP, GENERATION, 2);
        assertThat(done(next(to(PUMP, GENERATION, KILOBYTE), to(PUMP, GENERATION, KILOBYTE)), little)
                        .placements())
                .as("what was acknowledged takes no room")
                .extracting(Placement::fate)
                .containsExactly(Fate.QUEUED, Fate.QUEUED);
    }

    @Test
    void theOldestGivesWayWhenItMay() {
        QueueBounds two = new QueueBounds(2, 1_000_000, true, 1);
        Registration session = connect(PUMP, SessionRegistry.NEW, NODE);
        disconnect(PUMP, session.epoch(), 0);
        long generation = session.generation();
        BucketApplied.Done done = done(
                next(
                        to(PUMP, generation, "a"),
                        to(PUMP, generation, "b"),
                        to(PUMP, generation, "c"),
                        to(PUMP, generation, "d")),
                two);

        assertThat(done.placements()).extracting(Placement::fate).containsOnly(Fate.QUEUED);
        assertThat(done.dropped()).isEqualTo(2);
        Registration again = connect(PUMP, generation, NODE);
        assertThat(again.head()).isEqualTo(3);
        assertThat(texts(page(PUMP, again, 1))).containsExactly("3 c", "4 d");
    }

    @Test
    void severalGiveWayToALargeOne() {
        QueueBounds little = new QueueBounds(1_000, 3_500, true, 0);
        done(
                next(to(PUMP, GENERATION, KILOBYTE), to(PUMP, GENERATION, KILOBYTE), to(PUMP, GENERATION, KILOBYTE)),
                little);
        BucketApplied.Done done = done(next(to(PUMP, GENERATION, "x".repeat(2_000))), little);

        assertThat(done.placements()).containsExactly(new Placement(Fate.QUEUED, 4, 0));
        assertThat(done.dropped()).isEqualTo(2);
        assertThat(waiting(PUMP, GENERATION)).containsExactly("3 " + KILOBYTE, "4 " + "x".repeat(2_000));
    }

    @Test
    void nothingGivesWayToOneThatFitsNowhere() {
        QueueBounds little = new QueueBounds(1_000, 2_500, true, 0);
        done(next(to(PUMP, GENERATION, "a"), to(PUMP, GENERATION, "b")), little);
        BucketApplied.Done done = done(next(to(PUMP, GENERATION, "x".repeat(3_000))), little);

        assertThat(done.placements()).containsExactly(new Placement(Fate.QUEUE_FULL, 3, 0));
        assertThat(done.dropped()).isZero();
        assertThat(waiting(PUMP, GENERATION)).containsExactly("1 a", "2 b");
    }

    @Test
    void theFirstOfAConnectedClientAreInFlightAndDoNotGiveWay() {
        QueueBounds three = new QueueBounds(3, 1_000_000, true, 2);
        Registration session = connect(PUMP, SessionRegistry.NEW, NODE);
        long generation = session.generation();
        done(next(to(PUMP, generation, "a"), to(PUMP, generation, "b"), to(PUMP, generation, "c")), three);
        BucketApplied.Done done = done(next(to(PUMP, generation, "d"), to(PUMP, generation, "e")), three);

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
    void whenAllIsInFlightTheNewestIsRefused() {
        QueueBounds two = new QueueBounds(2, 1_000_000, true, 10);
        Registration session = connect(PUMP, SessionRegistry.NEW, NODE);
        long generation = session.generation();
        BucketApplied.Done done =
                done(next(to(PUMP, generation, "a"), to(PUMP, generation, "b"), to(PUMP, generation, "c")), two);

        assertThat(done.placements().getLast()).isEqualTo(new Placement(Fate.QUEUE_FULL, 3, session.epoch()));
        assertThat(done.dropped()).isZero();
        assertThat(texts(page(PUMP, session, 1))).containsExactly("1 a", "2 b");
    }

    @Test
    void whatWasSentToAClientThatIsGoneDoesNotGiveWay() {
        QueueBounds three = new QueueBounds(3, 1_000_000, true, 3);
        Registration session = connect(PUMP, SessionRegistry.NEW, NODE);
        long generation = session.generation();
        done(next(to(PUMP, generation, "a"), to(PUMP, generation, "b"), to(PUMP, generation, "c")), three);
        disconnect(PUMP, session.epoch(), 1);
        BucketApplied.Done done = done(next(to(PUMP, generation, "d"), to(PUMP, generation, "e")), three);

        assertThat(done.dropped()).isEqualTo(2);
        assertThat(waiting(PUMP, generation)).containsExactly("1 a", "4 d", "5 e");
    }

    @Test
    void whenTheLastOwnerDidNotSayTheFirstAreInFlight() {
        QueueBounds three = new QueueBounds(3, 1_000_000, true, 2);
        Registration session = connect(PUMP, SessionRegistry.NEW, NODE);
        long generation = session.generation();
        done(next(to(PUMP, generation, "a"), to(PUMP, generation, "b"), to(PUMP, generation, "c")), three);
        disconnect(PUMP, session.epoch(), SessionRegistry.UNKNOWN);
        done(next(to(PUMP, generation, "d")), three);

        assertThat(waiting(PUMP, generation)).containsExactly("1 a", "2 b", "4 d");
    }
}
