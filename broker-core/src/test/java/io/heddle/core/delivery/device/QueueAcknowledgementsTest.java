package io.heddle.core.delivery.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.device.DeviceQueues.Acknowledgement;
import io.heddle.core.testkit.FaultyDeviceQueues;
import io.heddle.core.testkit.InMemoryBucketLog;
import io.heddle.core.testkit.InMemoryDeviceQueues;
import io.heddle.core.testkit.InMemoryMessageLog;
import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.UnboundedLag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class QueueAcknowledgementsTest {
    private static final long VIEW_ID = 5;

    private static final Duration BATCH_DELAY = Duration.ofMillis(20);
    private static final Duration AFTER_FAILURE = Duration.ofMillis(500);

    private final ManualEventLoop loop = new ManualEventLoop(0);
    private final FaultyDeviceQueues queues = new FaultyDeviceQueues(new InMemoryDeviceQueues());
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final InMemoryMessageLog messageLog =
            new InMemoryMessageLog(new InMemoryBucketLog(1), UnboundedLag.positions(1));
    private final QueueAcknowledgements acknowledgements = new QueueAcknowledgements(
            queues, new AcknowledgementLog(messageLog, loop, Duration.ZERO, metrics), loop, metrics);
    private final Map<String, QueueProgress> clients = new HashMap<>();

    @Test
    void acknowledgementsOfManyClientsShareOneCall() {
        acknowledged(3, "a", 1);
        acknowledged(3, "b", 4);
        acknowledged(3, "a", 2);
        acknowledged(5, "c", 1);
        assertThat(queues.acknowledgements()).isEmpty();
        assertThat(loop.timers()).as("one timer for all").isOne();

        loop.advance(BATCH_DELAY);

        assertThat(queues.acknowledgements())
                .containsExactlyInAnyOrder(List.of(of("a", 2), of("b", 4)), List.of(of("c", 1)));
        loop.advance(BATCH_DELAY);
        assertThat(queues.acknowledgements()).as("sent once").hasSize(2);
        assertThat(loop.timers()).as("no timer runs without acknowledgements").isZero();
    }

    @Test
    void aFullBatchIsSentAtOnce() {
        for (int i = 0; i < 256; i++) {
            acknowledged(3, "client-" + i, 1);
        }

        assertThat(queues.acknowledgements()).hasSize(1);
        assertThat(queues.acknowledgements().getFirst()).hasSize(256);
    }

    @Test
    void acknowledgementsOfAFailedCallAreSentAgainWithLaterOnes() {
        queues.refuse(bucket -> true);
        acknowledged(3, "a", 1);
        acknowledged(3, "b", 1);
        loop.advance(BATCH_DELAY);
        acknowledged(3, "a", 9);
        loop.advance(AFTER_FAILURE.minusMillis(1));
        assertThat(queues.acknowledgements()).as("a failed bucket rests").hasSize(1);

        queues.heal();
        loop.advance(AFTER_FAILURE);

        assertThat(queues.acknowledgements()).hasSize(2);
        assertThat(queues.acknowledgements().getLast()).containsExactlyInAnyOrder(of("a", 9), of("b", 1));
        assertThat(metrics.counter("heddle.queues.acknowledge.failures").count())
                .isOne();
        loop.advance(AFTER_FAILURE);
        assertThat(queues.acknowledgements()).hasSize(2);
    }

    @Test
    void anOutageDoesNotCauseACallForEachAcknowledgement() {
        queues.refuse(bucket -> true);
        for (int i = 0; i < 2_000; i++) {
            acknowledged(3, "client-" + i, 1);
            loop.runTasks();
        }
        loop.advance(AFTER_FAILURE.multipliedBy(10));
        assertThat(queues.acknowledgements()).hasSizeLessThanOrEqualTo(12);

        queues.heal();
        loop.advance(AFTER_FAILURE.plus(BATCH_DELAY));
        assertThat(queues.acknowledgements().getLast()).as("none is lost").hasSize(2_000);
    }

    @Test
    void oneCallToABucketIsInFlightAtATime() {
        queues.hold();
        acknowledged(3, "a", 1);
        loop.advance(BATCH_DELAY);
        acknowledged(3, "a", 2);
        acknowledged(4, "b", 1);
        loop.advance(BATCH_DELAY);
        assertThat(queues.acknowledgements()).containsExactly(List.of(of("a", 1)), List.of(of("b", 1)));

        queues.release();
        loop.runTasks();
        loop.advance(BATCH_DELAY);

        assertThat(queues.acknowledgements()).hasSize(3).endsWith(List.of(of("a", 2)));
    }

    @Test
    void aFailingBucketDelaysNoOther() {
        queues.refuse(bucket -> bucket == 3);
        acknowledged(3, "a", 1);
        loop.advance(BATCH_DELAY);

        acknowledged(4, "b", 1);
        loop.advance(BATCH_DELAY);

        assertThat(queues.acknowledgements()).containsExactly(List.of(of("a", 1)), List.of(of("b", 1)));
    }

    @Test
    void flushSendsAtOnceDespiteACallInFlight() {
        queues.hold();
        acknowledged(3, "a", 1);
        acknowledgements.flush(3);
        acknowledged(3, "b", 1);

        acknowledgements.flush(3);
        acknowledgements.flush(3);
        acknowledgements.flush(7);

        assertThat(queues.acknowledgements()).containsExactly(List.of(of("a", 1)), List.of(of("b", 1)));
    }

    @Test
    void flushDoesNotShortenTheRestAfterAFailure() {
        queues.refuse(bucket -> true);
        acknowledged(3, "a", 1);
        acknowledgements.flush(3);
        loop.runTasks();
        acknowledged(3, "a", 2);

        acknowledgements.flush(3);

        assertThat(queues.acknowledgements()).hasSize(1);
    }

    private void acknowledged(int bucket, String client, long upTo) {
        QueueProgress progress = clients.computeIfAbsent(
                client, _ -> new QueueProgress(new QueueOwner(bucket, new ClientId(client), 1, 1, VIEW_ID), 1));
        progress.acknowledgedBelow(upTo + 1);
        acknowledgements.add(bucket, progress);
    }

    private static Acknowledgement of(String client, long upTo) {
        return new Acknowledgement(new ClientId(client), 1, VIEW_ID, upTo);
    }
}
