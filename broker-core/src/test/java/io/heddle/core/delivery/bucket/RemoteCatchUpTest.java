package io.heddle.core.delivery.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.RecordingQueueReader;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The clients of other nodes in a catch-up. {@link CatchUpThrottleTest} covers those of this node. */
final class RemoteCatchUpTest {
    private static final Incarnation FROZEN = new Incarnation(1, 1);
    private static final Incarnation LIVING = new Incarnation(2, 2);
    private static final long PATIENCE = CatchUpThrottle.PATIENCE_MILLIS;

    private long millis;
    private Runnable whileNapping = () -> {};
    private final CatchUpThrottle throttle = new CatchUpThrottle(
            new QueueBounds(8, 4_000, true, 1),
            new SteadyClock(InstantSource.fixed(Instant.EPOCH), () -> TimeUnit.MILLISECONDS.toNanos(millis)),
            new SimpleMeterRegistry());

    /** A client of another node. */
    private static final class Remote implements RemoteTarget {
        private final Incarnation node;
        private long acknowledgedBelow;

        Remote(Incarnation node) {
            this.node = node;
        }

        @Override
        public Incarnation node() {
            return node;
        }

        @Override
        public long epoch() {
            return 1;
        }

        @Override
        public long reportedBelow() {
            return acknowledgedBelow;
        }

        @Override
        public long pushedUpTo() {
            return 0;
        }

        @Override
        public void pushing(long sequence) {
            throw new AssertionError("nothing is pushed");
        }

        @Override
        public void push(long sequence, BucketCommand.Enqueue command, QueueRecipient recipient) {
            throw new AssertionError("nothing is pushed");
        }

        @Override
        public void pushFilledUpTo(long sequence) {
            throw new AssertionError("nothing is pushed");
        }
    }

    /** Applies a portion for each target, one after another, and returns the time that they were waited for. */
    private long waited(PushTarget... targets) {
        long start = millis;
        for (PushTarget target : targets) {
            throttle.recordQueued(target, 6, 1);
            while (throttle.isWaiting()) {
                millis += 2;
                whileNapping.run();
            }
        }
        return millis - start;
    }

    private Remote[] clients(int count, Incarnation node) {
        return IntStream.range(0, count).mapToObj(_ -> new Remote(node)).toArray(Remote[]::new);
    }

    private void outage() {
        throttle.onUnanswered(millis);
        millis += 60_000;
        throttle.onAnswered(millis);
    }

    @Test
    void theClientsOfAFrozenNodeDelayTheOthersOnceTogether() {
        outage();

        assertThat(waited(clients(20, FROZEN))).isEqualTo(PATIENCE);
    }

    @Test
    void aFrozenNodeDoesNotSpeedUpTheClientsOfOthers() {
        outage();
        Remote living = new Remote(LIVING);
        RecordingQueueReader local = new RecordingQueueReader(new ManualEventLoop(0), 1);
        assertThat(waited(clients(3, FROZEN))).isEqualTo(PATIENCE);
        long start = millis;
        whileNapping = () -> {
            living.acknowledgedBelow = millis - start >= 1_000 ? 7 : 0;
            local.reportedBelow(millis - start >= 1_800 ? 7 : 0);
        };

        assertThat(waited(living)).isEqualTo(1_000);
        assertThat(waited(local)).isEqualTo(800);
    }

    @Test
    void oneStuckClientDoesNotSpoilTheOtherClientsOfItsNode() {
        outage();
        Remote stuck = new Remote(LIVING);
        Remote slow = new Remote(LIVING);
        long start = millis;
        whileNapping = () -> slow.acknowledgedBelow = (millis - start) / 1_500;
        throttle.recordQueued(stuck, 6, 1);

        assertThat(waited(slow)).as("until it has acknowledged enough").isEqualTo(4_500);
        whileNapping = () -> {};
        assertThat(waited(stuck)).isZero();
    }

    @Test
    void theNextOutageGivesANodeItsPatienceAgain() {
        outage();
        assertThat(waited(clients(3, FROZEN))).isEqualTo(PATIENCE);
        millis += CatchUpThrottle.LONGEST_MILLIS;
        assertThat(throttle.nextPortion()).as("in step").isNull();

        outage();

        assertThat(waited(clients(3, FROZEN))).isEqualTo(PATIENCE);
    }
}
