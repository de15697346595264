package io.heddle.app.tracing;

import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Sends ended spans in batches, on a thread of its own. Thread-safe; only {@link #close} waits.
 *
 * <p>Bounds: {@value #MAXIMUM_WAITING} ended spans in memory, whose texts are cut to {@value #MAXIMUM_CHARACTERS} characters.
 */
final class SpanExport implements AutoCloseable {
    static final int MAXIMUM_WAITING = 4_096;
    private static final int BATCH = 512;
    private static final int MAXIMUM_CHARACTERS = 1_000;
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

    private final SdkTracerProvider provider;

    /** Sends spans by the exporter, which this object closes. */
    SpanExport(SpanExporter exporter, String endpoint, Resource resource, Duration timeout, MeterRegistry registry) {
        SpanCounts counts = new SpanCounts(endpoint, registry);
        BatchSpanProcessor batches = BatchSpanProcessor.builder(new CountedExporter(exporter, counts))
                .setMaxQueueSize(MAXIMUM_WAITING)
                .setMaxExportBatchSize(BATCH)
                .setScheduleDelay(INTERVAL)
                .setExporterTimeout(timeout)
                .build();
        this.provider = SdkTracerProvider.builder()
                .setResource(resource)
                // Core has decided.
                .setSampler(Sampler.alwaysOn())
                .setSpanLimits(SpanLimits.builder()
                        .setMaxAttributeValueLength(MAXIMUM_CHARACTERS)
                        .build())
                .addSpanProcessor(new BoundedSpans(batches, counts, MAXIMUM_WAITING))
                .build();
    }

    /** Sends spans to the endpoint of the settings. */
    static SpanExport to(TracingSettings settings, String nodeId, String version, MeterRegistry registry) {
        Duration timeout = Duration.ofSeconds(10);
        OtlpHttpSpanExporterBuilder exporter = OtlpHttpSpanExporter.builder()
                .setEndpoint(settings.endpoint())
                .setTimeout(timeout)
                .setComponentLoader(CollectorSender.loader());
        settings.headers().forEach(exporter::addHeader);
        Resource resource = Resource.getDefault()
                .merge(Resource.create(Attributes.of(
                        AttributeKey.stringKey("service.name"), "heddle",
                        AttributeKey.stringKey("service.instance.id"), nodeId,
                        AttributeKey.stringKey("service.version"), version)));
        return new SpanExport(exporter.build(), settings.endpoint(), resource, timeout, registry);
    }

    Tracer tracer() {
        return provider.get("io.heddle");
    }

    /** Waits for up to {@link #CLOSE_TIMEOUT} until the spans in memory are sent. */
    @Override
    public void close() {
        var _ = provider.shutdown().join(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    }
}
