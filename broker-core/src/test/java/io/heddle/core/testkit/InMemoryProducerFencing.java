package io.heddle.core.testkit;

import io.heddle.core.cluster.ProducerFencing;
import io.heddle.core.cluster.TransactionalId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Transactional ids in memory, with the epoch of each as Kafka counts it. Thread-safe. */
public final class InMemoryProducerFencing implements ProducerFencing {
    private final Map<TransactionalId, Integer> epochs = new HashMap<>();
    private final Set<TransactionalId> fenced = new HashSet<>();

    /** A producer that was initialised once. */
    public final class Producer {
        private final TransactionalId id;
        private final int epoch;

        private Producer(TransactionalId id, int epoch) {
            this.id = id;
            this.epoch = epoch;
        }

        /** Returns whether a commit succeeds. */
        public boolean commits() {
            synchronized (InMemoryProducerFencing.this) {
                return epoch == epochs.getOrDefault(id, 0);
            }
        }
    }

    /** Initialises a producer, which fences earlier ones of this id. */
    public synchronized Producer initialise(TransactionalId id) {
        fenced.remove(id);
        return new Producer(id, epochs.merge(id, 1, Integer::sum));
    }

    @Override
    public synchronized CompletionStage<Set<TransactionalId>> unfenced() {
        Set<TransactionalId> unfenced = new HashSet<>(epochs.keySet());
        unfenced.removeAll(fenced);
        return CompletableFuture.completedFuture(unfenced);
    }

    @Override
    public synchronized CompletionStage<Void> fence(Set<TransactionalId> ids) {
        for (TransactionalId id : ids) {
            epochs.merge(id, 1, Integer::sum);
            fenced.add(id);
        }
        return CompletableFuture.completedFuture(null);
    }
}
