package io.heddle.app.tracing;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;

/**
 * Limits the number of ended spans that wait for the collector, and counts those above the limit. So the queue of OpenTelemetry behind it, which
 * does not count what it drops, is never full. Thread-safe.
 */
record BoundedSpans(SpanProcessor batches, SpanCounts counts, int maximum) implements SpanProcessor {
    @Override
    public void onStart(Context parent, ReadWriteSpan span) {
        // Only ended spans are sent.
    }

    @Override
    public boolean isStartRequired() {
        return false;
    }

    @Override
    public void onEnd(ReadableSpan span) {
        if (counts.tryAdd(maximum)) {
            batches.onEnd(span);
        }
    }

    @Override
    public boolean isEndRequired() {
        return true;
    }

    @Override
    public CompletableResultCode shutdown() {
        return batches.shutdown();
    }

    @Override
    public CompletableResultCode forceFlush() {
        return batches.forceFlush();
    }
}
