package io.heddle.persistence.kafka.nodes;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.cluster.ProducerFencing;
import io.heddle.core.cluster.TransactionalId;
import io.heddle.persistence.kafka.KafkaCluster;
import io.heddle.persistence.kafka.KafkaFaults;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTransactionsResult;
import org.apache.kafka.clients.admin.FenceProducersOptions;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;

/**
 * Fences producers through Kafka's admin client, which stays connected because the readiness checks use it. Stateless; never blocks.
 *
 * <p>Kafka lists a transactional id for days, fenced or not. A fence sets the transaction timeout of the id to {@link #FENCED_TIMEOUT}, and
 * the producers of nodes set a longer one. So the timeout tells which ids were fenced after their last initialisation. Without that, every
 * start would fence all ids of the last days again, and none would ever expire.
 */
public final class KafkaProducerFencing implements ProducerFencing {
    /** Also the time in which Kafka must answer. Differs from the transaction timeout of every producer of a node. */
    private static final Duration FENCED_TIMEOUT = Duration.ofSeconds(5);

    /** Kafka's client asks every broker that it knows, and repeats a request to one that is down until the request ends. */
    private static final ListTransactionsOptions LIST_OPTIONS = new ListTransactionsOptions().timeoutMs(3_000);

    private final Admin admin;
    private final KafkaFaults faults;

    /** @param cluster must stay open as long as this object is used */
    public KafkaProducerFencing(KafkaCluster cluster) {
        this.admin = cluster.admin();
        this.faults = new KafkaFaults(cluster.settings());
    }

    @Override
    public CompletionStage<Set<TransactionalId>> unfenced() {
        return answer(admin.listTransactions(LIST_OPTIONS).all(), "list the transactional ids")
                .thenCompose(listed -> usedSinceTheLastFence(listed.stream()
                        .map(TransactionListing::transactionalId)
                        .filter(TransactionalId::isName)
                        .toList()));
    }

    private CompletionStage<Set<TransactionalId>> usedSinceTheLastFence(List<String> names) {
        Set<TransactionalId> unfenced = ConcurrentHashMap.newKeySet();
        if (names.isEmpty()) {
            return CompletableFuture.completedFuture(unfenced);
        }
        DescribeTransactionsResult described = admin.describeTransactions(names);
        CompletableFuture<?>[] answers = names.stream()
                .map(name -> answer(described.description(name), "describe the transactional id " + name)
                        .thenAccept(description -> {
                            if (description.transactionTimeoutMs() != FENCED_TIMEOUT.toMillis()) {
                                unfenced.add(TransactionalId.parse(name));
                            }
                        })
                        .exceptionally(KafkaProducerFencing::unlessExpired)
                        .toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(answers).thenApply(_ -> unfenced);
    }

    /** An id that has expired since it was listed cannot commit. */
    private static Void unlessExpired(Throwable fault) {
        for (Throwable cause = fault; cause != null; cause = cause.getCause()) {
            if (cause instanceof TransactionalIdNotFoundException) {
                return null;
            }
        }
        throw fault instanceof CompletionException wrapped ? wrapped : new CompletionException(fault);
    }

    @Override
    public CompletionStage<Void> fence(Set<TransactionalId> ids) {
        if (ids.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        FenceProducersOptions options =
                new FenceProducersOptions().timeoutMs(Math.toIntExact(FENCED_TIMEOUT.toMillis()));
        // Of several ids in one call, Kafka's client fences one after the other, with the pauses of repeated attempts:
        // 15 ids take more than
        // five seconds.
        CompletableFuture<?>[] answers = ids.stream()
                .map(id -> answer(
                                admin.fenceProducers(List.of(id.name()), options)
                                        .all(),
                                "fence the transactional ids of ended nodes")
                        .toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(answers);
    }

    private <T> CompletionStage<T> answer(KafkaFuture<T> future, String action) {
        return future.toCompletionStage().exceptionally(fault -> {
            Throwable cause =
                    fault instanceof CompletionException && fault.getCause() != null ? fault.getCause() : fault;
            if (cause instanceof AuthorizationException) {
                throw faults.transactions(cause);
            }
            throw StoreUnavailableException.kafka("Kafka did not " + action, cause);
        });
    }
}
