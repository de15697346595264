package io.heddle.app.wiring;

import io.heddle.core.FailureLog;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.lifecycle.Replica;
import io.heddle.persistence.kafka.ProducerSettings;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits, during startup, until the replica has read the logs to their ends. Belongs to the starting thread. */
final class ReplicaCatchUp {
    private static final Logger log = LoggerFactory.getLogger(ReplicaCatchUp.class);

    private static final Duration REPORT_INTERVAL = Duration.ofSeconds(1);
    private static final Duration RETRY_PAUSE = Duration.ofMillis(200);
    private static final Duration WAITING_INTERVAL = Duration.ofMillis(200);
    // An open transaction blocks readers until Kafka aborts it; Kafka checks for these every ten seconds.
    private static final Duration MINIMUM_STALL_LIMIT = ProducerSettings.TRANSACTION_TIMEOUT.plusSeconds(30);

    private final Replica replica;
    private final Duration stallLimit;
    private final LongSupplier nanoTime;

    /** @param connectTimeout the longest time without progress, unless Kafka needs longer to abort a transaction */
    ReplicaCatchUp(Replica replica, Duration connectTimeout, LongSupplier nanoTime) {
        this.replica = replica;
        this.stallLimit = connectTimeout.compareTo(MINIMUM_STALL_LIMIT) > 0 ? connectTimeout : MINIMUM_STALL_LIMIT;
        this.nanoTime = nanoTime;
    }

    /**
     * Waits until the logs are applied to the ends that they have now.
     *
     * @param whileWaiting called on this thread several times a second until the ends are reached
     */
    void readToEnds(Runnable whileWaiting) throws InterruptedException {
        long startNanos = nanoTime.getAsLong();
        awaitEnds(whileWaiting);
        log.info(
                "Read the logs of sessions, subscriptions and retained messages to their ends: ms={}",
                TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - startNanos));
    }

    private void awaitEnds(Runnable whileWaiting) throws InterruptedException {
        CompletableFuture<Void> read = replica.readToEnds().toCompletableFuture();
        long before = -1;
        long progressNanos = nanoTime.getAsLong();
        long reportNanos = progressNanos;
        while (true) {
            try {
                var _ = read.get(WAITING_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
                return;
            } catch (ExecutionException e) {
                FailureLog.warn(log, "Kafka did not report the ends of the logs of sessions; retrying", e);
                read = CompletableFuture.supplyAsync(
                                replica::readToEnds,
                                CompletableFuture.delayedExecutor(RETRY_PAUSE.toMillis(), TimeUnit.MILLISECONDS))
                        .thenCompose(Function.identity());
            } catch (TimeoutException e) {
                whileWaiting.run();
            }
            long now = nanoTime.getAsLong();
            long progress = replica.progress();
            if (now - reportNanos >= REPORT_INTERVAL.toNanos()) {
                reportNanos = now;
                log.info(
                        "Reading the logs of sessions, subscriptions and retained messages: offsets={}, of={}",
                        progress,
                        progress + replica.missing());
            }
            if (progress != before) {
                before = progress;
                progressNanos = now;
            } else if (now - progressNanos > stallLimit.toNanos()) {
                throw new StoreUnavailableException(
                        "The logs of sessions, subscriptions and retained messages were not read to their ends: no"
                                + " progress for " + stallLimit.toSeconds() + " s",
                        null);
            }
        }
    }
}
