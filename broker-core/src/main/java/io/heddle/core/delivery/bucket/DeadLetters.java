package io.heddle.core.delivery.bucket;

import io.heddle.core.delivery.device.BucketBatch.Logged;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.message.SteadyClock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commands that the queues rejected: writes them to the log of dead letters, counts them, and reports them at most once a minute. Belongs
 * to the thread that applies the logs.
 */
final class DeadLetters {
    private static final Logger log = LoggerFactory.getLogger(DeadLetters.class);

    private static final long ALERT_PAUSE_MILLIS = 60_000;

    private final MessageLog deadLetters;
    private final SteadyClock clock;
    private final Counter dead;
    private long alertedMillis = Long.MIN_VALUE / 2;

    DeadLetters(MessageLog deadLetters, SteadyClock clock, MeterRegistry metrics) {
        this.deadLetters = deadLetters;
        this.clock = clock;
        this.dead = metrics.counter("heddle.buckets.dead.letters");
    }

    /** Completes when the command is durable as a dead letter. */
    CompletionStage<Void> append(int bucket, Logged poison, Throwable rejection) {
        CompletableFuture<Void> appended = new CompletableFuture<>();
        deadLetters.append(
                List.of(new LogAppend.ToDeadLetters(
                        bucket, poison.offset(), poison.command(), String.valueOf(rejection.getMessage()))),
                new MessageLog.Outcome() {
                    @Override
                    public void appended() {
                        appended.complete(null);
                    }

                    @Override
                    public void failed(Throwable reason) {
                        appended.completeExceptionally(reason);
                    }
                });
        return appended;
    }

    /** The command is durable as a dead letter. */
    void appended(int bucket, Logged poison, Throwable rejection) {
        dead.increment();
        alert("is set aside in heddle.dead", bucket, poison, rejection);
    }

    /** Reports a rejected command, unless one was reported a moment ago. */
    void alert(String effect, int bucket, Logged poison, Throwable rejection) {
        long nowMillis = clock.millis();
        if (nowMillis - alertedMillis >= ALERT_PAUSE_MILLIS) {
            alertedMillis = nowMillis;
            log.error(
                    "The command at offset {} of bucket {} was rejected by its queues and {}; others are counted by"
                            + " heddle.buckets.dead.letters and not logged for a minute: {}",
                    poison.offset(),
                    bucket,
                    effect,
                    rejection.getMessage());
        }
    }
}
