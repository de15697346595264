package io.heddle.core;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Steps that are common to users of {@link CompletionStage}. */
public final class Stages {
    private Stages() {}

    /** Completes a future like a stage: with its value, or with its failure. */
    public static <T> void forward(CompletionStage<T> from, CompletableFuture<T> to) {
        from.whenComplete((value, failure) -> {
            if (failure == null) {
                to.complete(value);
            } else {
                to.completeExceptionally(failure);
            }
        });
    }
}
