package io.heddle.core.testkit;

import io.heddle.core.session.registrar.settlement.Settlement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Takes every change for known to all nodes. */
public final class SettledAtOnce {
    private SettledAtOnce() {}

    public static Settlement settlement() {
        return _ -> {
            CompletionStage<Void> settled = CompletableFuture.completedStage(null);
            return settled;
        };
    }
}
