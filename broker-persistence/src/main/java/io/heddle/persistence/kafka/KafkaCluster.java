package io.heddle.persistence.kafka;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.watchdog.WatchedThreads;
import io.heddle.persistence.StoreCheck;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * The admin connection to Kafka: creates topics and checks Kafka's health. Thread-safe. {@link #open} runs on the main thread; {@link
 * #check} blocks and belongs on a virtual thread. The first is bounded by {@link StartDeadline}, the second by the connect timeout.
 *
 * <p>Metric: {@code heddle.store.check{store="kafka"}}.
 */
public final class KafkaCluster implements AutoCloseable {
    private static final Duration LONGEST_CHECK = Duration.ofSeconds(5);

    private final Admin admin;
    private final KafkaSettings settings;
    private final StoreCheck check;
    private final WatchedThreads threads = new WatchedThreads();

    private KafkaCluster(Admin admin, KafkaSettings settings, MeterRegistry registry) {
        this.admin = admin;
        this.settings = settings;
        this.check = new StoreCheck("kafka", registry);
    }

    /**
     * Connects, creates missing topics, and verifies the partitions and configurations of existing ones.
     *
     * @throws StartupException when Kafka or a topic is not usable; its message tells the operator what to change
     */
    public static KafkaCluster open(KafkaSettings settings, MeterRegistry registry) {
        return open(settings, null, registry);
    }

    /**
     * The same with the topic of events, unless its settings are null.
     *
     * @throws StartupException when Kafka or a topic is not usable; its message tells the operator what to change
     */
    public static KafkaCluster open(
            KafkaSettings settings, @Nullable EventTopicSettings events, MeterRegistry registry) {
        return connected(
                settings,
                registry,
                "Heddle's start",
                (cluster, brokers, deadline) -> new TopicSetup(cluster.admin, settings, events, brokers).run(deadline));
    }

    /**
     * Connects without creating or verifying topics.
     *
     * @throws StartupException when Kafka does not answer
     */
    public static KafkaCluster connect(KafkaSettings settings, MeterRegistry registry) {
        return connected(settings, registry, "the command", (_, _, _) -> {});
    }

    @FunctionalInterface
    private interface Preparation {
        void run(KafkaCluster cluster, int brokers, StartDeadline deadline)
                throws ExecutionException, TimeoutException, InterruptedException;
    }

    private static KafkaCluster connected(
            KafkaSettings settings, MeterRegistry registry, String waiting, Preparation preparation) {
        KafkaFaults faults = new KafkaFaults(settings);
        StartDeadline deadline = StartDeadline.after(settings.connectTimeout(), System::nanoTime);
        KafkaCluster cluster = new KafkaCluster(connect(settings, faults), settings, registry);
        boolean ready = false;
        try {
            int brokers = cluster.countBrokers(deadline.remainingNanos());
            deadline.onProgress("the list of brokers");
            preparation.run(cluster, brokers, deadline);
            ready = true;
            return cluster;
        } catch (ExecutionException e) {
            throw faults.connecting(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            throw faults.connecting(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartupException(waiting + " was interrupted while it waited for Kafka", e);
        } finally {
            if (!ready) {
                cluster.close();
            }
        }
    }

    private static Admin connect(KafkaSettings settings, KafkaFaults faults) {
        try {
            return Admin.create(settings.adminProperties());
        } catch (KafkaException e) {
            throw faults.badSettings(e);
        }
    }

    /**
     * Checks that Kafka answers.
     *
     * @throws StoreUnavailableException when Kafka does not answer within the connect timeout, at most 5 seconds
     */
    public void check() {
        check.run(() -> {
            try {
                countBrokers(Math.min(settings.connectTimeout().toNanos(), LONGEST_CHECK.toNanos()));
            } catch (ExecutionException | TimeoutException e) {
                throw StoreUnavailableException.kafka("Kafka at " + settings.bootstrapServers() + " did not answer", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StoreUnavailableException("the health check of Kafka was interrupted", e);
            }
        });
    }

    /** Returns the admin client, which is closed with this cluster. */
    public Admin admin() {
        return admin;
    }

    public KafkaSettings settings() {
        return settings;
    }

    /** Returns the threads that read logs. */
    public WatchedThreads threads() {
        return threads;
    }

    private int countBrokers(long timeoutNanos) throws InterruptedException, ExecutionException, TimeoutException {
        return admin.describeCluster()
                .nodes()
                .get(timeoutNanos, TimeUnit.NANOSECONDS)
                .size();
    }

    /** Closes the connection without waiting for pending answers. */
    @Override
    public void close() {
        admin.close(Duration.ZERO);
    }
}
