package io.heddle.core.cluster;

import io.heddle.core.Port;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Keeps ended nodes from committing. Kafka remembers every transactional id for days, so ids are found that the log of nodes has forgotten.
 * Thread-safe.
 */
@Port
public interface ProducerFencing {
    /** Returns the ids that could still commit: they were used by a node and have not been fenced since. */
    CompletionStage<Set<TransactionalId>> unfenced();

    /**
     * Fences ids: their open transactions are aborted, and no later commit of their present users succeeds.
     *
     * @return completes when all are fenced
     */
    CompletionStage<Void> fence(Set<TransactionalId> ids);
}
