package io.heddle.persistence.kafka.append;

import io.heddle.core.LogRateLimit;
import io.heddle.persistence.kafka.KafkaTopics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Metrics and log lines of appends. Thread-safe.
 *
 * <p>Metrics: {@code heddle.kafka.append{log}}, {@code heddle.kafka.append.failures{log,reason}}, {@code
 * heddle.kafka.append.waiting}, {@code heddle.kafka.transactions{lane,outcome}}, {@code
 * heddle.kafka.transaction.commits{lane}}.
 */
final class AppendMetrics {
    private static final Logger log = LoggerFactory.getLogger(AppendMetrics.class);
    private static final int MAXIMUM_LINES = 10;
    private static final Duration WINDOW = Duration.ofMinutes(1);

    private final LogRateLimit lines;
    private final MeterRegistry registry;
    private final AtomicLong queued = new AtomicLong();

    AppendMetrics(LongSupplier nanoTime, MeterRegistry registry) {
        this.lines = new LogRateLimit(MAXIMUM_LINES, WINDOW, nanoTime);
        this.registry = registry;
        Gauge.builder("heddle.kafka.append.waiting", queued, AtomicLong::doubleValue)
                .description(
                        "Records queued in the broker because Kafka's client has no memory for them or no metadata of their topic")
                .register(registry);
    }

    TransactionMetrics transactions(CommitLane lane) {
        return new TransactionMetrics(
                transactions(lane, "committed"),
                transactions(lane, "aborted"),
                DistributionSummary.builder("heddle.kafka.transaction.commits")
                        .description("Commits in each transaction")
                        .tag("lane", lane.tag())
                        .register(registry));
    }

    private Timer transactions(CommitLane lane, String outcome) {
        return Timer.builder("heddle.kafka.transactions")
                .description("Transactions of the node, from the start to the answer to commit or abort")
                .tag("lane", lane.tag())
                .tag("outcome", outcome)
                .register(registry);
    }

    Timer appends(String topic) {
        return Timer.builder("heddle.kafka.append")
                .description("Appends to a log, from the call to Kafka's answer")
                .tag("log", tag(topic))
                .register(registry);
    }

    /** Topics of APPLICATION clients share a tag: their names contain client ids, which are too many for a tag. */
    private static String tag(String topic) {
        return KafkaTopics.isApplicationTopic(topic) ? "heddle.app" : topic;
    }

    /** Changes the number of records that are queued outside the producer. */
    void addQueued(int records) {
        queued.addAndGet(records);
    }

    /** Counts a failed append and logs it: each log and reason once a minute, with the number of those in between. */
    void failed(String topic, Throwable reason) {
        Counter.builder("heddle.kafka.append.failures")
                .description("Appends that were rejected, or whose outcome is unknown")
                .tag("log", tag(topic))
                .tag("reason", reasonOf(reason))
                .register(registry)
                .increment();
        if (reason instanceof LogClosedException || reason instanceof BrokenOrderException) {
            return;
        }
        long suppressed = lines.acquire(tag(topic) + ' ' + reasonOf(reason));
        if (suppressed != LogRateLimit.SUPPRESSED) {
            log.error(
                    "Append to {} failed: {}; no publisher is acknowledged for it{}",
                    topic,
                    reason.toString(),
                    suppressed == 0 ? "" : ", suppressed=" + suppressed);
        }
    }

    private static String reasonOf(Throwable reason) {
        return switch (reason) {
            case RecordTooLargeException tooLarge -> "too_large";
            case RecordBatchTooLargeException tooLarge -> "too_large";
            case AuthorizationException forbidden -> "not_authorized";
            case AuthenticationException rejected -> "not_authorized";
            case BrokenOrderException behind -> "behind_a_failure";
            case InvalidConfigurationException rejected -> "rejected";
            case AppendLimitException full -> "pending_limit";
            case LogClosedException closed -> "closed";
            default -> "unknown";
        };
    }

    record TransactionMetrics(Timer committed, Timer aborted, DistributionSummary commits) {
        void count(boolean isCommitted, int size, long nanos) {
            (isCommitted ? committed : aborted).record(nanos, TimeUnit.NANOSECONDS);
            commits.record(size);
        }
    }
}
