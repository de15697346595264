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
    void aPublisherOnTheSameLoopPausesAtOnceAndResumesWhenTheClientHasCaughtUp() {
        congested();
        assertThat(slow.isPausing()).isTrue();

        slow.pause(inflow);
        slow.pause(inflow);
        assertThat(publisher.isReading()).isFalse();
        assertThat(inflow.isPaused()).isTrue();

        subscriber.writable(true);
        slow.onWritable();
        assertThat(publisher.isReading()).isTrue();
        assertThat(resumed).isOne();
        assertThat(loop.timers()).isZero();
    }

    @Test
    void aPublisherOnAnotherLoopIsPausedByATask() {
        RecordingConnection far = new RecordingConnection(otherLoop);
        Inflow farInflow = new Inflow(far, () -> {});
        otherLoop.leave();
        congested();

        slow.pause(farInflow);
        assertThat(far.isReading()).isTrue();
        otherLoop.runTasks();
        assertThat(far.isReading()).isFalse();

        slow.onWritable();
        otherLoop.runTasks();
        assertThat(far.isReading()).isTrue();
    }

    @Test
    void aPublisherResumesWhenAllItsSlowReadersHaveCaughtUpAndNoPacketIsUnfinished() {
        SlowReader second = new SlowReader(subscriber, PATIENCE);
        congested();
        slow.pause(inflow);
        second.pause(inflow);
        inflow.pause();

        slow.onWritable();
        second.onWritable();
        assertThat(publisher.isReading()).isFalse();

        inflow.resume();
        assertThat(publisher.isReading()).isTrue();
    }

    @Test
    void aClientThatDoesNotReadSlowsItsPublishersForABoundedTime() {
        congested();
        slow.pause(inflow);
        loop.advance(PATIENCE.minusMillis(1));
        assertThat(publisher.isReading()).isFalse();

        loop.advance(Duration.ofMillis(1));

        assertThat(publisher.isReading()).isTrue();
        assertThat(slow.isPausing()).isFalse();
    }

    @Test
    void aPublisherPausedUntilTheTimeoutIsNotPausedAgainForTenTimesAsLong() {
        congested();
        slow.pause(inflow);
        loop.advance(PATIENCE);
        SlowReader another = new SlowReader(subscriber, PATIENCE);

        another.pause(inflow);
        assertThat(publisher.isReading()).isTrue();
        another.onWritable();
        loop.advance(PATIENCE.multipliedBy(10));
        another.pause(inflow);

        assertThat(publisher.isReading()).isFalse();
    }

    @Test
    void aClosedConnectionResumesItsPublishers() {
        congested();
        slow.pause(inflow);

        slow.end();

        assertThat(publisher.isReading()).isTrue();
        assertThat(slow.isPausing()).isFalse();
    }

    @Test
    void aPublisherWithAClosedConnectionIsNotResumed() {
        congested();
        slow.pause(inflow);
        inflow.end();

        slow.onWritable();

        assertThat(publisher.isReading()).isFalse();
        assertThat(resumed).isZero();
    }
}
