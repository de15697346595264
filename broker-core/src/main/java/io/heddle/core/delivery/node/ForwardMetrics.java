package io.heddle.core.delivery.node;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/** The metrics of forwarded messages. Thread-safe. */
final class ForwardMetrics {
    final Counter sent;
    final Counter unreachable;
    final Counter overloaded;
    final AtomicLong missingReceipts = new AtomicLong();
    final AtomicLong waitingBytes = new AtomicLong();

    ForwardMetrics(MeterRegistry metrics) {
        this.sent = metrics.counter("heddle.forwards.sent");
        this.unreachable = metrics.counter("heddle.messages.dropped", "reason", "node_unreachable");
        this.overloaded = metrics.counter("heddle.messages.dropped", "reason", "node_overloaded");
        metrics.gauge("heddle.forwards.receipts.missing", missingReceipts, AtomicLong::get);
        metrics.gauge("heddle.forwards.waiting.bytes", waitingBytes, AtomicLong::get);
    }
}
