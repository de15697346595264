package io.heddle.persistence.kafka.append;

import io.heddle.persistence.kafka.KafkaTopics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is counted and logged of appends. Any thread.
 *
 * <p>Metrics: {@code heddle.kafka.append{log}}, {@code heddle.kafka.append.failures{log,reason}}, {@code
 * heddle.kafka.append.waiting}, {@code heddle.kafka.transactions{outcome}}, {@code heddle.kafka.transaction.commits}.
 */
final class AppendMetrics {
    private static final Logger log = LoggerFactory.getLogger(AppendMetrics.class);
    private static final long WARNING_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final MeterRegistry registry;
    private final AtomicLong waiting = new AtomicLong();
    private final AtomicLong lastWarning = new AtomicLong(System.nanoTime() - WARNING_PAUSE_NANOS);
    private final Timer committed;
    private final Timer aborted;
    private final DistributionSummary commits;

    AppendMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.committed = transactions("committed");
        this.aborted = transactions("aborted");
        this.commits = DistributionSummary.builder("heddle.kafka.transaction.commits")
                .description("Commits that went together in one transaction")
                .register(registry);
        Gauge.builder("heddle.kafka.append.waiting", waiting, AtomicLong::doubleValue)
                .description(
                        "Records that wait because the producer has no memory for them or does not know where to send them")
                .register(registry);
    }

    private Timer transactions(String outcome) {
        return Timer.builder("heddle.kafka.transactions")
                .description("Transactions of the node, from their begin to the answer to their end")
                .tag("outcome", outcome)
                .register(registry);
    }

    /** How long appends to a topic take, from the call to the answer. */
    Timer appends(String topic) {
        return Timer.builder("heddle.kafka.append")
                .description("Appends to a log, from the call to Kafka's answer")
                .tag("log", tag(topic))
                .register(registry);
    }

    /** The topics of applications have the names of clients, which are too many for a tag. */
    private static String tag(String topic) {
        return KafkaTopics.isApplicationTopic(topic) ? "heddle.app" : topic;
    }

    /** So many records more, or fewer, wait outside the producer. */
    void waiting(int records) {
        waiting.addAndGet(records);
    }

    void transaction(boolean wasCommitted, int size, long nanos) {
        (wasCommitted ? committed : aborted).record(nanos, TimeUnit.NANOSECONDS);
        commits.record(size);
    }

    /** An append to a topic failed: counts it and says so now and then. */
    void failed(String topic, Throwable reason) {
        Counter.builder("heddle.kafka.append.failures")
                .description("Appends that can never be made, or of which nobody knows whether they were")
                .tag("log", tag(topic))
                .tag("reason", reasonOf(reason))
                .register(registry)
                .increment();
        long now = System.nanoTime();
        long last = lastWarning.get();
        if (!(reason instanceof LogClosedException)
                && !(reason instanceof BrokenOrderException)
                && now - last >= WARNING_PAUSE_NANOS
                && lastWarning.compareAndSet(last, now)) {
            log.error(
                    "An append to {} failed: {}. Who published it was not told that it is safe",
                    topic,
                    reason.toString());
        }
    }

    private static String reasonOf(Throwable reason) {
        return switch (reason) {
            case RecordTooLargeException tooLarge -> "too_large";
            case RecordBatchTooLargeException tooLarge -> "too_large";
            case AuthorizationException forbidden -> "not_authorized";
            case AuthenticationException refused -> "not_authorized";
            case BrokenOrderException behind -> "behind_a_failure";
            case InvalidConfigurationException refused -> "refused";
            case AppendLimitException full -> "pending_limit";
            case LogClosedException closed -> "closed";
            default -> "unknown";
        };
    }
}
