package io.heddle.core.backpressure;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.RecordingConnection;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SlowReaderTest {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final ManualEventLoop loop = new ManualEventLoop(0);
    private final ManualEventLoop otherLoop = new ManualEventLoop(1);
    private final RecordingConnection subscriber = new RecordingConnection(loop);
    private final RecordingConnection publisher = new RecordingConnection(loop);
    private final SlowReader slow = new SlowReader(subscriber, PATIENCE);
    private int resumed;
    private final Inflow inflow = new Inflow(publisher, () -> resumed++);

    private void congested() {
        subscriber.writable(false);
        subscriber.congested(true);
    }

    @Test
    void aPublisherOnTheSameLoopIsHeldAtOnceAndReleasedWhenTheClientHasCaughtUp() {
        congested();
        assertThat(slow.isHolding()).isTrue();

        slow.hold(inflow);
        slow.hold(inflow);
        assertThat(publisher.isReading()).isFalse();
        assertThat(inflow.isPaused()).isTrue();

        subscriber.writable(true);
        slow.becameWritable();
        assertThat(publisher.isReading()).isTrue();
        assertThat(resumed).isOne();
        assertThat(loop.timers()).isZero();
    }

    @Test
    void aPublisherOnAnotherLoopIsHeldByATask() {
        RecordingConnection far = new RecordingConnection(otherLoop);
        Inflow farInflow = new Inflow(far, () -> {});
        otherLoop.leave();
        congested();

        slow.hold(farInflow);
        assertThat(far.isReading()).isTrue();
        otherLoop.runTasks();
        assertThat(far.isReading()).isFalse();

        slow.becameWritable();
        otherLoop.runTasks();
        assertThat(far.isReading()).isTrue();
    }

    @Test
    void aPublisherResumesWhenAllItsSlowReadersHaveCaughtUpAndNoPacketIsUnfinished() {
        SlowReader second = new SlowReader(subscriber, PATIENCE);
        congested();
        slow.hold(inflow);
        second.hold(inflow);
        inflow.pause();

        slow.becameWritable();
        second.becameWritable();
        assertThat(publisher.isReading()).isFalse();

        inflow.resume();
        assertThat(publisher.isReading()).isTrue();
    }

    @Test
    void aClientThatDoesNotReadSlowsItsPublishersForABoundedTime() {
        congested();
        slow.hold(inflow);
        loop.advance(PATIENCE.minusMillis(1));
        assertThat(publisher.isReading()).isFalse();

        loop.advance(Duration.ofMillis(1));

        assertThat(publisher.isReading()).isTrue();
        assertThat(slow.isHolding()).isFalse();
    }

    @Test
    void aPublisherHeldInVainIsNotHeldAgainForTenTimesAsLong() {
        congested();
        slow.hold(inflow);
        loop.advance(PATIENCE);
        SlowReader another = new SlowReader(subscriber, PATIENCE);

        another.hold(inflow);
        assertThat(publisher.isReading()).isTrue();
        another.becameWritable();
        loop.advance(PATIENCE.multipliedBy(10));
        another.hold(inflow);

        assertThat(publisher.isReading()).isFalse();
    }

    @Test
    void aClosedConnectionReleasesItsPublishers() {
        congested();
        slow.hold(inflow);

        slow.end();

        assertThat(publisher.isReading()).isTrue();
        assertThat(slow.isHolding()).isFalse();
    }

    @Test
    void aPublisherWithAClosedConnectionIsNotResumed() {
        congested();
        slow.hold(inflow);
        inflow.end();

        slow.becameWritable();

        assertThat(publisher.isReading()).isFalse();
        assertThat(resumed).isZero();
    }
}
