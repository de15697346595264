package io.heddle.core.session.registrar.settlement;

import java.util.concurrent.CompletionStage;

/** Tells when all nodes that route messages know the committed changes of a bucket. Thread-safe. */
@FunctionalInterface
public interface Settlement {
    /**
     * Returns a stage that completes when every node that routes messages has applied the log of a bucket, up to the changes that were
     * committed before the call. Never fails.
     */
    CompletionStage<Void> whenFollowed(int bucket);
}
