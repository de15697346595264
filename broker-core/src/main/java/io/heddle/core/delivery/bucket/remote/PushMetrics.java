package io.heddle.core.delivery.bucket.remote;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** The counters of pushes between nodes. */
final class PushMetrics {
    final Counter frames;
    final Counter sent;
    final Counter received;
    final Counter linkFull;
    final Counter tooLarge;
    final Counter nodeEnded;
    final Counter unknownConnection;
    final Counter malformed;

    PushMetrics(MeterRegistry metrics) {
        this.frames = metrics.counter("heddle.pushes.frames");
        this.sent = metrics.counter("heddle.pushes.sent");
        this.received = metrics.counter("heddle.pushes.received");
        this.linkFull = dropped("link_full", metrics);
        this.tooLarge = dropped("too_large", metrics);
        this.nodeEnded = dropped("node_ended", metrics);
        this.unknownConnection = dropped("unknown_connection", metrics);
        this.malformed = dropped("malformed", metrics);
    }

    private static Counter dropped(String reason, MeterRegistry metrics) {
        return metrics.counter("heddle.pushes.dropped", "reason", reason);
    }
}
