package io.heddle.core.client.ledger;

import io.heddle.core.HotPath;
import io.heddle.core.client.EventLoop;
import io.heddle.core.client.PerLoop;
import io.heddle.core.client.ledger.Flow.Side;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;

/** The accounts of a node in copies of messages, since its start. Thread-safe. */
@HotPath
public final class Ledger {
    private final PerLoop<LoopLedger> loops = new PerLoop<>(LoopLedger::new);
    // Those that event loops do not count themselves.
    private final Map<Flow, LongAdder> shared = new EnumMap<>(Flow.class);

    /** Registers the metrics of delivered and held messages. */
    public Ledger(MeterRegistry metrics) {
        for (Flow flow : Flow.values()) {
            if (flow.account() != Account.CONNECTIONS && flow != Flow.TAKEN) {
                shared.put(flow, new LongAdder());
            }
        }
        FunctionCounter.builder("heddle.messages.delivered", this, ledger -> ledger.sum(LoopLedger::delivered))
                .register(metrics);
        Gauge.builder("heddle.messages.queued", this, ledger -> ledger.sum(LoopLedger::waiting))
                .register(metrics);
        Gauge.builder("heddle.messages.in.flight", this, ledger -> ledger.sum(LoopLedger::inFlight))
                .register(metrics);
    }

    private double sum(ToLongFunction<LoopLedger> count) {
        long sum = 0;
        for (LoopLedger each : loops.all()) {
            sum += count.applyAsLong(each);
        }
        return (double) sum;
    }

    /** Returns the part of an event loop. Any thread; only the loop uses it. */
    public LoopLedger of(EventLoop loop) {
        return loops.of(loop);
    }

    /** Counts copies on their way to an event loop, after the loop was given the task, to a log or to another node. Any thread. */
    public void add(Flow flow, long copies) {
        LongAdder count = shared.get(flow);
        if (count == null) {
            throw new IllegalArgumentException("event loops count this themselves: " + flow);
        }
        count.add(copies);
    }

    /**
     * Returns what was counted. The account of the connections is exact. In the others, what has come in is read first, and the event loops
     * finish their tasks before the rest is read: less has gone out or is held only if copies were lost. Completes on an event loop.
     */
    public CompletionStage<Map<Flow, Long>> read() {
        Map<Flow, Long> before = new EnumMap<>(Flow.class);
        putShared(before, Side.IN);
        CompletionStage<Map<Flow, Long>> all = CompletableFuture.completedStage(before);
        for (LoopLedger each : loops.all()) {
            all = all.thenCompose(each::read);
        }
        return all.thenApply(counts -> {
            // A message that is confirmed between these two lines counts twice. That can hide a loss for a moment, but
            // not invent one.
            putShared(counts, Side.HELD);
            putShared(counts, Side.OUT);
            counts.put(Flow.UNANSWERED, Math.max(0, Account.LOGS.difference(counts)));
            return counts;
        });
    }

    private void putShared(Map<Flow, Long> counts, Side side) {
        shared.forEach((flow, count) -> {
            if (flow.side() == side) {
                counts.put(flow, count.sum());
            }
        });
    }
}
