package io.heddle.core.client.activity;

import io.heddle.core.client.EventLoop;
import io.heddle.core.client.PerLoop;
import io.heddle.core.client.Rates;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The clients and topics of this node with the most activity. Thread-safe. */
public final class Activity {
    private final PerLoop<LoopActivity> loops = new PerLoop<>(this::create);
    // Set with the first loop, under the lock of loops. The event loops have one monotonic clock.
    private boolean hasStarted;
    private long startNanos;

    private LoopActivity create(EventLoop loop) {
        if (!hasStarted) {
            hasStarted = true;
            startNanos = loop.nanoTime();
        }
        return new LoopActivity(loop, startNanos);
    }

    /** Returns the part of an event loop. Any thread; only the loop uses it. */
    public LoopActivity of(EventLoop loop) {
        return loops.of(loop);
    }

    /** Returns the highest rates of all event loops. Completes on one of them. */
    public CompletionStage<Map<Ranking, Rates>> rates() {
        CompletionStage<Map<Ranking, Rates>> all = CompletableFuture.completedStage(Map.of());
        for (LoopActivity each : loops.all()) {
            all = all.thenCombine(each.rates(), Activity::sum);
        }
        return all;
    }

    /** Returns the sums of the rates of two event loops or nodes. */
    public static Map<Ranking, Rates> sum(Map<Ranking, Rates> some, Map<Ranking, Rates> others) {
        Map<Ranking, Rates> sums = new EnumMap<>(Ranking.class);
        sums.putAll(some);
        others.forEach((ranking, rates) -> sums.merge(ranking, rates, Rates::plus));
        return sums;
    }
}
