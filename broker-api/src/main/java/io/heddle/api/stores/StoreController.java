package io.heddle.api.stores;

import io.heddle.api.audit.Audit;
import io.heddle.api.audit.AuditAction;
import io.heddle.api.audit.Audited;
import io.heddle.api.page.ListRequest;
import io.heddle.api.page.ListRules;
import io.heddle.api.page.Page;
import io.heddle.api.problem.FieldProblems;
import io.heddle.api.problem.RequestProblem;
import io.heddle.core.operator.store.HangingTransaction;
import io.heddle.core.operator.store.HangingTransaction.Outcome;
import io.heddle.core.operator.store.HangingTransactions;
import io.heddle.core.operator.store.LogPartition;
import io.heddle.core.operator.store.LogServers;
import io.heddle.core.operator.store.QueueServerState;
import io.heddle.core.operator.store.QueueServers;
import io.heddle.core.operator.store.TopicState;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Shows the topics and hanging transactions of Kafka and the servers of Redis, and ends hanging transactions. */
@RestController
public final class StoreController {
    private static final ListRules TOPICS = ListRules.of(List.of("name", "-name"));
    private static final ListRules TRANSACTIONS = ListRules.of(List.of("partition", "-partition"));
    private static final ListRules SERVERS = ListRules.of(List.of("address", "-address"));

    private final LogServers logs;
    private final QueueServers queues;
    private final HangingTransactions transactions;
    private final Audit audit;

    public StoreController(LogServers logs, QueueServers queues, HangingTransactions transactions, Audit audit) {
        this.logs = logs;
        this.queues = queues;
        this.transactions = transactions;
        this.audit = audit;
    }

    /** The topics that all clients share; those of APPLICATION clients are a resource of their own. */
    @GetMapping("/api/v1/stores/kafka/topics")
    Page<TopicResponse> topics(HttpServletRequest request) {
        ListRequest list = TOPICS.parse(request.getParameterMap());
        return Page.ofAll(list, logs.topics(), TopicState::name, TopicResponse::of);
    }

    /** Searches all partitions that are read committed. */
    @GetMapping("/api/v1/stores/kafka/transactions")
    Page<HangingTransactionResponse> transactions(HttpServletRequest request) {
        ListRequest list = TRANSACTIONS.parse(request.getParameterMap());
        return Page.ofAll(
                list,
                transactions.among(transactions.open().keySet()),
                StoreController::key,
                HangingTransactionResponse::of);
    }

    private static String key(HangingTransaction transaction) {
        return String.format(
                Locale.ROOT,
                "%s-%06d-%019d",
                transaction.partition().topic(),
                transaction.partition().partition(),
                transaction.firstOffset());
    }

    /** Writes the marker of a hanging transaction: the proven one, or if none is proven, the one that the administrator chooses. */
    @PostMapping("/api/v1/stores/kafka/transactions/end")
    HangingTransactionResponse end(@RequestBody EndTransactionRequest body, HttpServletRequest request) {
        HangingTransaction transaction = find(body.requirePartition(), body);
        boolean isCommitted = isCommitted(transaction, body.outcome());
        return audit.change(
                request,
                AuditAction.END_TRANSACTION,
                "stores/kafka/transactions/" + transaction.partition() + "?producerId=" + transaction.producerId(),
                HangingTransactionResponse.of(transaction),
                () -> {
                    transactions.end(transaction, isCommitted);
                    return new Audited<>(
                            HangingTransactionResponse.of(transaction),
                            isCommitted ? Outcome.COMMITTED : Outcome.ABORTED);
                });
    }

    private HangingTransaction find(LogPartition partition, EndTransactionRequest body) {
        if (transactions.open().containsKey(partition)) {
            for (HangingTransaction each : transactions.among(List.of(partition))) {
                if (Objects.equals(each.producerId(), body.producerId())) {
                    return each;
                }
            }
        }
        throw RequestProblem.notFound("No transaction of this producer hangs in the partition.");
    }

    private static boolean isCommitted(HangingTransaction transaction, EndTransactionRequest.@Nullable End chosen) {
        if (transaction.outcome() == Outcome.UNPROVEN) {
            if (chosen == null) {
                throw RequestProblem.invalid(
                        "outcome",
                        "The outcome of the transaction is not proven: choose COMMITTED or ABORTED. ABORTED discards its records.");
            }
            return chosen == EndTransactionRequest.End.COMMITTED;
        }
        boolean isCommitted = transaction.outcome() == Outcome.COMMITTED;
        if (chosen != null && isCommitted != (chosen == EndTransactionRequest.End.COMMITTED)) {
            throw RequestProblem.conflict("The coordinator has decided otherwise: the outcome of the transaction is "
                    + transaction.outcome() + ".");
        }
        return isCommitted;
    }

    @GetMapping("/api/v1/stores/redis/servers")
    Page<QueueServerState> redis(HttpServletRequest request) {
        ListRequest list = SERVERS.parse(request.getParameterMap());
        return Page.ofAll(list, queues.servers(), QueueServerState::address, Function.identity());
    }

    /**
     * A transaction whose marker Kafka has lost in a partition.
     *
     * @param firstOffset readers of the partition stop before it
     * @param transactionalId null if it is not known
     * @param outcome what the coordinator decided, if that is proven
     * @param problem why the outcome is not proven; null if it is
     */
    record HangingTransactionResponse(
            String topic,
            int partition,
            long firstOffset,
            long producerId,
            int producerEpoch,
            @Nullable String transactionalId,
            Outcome outcome,
            @Nullable String problem) {
        static HangingTransactionResponse of(HangingTransaction transaction) {
            return new HangingTransactionResponse(
                    transaction.partition().topic(),
                    transaction.partition().partition(),
                    transaction.firstOffset(),
                    transaction.producerId(),
                    transaction.producerEpoch(),
                    transaction.transactionalId().isEmpty() ? null : transaction.transactionalId(),
                    transaction.outcome(),
                    transaction.problem().isEmpty() ? null : transaction.problem());
        }
    }

    /**
     * Which hanging transaction ends, and how.
     *
     * @param outcome null for the proven one
     */
    record EndTransactionRequest(
            @Nullable String topic,
            @Nullable Integer partition,
            @Nullable Long producerId,
            @Nullable End outcome) {
        /** The outcome: the records of the transaction become visible, or are discarded. */
        enum End {
            COMMITTED,
            ABORTED
        }

        LogPartition requirePartition() {
            new FieldProblems()
                    .require(topic != null && !topic.isBlank(), "topic", "Give the name of the topic.")
                    .require(partition != null && partition >= 0, "partition", "Give the number of the partition.")
                    .require(producerId != null && producerId >= 0, "producerId", "Give the producer id.")
                    .throwIfAny();
            return new LogPartition(topic == null ? "" : topic, partition == null ? 0 : partition);
        }
    }
}
