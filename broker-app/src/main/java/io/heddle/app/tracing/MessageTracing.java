package io.heddle.app.tracing;

import io.heddle.core.lifecycle.StartupPhase;
import io.heddle.core.message.tracing.Tracing;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Traces messages from the construction of the node until its clients are disconnected. Stopped by one thread. */
public final class MessageTracing implements StartupPhase {
    private final @Nullable SpanExport export;
    private final @Nullable Tracing tracing;

    /**
     * Creates what traces, if an endpoint is set. Nothing is connected yet.
     *
     * @param version of the broker
     */
    public MessageTracing(TracingSettings settings, String nodeId, String version, MeterRegistry registry) {
        if (!settings.isOn()) {
            export = null;
            tracing = null;
            return;
        }
        SpanExport sending = SpanExport.to(settings, nodeId, version, registry);
        export = sending;
        tracing = new Tracing(
                new OpenTelemetryTracer(sending.tracer()),
                settings.ratio(),
                settings.maximumRate(),
                () -> ThreadLocalRandom.current().nextDouble(),
                System::nanoTime,
                registry);
    }

    /** Returns what decides which messages are traced; null if none is. */
    public @Nullable Tracing tracing() {
        return tracing;
    }

    @Override
    public String name() {
        return "the traces of messages";
    }

    @Override
    public void start() {
        // The first span opens the connection, so that a collector that is away does not stop the start.
    }

    @Override
    public void stop() {
        if (export != null) {
            export.close();
        }
    }
}
