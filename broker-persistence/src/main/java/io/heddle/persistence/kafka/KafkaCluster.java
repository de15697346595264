package io.heddle.persistence.kafka;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.StoreCheck;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;

/**
 * The connection to Kafka through which topics are made and Kafka's health is seen. Thread-safe; {@link #open} runs on the main
 * thread, {@link #check} blocks and belongs on a virtual thread. Bounded by the connect timeout.
 *
 * <p>Metric: {@code heddle.store.check{store="kafka"}}.
 */
public final class KafkaCluster implements AutoCloseable {
    private static final Duration LONGEST_CHECK = Duration.ofSeconds(5);

    private final Admin admin;
    private final KafkaSettings settings;
    private final StoreCheck check;

    private KafkaCluster(Admin admin, KafkaSettings settings, MeterRegistry registry) {
        this.admin = admin;
        this.settings = settings;
        this.check = new StoreCheck("kafka", registry);
    }

    /**
     * Connects and sees that every topic is there, with the partitions and settings that it must have.
     *
     * @throws StartupException when that is not possible: says what to change
     */
    public static KafkaCluster open(KafkaSettings settings, MeterRegistry registry) {
        KafkaFaults faults = new KafkaFaults(settings);
        Deadline deadline = Deadline.in(settings.connectTimeout());
        KafkaCluster cluster = new KafkaCluster(connect(settings, faults), settings, registry);
        boolean ready = false;
        try {
            int brokers = cluster.countBrokers(deadline.remainingNanos());
            new TopicSetup(cluster.admin, settings, brokers).run(deadline);
            ready = true;
            return cluster;
        } catch (ExecutionException e) {
            throw faults.connecting(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            throw faults.connecting(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartupException("Heddle was told to stop while it waited for Kafka", e);
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
     * Asks Kafka for a sign of life.
     *
     * @throws StoreUnavailableException when there is none within the connect timeout, at most 5 seconds
     */
    public void check() {
        check.run(() -> {
            try {
                countBrokers(Math.min(settings.connectTimeout().toNanos(), LONGEST_CHECK.toNanos()));
            } catch (ExecutionException | TimeoutException e) {
                throw new StoreUnavailableException("Kafka at " + settings.bootstrapServers() + " did not answer", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StoreUnavailableException("interrupted while Kafka was asked for a sign of life", e);
            }
        });
    }

    /** The connection, for what else is asked of Kafka; closed with this. */
    public Admin admin() {
        return admin;
    }

    /** What it was opened with. */
    public KafkaSettings settings() {
        return settings;
    }

    private int countBrokers(long timeoutNanos) throws InterruptedException, ExecutionException, TimeoutException {
        return admin.describeCluster()
                .nodes()
                .get(timeoutNanos, TimeUnit.NANOSECONDS)
                .size();
    }

    /** Closes the connection; what was asked last gets no answer. */
    @Override
    public void close() {
        admin.close(Duration.ZERO);
    }
}
