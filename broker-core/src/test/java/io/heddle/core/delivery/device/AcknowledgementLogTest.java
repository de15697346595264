package io.heddle.core.delivery.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.BucketCommand.Acknowledged;
import io.heddle.core.delivery.log.BucketCommand.ClientAcknowledgement;
import io.heddle.core.delivery.log.SequenceRange;
import io.heddle.core.testkit.InMemoryBucketLog;
import io.heddle.core.testkit.InMemoryMessageLog;
import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.UnboundedLag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class AcknowledgementLogTest {
    private static final Duration INTERVAL = Duration.ofSeconds(5);

    private final ManualEventLoop loop = new ManualEventLoop(0);
    private final InMemoryBucketLog bucketLog = new InMemoryBucketLog(2);
    private final InMemoryMessageLog messageLog = new InMemoryMessageLog(bucketLog, UnboundedLag.positions(2));
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final AcknowledgementLog log = new AcknowledgementLog(messageLog, loop, INTERVAL, metrics);

    private static QueueProgress client(int bucket, String clientId) {
        return new QueueProgress(new QueueOwner(bucket, new ClientId(clientId), 7, 8, 9), 1);
    }

    private static ClientAcknowledgement of(String clientId, long upTo, SequenceRange... above) {
        return new ClientAcknowledgement(new ClientId(clientId), 7, upTo, List.of(above));
    }

    @Test
    void writesOneCommandForEachBucketAndInterval() {
        QueueProgress pump = client(0, "pump");
        QueueProgress valve = client(0, "valve");
        QueueProgress far = client(1, "far");
        pump.acknowledged(1);
        log.add(0, List.of(pump));
        pump.acknowledged(2);
        pump.acknowledged(4);
        log.add(0, List.of(pump, valve));
        log.add(1, List.of(far));
        assertThat(bucketLog.commands(0)).isEmpty();

        loop.advance(INTERVAL);

        assertThat(bucketLog.commands(0))
                .containsExactly(new Acknowledged(List.of(of("pump", 2, new SequenceRange(4, 5)), of("valve", 0))));
        assertThat(bucketLog.commands(1)).hasSize(1);
        loop.advance(INTERVAL);
        assertThat(bucketLog.commands(0)).as("nothing was acknowledged since").hasSize(1);
        assertThat(loop.timers()).isZero();
    }

    @Test
    void manyClientsAreSplitIntoSeveralCommands() {
        log.add(
                0,
                IntStream.range(0, BucketCommand.MAXIMUM_RECIPIENTS + 1)
                        .mapToObj(i -> client(0, "client-" + i))
                        .toList());

        loop.advance(INTERVAL);

        assertThat(bucketLog.commands(0)).hasSize(2);
        assertThat(metrics.counter("heddle.buckets.acknowledgements.logged").count())
                .isEqualTo(1_001);
    }

    @Test
    void acknowledgementsThatTheLogCannotTakeAreWrittenTheNextTime() {
        QueueProgress pump = client(0, "pump");
        messageLog.hold(0);
        log.add(0, List.of(pump));
        loop.advance(INTERVAL);
        loop.runTasks();
        messageLog.release();
        messageLog.failNextWith(new IllegalStateException("Kafka is away"));
        loop.advance(INTERVAL);
        loop.runTasks();
        assertThat(bucketLog.commands(0)).isEmpty();

        loop.advance(INTERVAL);

        assertThat(bucketLog.commands(0)).hasSize(1);
    }

    @Test
    void withoutAnIntervalNothingIsWritten() {
        new AcknowledgementLog(messageLog, loop, Duration.ZERO, metrics).add(0, List.of(client(0, "pump")));

        assertThat(loop.timers()).isZero();
    }

    @Test
    void onlyTheFirstOfManyRangesAreWritten() {
        QueueProgress pump = client(0, "pump");
        for (int number = 2; number < 200; number += 2) {
            pump.acknowledged(number);
        }

        assertThat(pump.logged().above()).hasSize(32).startsWith(new SequenceRange(2, 3));
    }
}
