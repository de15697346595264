package io.heddle.core.delivery.node;

import io.heddle.core.client.ledger.Flow;
import io.heddle.core.client.ledger.Ledger;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/** The metrics of forwarded messages. Thread-safe. */
final class ForwardMetrics {
    final Ledger ledger;
    final Counter sent;
    private final Counter unreachable;
    private final Counter overloaded;
    private final AtomicLong missingReceipts = new AtomicLong();
    final AtomicLong waitingBytes = new AtomicLong();

    ForwardMetrics(Ledger ledger, MeterRegistry metrics) {
        this.ledger = ledger;
        this.sent = metrics.counter("heddle.forwards.sent");
        this.unreachable = metrics.counter("heddle.messages.dropped", "reason", "node_unreachable");
        this.overloaded = metrics.counter("heddle.messages.dropped", "reason", "node_overloaded");
        metrics.gauge("heddle.forwards.receipts.missing", missingReceipts, AtomicLong::get);
        metrics.gauge("heddle.forwards.waiting.bytes", waitingBytes, AtomicLong::get);
    }

    /** A message that needs no receipt was given to the link. */
    void sentWithoutReceipt() {
        sent.increment();
        ledger.add(Flow.ACCEPTED, 1);
    }

    /** A message is sent, now or when the link has room, and its receipt is missing. */
    void expectsReceipt() {
        sent.increment();
        missingReceipts.incrementAndGet();
        ledger.add(Flow.UNCONFIRMED, 1);
    }

    /** Messages were confirmed, or go to other nodes. */
    void confirmed(int receipts) {
        ledger.add(Flow.ACCEPTED, receipts);
        release(receipts);
    }

    /** Messages will not be confirmed, because their node has ended. */
    void unconfirmed(int receipts) {
        unreachable(receipts);
        release(receipts);
    }

    private void release(int receipts) {
        missingReceipts.addAndGet(-receipts);
        ledger.add(Flow.UNCONFIRMED, -receipts);
    }

    /** Messages were dropped because their node cannot be reached. */
    void unreachable(int messages) {
        unreachable.increment(messages);
        ledger.add(Flow.NOT_ACCEPTED, messages);
    }

    /** A message was dropped because the link had no room. */
    void overloaded() {
        overloaded.increment();
        ledger.add(Flow.NOT_ACCEPTED, 1);
    }
}
