package io.heddle.core.client.activity;

import io.heddle.core.client.EventLoop;
import io.heddle.core.client.Rates;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The clients and topics of this node with the most activity. Thread-safe. */
public final class Activity {
    // Replaced under the lock of this, never changed.
    private volatile @Nullable LoopActivity[] loops = new LoopActivity[0];
    // Guarded by this. The time of the first call; the event loops have one monotonic clock.
    private long startNanos;

    /** Returns the part of an event loop. Any thread; only the loop uses it. */
    public LoopActivity of(EventLoop loop) {
        @Nullable LoopActivity[] present = loops;
        LoopActivity found = loop.index() < present.length ? present[loop.index()] : null;
        return found == null ? create(loop) : found;
    }

    private synchronized LoopActivity create(EventLoop loop) {
        @Nullable LoopActivity[] present = loops;
        LoopActivity found = loop.index() < present.length ? present[loop.index()] : null;
        if (found != null) {
            return found;
        }
        if (present.length == 0) {
            startNanos = loop.nanoTime();
        }
        @Nullable LoopActivity[] all = Arrays.copyOf(present, Math.max(present.length, loop.index() + 1));
        LoopActivity created = new LoopActivity(loop, startNanos);
        all[loop.index()] = created;
        loops = all;
        return created;
    }

    /** Returns the highest rates of all event loops. Completes on one of them. */
    public CompletionStage<Map<Ranking, Rates>> rates() {
        CompletionStage<Map<Ranking, Rates>> all = CompletableFuture.completedStage(Map.of());
        for (LoopActivity each : loops) {
            if (each != null) {
                all = all.thenCombine(each.rates(), Activity::sum);
            }
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
