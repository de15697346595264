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
 * Writes commands that the queues rejected to the log of dead letters, counts them, and logs them at most once a minute. Belongs to the
 * applying thread.
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
                new MessageLog.AppendCallback() {
                    @Override
                    public void onAppended() {
                        appended.complete(null);
                    }

                    @Override
                    public void onFailed(Throwable reason) {
                        appended.completeExceptionally(reason);
                    }
                });
        return appended;
    }

    /** Counts and logs a command that is durable as a dead letter. */
    void onAppended(int bucket, Logged poison, Throwable rejection) {
        dead.increment();
        alert("was written to heddle.dead", bucket, poison, rejection);
    }

    /** Logs a rejected command, unless another one was logged within the last minute. */
    void alert(String effect, int bucket, Logged poison, Throwable rejection) {
        long nowMillis = clock.millis();
        if (nowMillis - alertedMillis >= ALERT_PAUSE_MILLIS) {
            alertedMillis = nowMillis;
            log.error(
                    "Redis rejected the command at offset {} of bucket {}; it {} (further ones are counted by"
                            + " heddle.buckets.dead.letters and not logged for a minute): {}",
                    poison.offset(),
                    bucket,
                    effect,
                    rejection.getMessage());
        }
    }
}
