package io.heddle.persistence.kafka.transaction;

import io.heddle.core.StoreRejectedException;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.operator.store.HangingTransaction;
import io.heddle.core.operator.store.HangingTransaction.Outcome;
import io.heddle.core.operator.store.HangingTransactions;
import io.heddle.core.operator.store.LogPartition;
import io.heddle.persistence.kafka.KafkaCluster;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.ProducerSettings;
import io.heddle.persistence.kafka.read.LogConsumers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeProducersOptions;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;
import org.jspecify.annotations.Nullable;

/**
 * Finds hanging transactions through Kafka's admin client, and their outcomes in {@code __transaction_state}. Thread-safe; blocks.
 *
 * <p>A transaction hangs if the partition has it open, its coordinator says afterwards that it is complete or has another one, and the partition still
 * has it open then: a coordinator completes a transaction when all markers are written.
 */
public final class KafkaHangingTransactions implements HangingTransactions {
    private static final int LIMIT_MILLIS = 5_000;

    /** An unknown transaction is younger if its coordinator is away or loading. */
    private static final Duration LEGAL_AGE = ProducerSettings.TRANSACTION_TIMEOUT.plusSeconds(60);

    private final Supplier<KafkaCluster> kafka;
    private final InstantSource clock;
    private final TransactionProofs proofs;
    /** Why Kafka rejected the latest marker; empty if it did not. */
    private volatile String rejection = "";

    /** @param kafka the connection, which is open while the node runs */
    public KafkaHangingTransactions(Supplier<KafkaCluster> kafka, InstantSource clock) {
        this.kafka = kafka;
        this.clock = clock;
        this.proofs = new TransactionProofs(() -> new LogConsumers(kafka.get().settings()), clock);
    }

    @Override
    public Map<LogPartition, Long> open() {
        Admin admin = kafka.get().admin();
        List<TopicPartition> partitions = new KafkaTopics(kafka.get().settings())
                .readCommitted(await(admin.listTopics().names(), "list its topics"));
        // The end first: a last stable offset below an earlier end proves an open transaction.
        Map<TopicPartition, Long> ends = offsets(admin, partitions, IsolationLevel.READ_UNCOMMITTED);
        Map<TopicPartition, Long> stable = offsets(admin, partitions, IsolationLevel.READ_COMMITTED);
        Map<LogPartition, Long> open = new HashMap<>();
        stable.forEach((partition, offset) -> {
            if (offset < ends.getOrDefault(partition, 0L)) {
                open.put(new LogPartition(partition.topic(), partition.partition()), offset);
            }
        });
        return open;
    }

    /** Leaves out partitions that have no leader or are being deleted. */
    private static Map<TopicPartition, Long> offsets(
            Admin admin, List<TopicPartition> partitions, IsolationLevel isolation) {
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        partitions.forEach(each -> wanted.put(each, OffsetSpec.latest()));
        ListOffsetsOptions options = new ListOffsetsOptions(isolation);
        options.timeoutMs(LIMIT_MILLIS);
        ListOffsetsResult result = admin.listOffsets(wanted, options);
        Map<TopicPartition, Long> offsets = new HashMap<>();
        StoreUnavailableException failure = null;
        for (TopicPartition each : partitions) {
            try {
                offsets.put(
                        each,
                        await(result.partitionResult(each), "list the offsets of " + each)
                                .offset());
            } catch (StoreUnavailableException e) {
                failure = e;
            }
        }
        if (offsets.isEmpty() && failure != null) {
            throw failure;
        }
        return offsets;
    }

    @Override
    public List<HangingTransaction> among(Collection<LogPartition> partitions) {
        Admin admin = kafka.get().admin();
        List<Suspect> suspects = new ArrayList<>();
        StoreUnavailableException failure = null;
        for (LogPartition each : partitions) {
            try {
                suspects.addAll(suspects(admin, each));
            } catch (StoreUnavailableException e) {
                // A partition without a leader does not keep the others from being repaired.
                failure = e;
            }
        }
        if (suspects.isEmpty() && failure != null) {
            throw failure;
        }
        proofs.decide(partitions, suspects);
        return suspects.stream().map(this::hanging).filter(Objects::nonNull).toList();
    }

    /** Returns the transactions that are open in a partition before and after their coordinators say that they do not have them. */
    private static List<Suspect> suspects(Admin admin, LogPartition named) {
        TopicPartition partition = new TopicPartition(named.topic(), named.partition());
        List<Suspect> suspects = new ArrayList<>();
        for (ProducerState producer : openProducers(admin, partition)) {
            String id = endedBy(admin, partition, producer);
            if (id != null) {
                suspects.add(Suspect.of(named, producer, id));
            }
        }
        if (suspects.isEmpty()) {
            return suspects;
        }
        List<ProducerState> still = openProducers(admin, partition);
        return suspects.stream()
                .filter(suspect -> still.stream()
                        .anyMatch(each -> Suspect.of(named, each, suspect.transactionalId())
                                .equals(suspect)))
                .toList();
    }

