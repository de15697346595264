package io.heddle.persistence.kafka.append;

import io.heddle.core.cluster.NodeLife;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.delivery.log.OrderFence;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.kafka.Deadline;
import io.heddle.persistence.kafka.KafkaFaults;
import io.heddle.persistence.kafka.KafkaSettings;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.ProducerSettings;
import io.heddle.persistence.kafka.StartDeadline;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * The producers of a node: one for the permanent topics, one for the topics of APPLICATION clients, and those of the two lanes of
 * transactions. They share the limit of pending appends. Thread-safe between {@link #open} and {@link #close}, which block.
 */
public final class KafkaProducers implements AutoCloseable {
    /** The number of transactional ids of a node. */
    public static final int TRANSACTIONAL_IDS = CommitLane.transactionalIds();

    private static final int PERMANENT_BATCH_BYTES = 256 << 10;
    private static final int APPLICATION_BATCH_BYTES = 16 << 10;
    private static final Duration TRANSACTIONS_END_WITHIN = Duration.ofSeconds(6);

    private final int bucketCount;
    private final LogProducer permanent;
    private final LogProducer applications;
    private final Transactions publishes;
    private final Transactions state;

    private KafkaProducers(KafkaSettings settings, ProducerSettings producers, NodeLife life, MeterRegistry registry) {
        PendingAppends pending = new PendingAppends(producers.pendingLimitBytes(), registry);
        AppendMetrics metrics = new AppendMetrics(System::nanoTime, registry);
        this.bucketCount = settings.bucketCount();
        this.permanent = LogProducer.open(
                "heddle-bulk",
                settings,
                producers,
                PERMANENT_BATCH_BYTES,
                LogProducer.METADATA_IDLE_OF_PERMANENT_TOPICS,
                pending,
                metrics);
        this.applications = LogProducer.open(
                "heddle-logs",
                settings,
                producers,
                APPLICATION_BATCH_BYTES,
                LogProducer.METADATA_IDLE_OF_TEMPORARY_TOPICS,
                pending,
                metrics);
        this.publishes = lane(CommitLane.PUBLISHES, settings, producers, life, pending.messages(), metrics);
        this.state = lane(CommitLane.STATE, settings, producers, life, pending.changes(), metrics);
    }

    private static Transactions lane(
            CommitLane lane,
            KafkaSettings settings,
            ProducerSettings producers,
            NodeLife life,
            PendingAppends.Share pending,
            AppendMetrics metrics) {
        return new Transactions(lane, TransactionalProducer.of(lane, settings, producers, life), pending, metrics);
    }

    /**
     * @param life the incarnation names the transactional ids
     * @throws StartupException when Kafka does not accept writes of this node before the deadline
     */
    public static KafkaProducers open(
            KafkaSettings settings,
            ProducerSettings producers,
            NodeLife life,
            StartDeadline deadline,
            KafkaFaults faults,
            MeterRegistry registry) {
        KafkaProducers opened = new KafkaProducers(settings, producers, life, registry);
        boolean ready = false;
        try {
            opened.permanent.awaitMetadata(
                    List.of(KafkaTopics.BUCKETS, KafkaTopics.DEAD_LETTERS, KafkaTopics.RETAINED, KafkaTopics.PROGRESS),
                    deadline,
                    faults);
            opened.publishes.start(deadline, faults);
            opened.state.start(deadline, faults);
            ready = true;
            return opened;
        } finally {
            if (!ready) {
                opened.close();
            }
        }
    }

    /** The producer of the topics that exist as long as the cluster. */
    public LogProducer permanent() {
        return permanent;
    }

    /** The producer of the topics of APPLICATION clients, which are created and deleted. */
    public LogProducer applications() {
        return applications;
    }

    /**
     * Commits records whose repetition has no effect, in the lane of sessions and subscriptions. Returns the offset of the last one. Fails
     * only if they can never be stored.
     */
    public CompletionStage<Long> commitState(List<ProducerRecord<byte[], byte[]>> records) {
        return commit(state, records);
    }

    /** Commits a retained message, in the order of the commits of {@link #messageLog}. Fails only if it can never be stored. */
    public CompletionStage<Void> commitRetained(ProducerRecord<byte[], byte[]> record) {
        return commit(publishes, List.of(record)).thenAccept(_ -> {});
    }

    private static CompletionStage<Long> commit(Transactions lane, List<ProducerRecord<byte[], byte[]>> records) {
        CompletableFuture<Long> done = new CompletableFuture<>();
        lane.commit(Commit.repeatable(records, new OrderFence(), new Commit.Listener() {
            @Override
            public void onCommitted(long[] offsets) {
                done.complete(offsets[offsets.length - 1]);
            }

            @Override
            public void onFailed(Throwable reason) {
                done.completeExceptionally(reason);
            }
        }));
        return done;
    }

    /**
     * Creates the log of messages and bucket commands, which appends through these producers.
     *
     * @param positions receives which bucket commands of this node are in the log
     */
    public MessageLog messageLog(ApplicationAppends applicationAppends, BucketPositions positions) {
        return new KafkaMessageLog(permanent, publishes, state, applicationAppends, positions, bucketCount);
    }

    /** Refuses further appends, because this node is over; its life refuses further commits. Does not block. */
    public void refuse() {
        permanent.refuse();
        applications.refuse();
    }

    /** Waits some seconds for the answers of pending appends, then fails the others. */
    @Override
    public void close() {
        publishes.stop();
        state.stop();
        Deadline deadline = Deadline.in(TRANSACTIONS_END_WITHIN, System::nanoTime);
        publishes.awaitEnd(deadline);
        state.awaitEnd(deadline);
        applications.close();
        permanent.close();
    }
}
