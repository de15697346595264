package io.heddle.transport.link;

import io.heddle.transport.link.LinkAdmission.Cause;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleSupplier;

/**
 * Metrics of the links. Thread-safe.
 *
 * <p>Metrics: {@code heddle.links.up}, {@code heddle.links.down}, {@code heddle.links.unacknowledged.bytes}, {@code heddle.links.opened},
 * {@code heddle.links.lost}, {@code heddle.links.frames.sent}, {@code heddle.links.frames.received}, {@code heddle.links.frames.repeated},
 * {@code heddle.links.frames.refused}, {@code heddle.links.refused{reason}}, {@code heddle.links.faults{reason}}.
 */
final class LinkMetrics {
    private final MeterRegistry registry;
    private final Counter opened;
    private final Counter lost;
    private final Counter sent;
    private final Counter received;
    private final Counter repeated;
    private final Counter refusedFrames;
    private final Map<Cause, Counter> refusals = new EnumMap<>(Cause.class);
    private final Counter malformed;
    private final Counter handlerFaults;
    private final Counter unclaimed;
    private final Counter certificates;

    LinkMetrics(MeterRegistry registry) {
        this.registry = registry;
        opened = counter("heddle.links.opened", "Connections to other nodes that were established", registry);
        lost = counter("heddle.links.lost", "Established connections to other nodes that were lost", registry);
        sent = counter("heddle.links.frames.sent", "Frames written to other nodes", registry);
        received = counter("heddle.links.frames.received", "Frames of other nodes that were handled", registry);
        repeated = counter(
                "heddle.links.frames.repeated",
                "Frames to be written again because their connection was lost before they were acknowledged",
                registry);
        refusedFrames = counter(
                "heddle.links.frames.refused",
                "Frames that were not accepted because too much was unacknowledged or the other node had ended",
                registry);
        for (Cause cause : Cause.values()) {
            refusals.put(
                    cause,
                    Counter.builder("heddle.links.refused")
                            .description("Connections to the port for links that were refused")
                            .tag("reason", cause.name().toLowerCase(Locale.ROOT))
                            .register(registry));
        }
        malformed = fault("malformed", registry);
        handlerFaults = fault("handler", registry);
        unclaimed = fault("unclaimed", registry);
        certificates = fault("certificate", registry);
    }

    private static Counter counter(String name, String description, MeterRegistry registry) {
        return Counter.builder(name).description(description).register(registry);
    }

    private static Counter fault(String reason, MeterRegistry registry) {
        return Counter.builder("heddle.links.faults")
                .description(
                        "Malformed messages, frames whose handling failed or that have no handler, and wrong certificates")
                .tag("reason", reason)
                .register(registry);
    }

    /** Adds a gauge, which lasts as long as the registry. */
    void gauge(String name, String description, DoubleSupplier value) {
        Gauge.builder(name, value, DoubleSupplier::getAsDouble)
                .description(description)
                .strongReference(true)
                .register(registry);
    }

    void opened() {
        opened.increment();
    }

    void lost() {
        lost.increment();
    }

    void sent(int frames) {
        sent.increment(frames);
    }

    void received(int frames) {
        received.increment(frames);
    }

    void repeated(int frames) {
        repeated.increment(frames);
    }

    void refused() {
        refusedFrames.increment();
    }

    void refused(Cause cause) {
        Counter counter = refusals.get(cause);
        if (counter != null) {
            counter.increment();
        }
    }

    void malformed() {
        malformed.increment();
    }

    void handlerFailed() {
        handlerFaults.increment();
    }

    /** A frame of a kind without receiver is lost. */
    void unclaimed() {
        unclaimed.increment();
    }

    /** Another node shows a certificate that it has not named. */
    void wrongCertificate() {
        certificates.increment();
    }
}