    private static List<ProducerState> openProducers(Admin admin, TopicPartition partition) {
        return await(
                        admin.describeProducers(
                                        List.of(partition), new DescribeProducersOptions().timeoutMs(LIMIT_MILLIS))
                                .partitionResult(partition),
                        "describe the producers of " + partition)
                .activeProducers()
                .stream()
                .filter(each -> each.currentTransactionStartOffset().isPresent())
                .toList();
    }

    /** Returns the transactional id, empty if no coordinator knows it, or null if the coordinator has not ended the transaction. */
    private static @Nullable String endedBy(Admin admin, TopicPartition partition, ProducerState producer) {
        ListTransactionsOptions options =
                new ListTransactionsOptions().filterProducerIds(List.of(producer.producerId()));
        options.timeoutMs(LIMIT_MILLIS);
        Collection<TransactionListing> listed =
                await(admin.listTransactions(options).all(), "list the transactions of a producer");
        String id = "";
        for (TransactionListing each : listed) {
            id = each.transactionalId();
            TransactionDescription description = describe(admin, id);
            if (description != null && isRunning(description, partition, producer)) {
                return null;
            }
        }
        return id;
    }

    private static @Nullable TransactionDescription describe(Admin admin, String id) {
        KafkaFuture<TransactionDescription> description =
                admin.describeTransactions(List.of(id)).description(id);
        try {
            return await(description, "describe the transactional id " + id);
        } catch (StoreUnavailableException e) {
            if (e.getCause() instanceof TransactionalIdNotFoundException) {
                return null;
            }
            throw e;
        }
    }

    private static boolean isRunning(
            TransactionDescription description, TopicPartition partition, ProducerState producer) {
        if (description.producerId() != producer.producerId()) {
            return false;
        }
        return switch (description.state()) {
            // By transaction version 2, the next transaction has a higher epoch.
            case ONGOING ->
                description.producerEpoch() <= producer.producerEpoch()
                        && description.topicPartitions().contains(partition);
            case PREPARE_COMMIT, PREPARE_ABORT, PREPARE_EPOCH_FENCE, UNKNOWN -> true;
            case COMPLETE_COMMIT, COMPLETE_ABORT, EMPTY -> false;
        };
    }

    /** Returns null if the marker may still come. */
    private @Nullable HangingTransaction hanging(Suspect suspect) {
        TransactionProofs.Proof proof = proofs.of(suspect);
        if (proof == null || proof.isRunning()) {
            return null;
        }
        TransactionDecision found = proof.decision();
        boolean isYoung = suspect.millis() >= clock.millis() - LEGAL_AGE.toMillis();
        boolean isUnknown = suspect.transactionalId().isEmpty();
        if (isUnknown && isYoung && found.outcome() == Outcome.UNPROVEN) {
            return null;
        }
        LogPartition partition = suspect.partition();
        return new HangingTransaction(
                partition,
                partition.topic().equals(KafkaTopics.BUCKETS)
                                || partition.topic().equals(KafkaTopics.CLIENTS)
                        ? partition.partition()
                        : HangingTransaction.NO_BUCKET,
                suspect.firstOffset(),
                suspect.producerId(),
                suspect.producerEpoch(),
                suspect.coordinatorEpoch(),
                found.transactionalId().isEmpty() ? suspect.transactionalId() : found.transactionalId(),
                found.outcome(),
                found.outcome() == Outcome.UNPROVEN ? proof.problem() : rejection);
    }

    @Override
    public void end(HangingTransaction transaction, boolean isCommitted) {
        KafkaCluster cluster = kafka.get();
        String topic = transaction.partition().topic();
        Node leader = await(cluster.admin().describeTopics(List.of(topic)).allTopicNames(), "describe " + topic)
                .values()
                .iterator()
                .next()
                .partitions()
                .get(transaction.partition().partition())
                .leader();
        if (leader == null || leader.isEmpty()) {
            throw StoreUnavailableException.kafka(transaction.partition() + " has no leader", null);
        }
        try {
            new MarkerRequests(new NodeRequests(cluster.settings())).write(leader, transaction, isCommitted);
            rejection = "";
        } catch (StoreRejectedException e) {
            rejection = String.valueOf(e.getMessage());
            throw e;
        }
    }

    private static <T> T await(KafkaFuture<T> answer, String action) {
        try {
            return answer.get(2 * LIMIT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw StoreUnavailableException.kafka("Kafka did not " + action, e.getCause());
        } catch (TimeoutException e) {
            throw StoreUnavailableException.kafka("Kafka did not " + action, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("the wait for Kafka was interrupted", e);
        }
    }
}
