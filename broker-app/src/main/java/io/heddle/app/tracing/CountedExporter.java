package io.heddle.app.tracing;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;

/** Counts the spans that the collector has accepted, and those that are lost. Called on the thread that sends batches. */
record CountedExporter(SpanExporter exporter, SpanCounts counts) implements SpanExporter {
    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
        // OpenTelemetry uses the collection again.
        int size = spans.size();
        CompletableResultCode result = exporter.export(spans);
        return result.whenComplete(() -> {
            if (result.isSuccess()) {
                counts.sent(size);
            } else {
                Throwable failure = result.getFailureThrowable();
                // The exporter's own exception says nothing.
                counts.failed(size, failure == null || failure.getCause() == null ? failure : failure.getCause());
            }
        });
    }

    @Override
    public CompletableResultCode flush() {
        return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
        return exporter.shutdown();
    }
}
