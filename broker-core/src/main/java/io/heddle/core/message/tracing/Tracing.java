package io.heddle.core.message.tracing;

import io.heddle.core.HotPath;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.event.EventRate;
import io.heddle.core.message.tracing.MessageTracer.Step;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.UserProperty;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides which messages this node traces. A message is traced if its publisher says so, by a valid {@code traceparent} with the flag "sampled",
 * or if it has no {@code traceparent} and is one of the chosen share. Thread-safe. A message that is not traced takes no lock and changes
 * nothing that threads share.
 *
 * <p>Bounds: the rate of messages that arrive, and that of messages that the node reads from logs, queues and other nodes; {@value
 * #MAXIMUM_COPIES} copies of a message; {@value #MAXIMUM_OPEN} copies that wait for an acknowledgement. A span of a PUBLISH that waits is
 * bounded with its message.
 */
@HotPath
public final class Tracing {
    /** The number of copies of a message whose delivery is traced on a node. */
    public static final int MAXIMUM_COPIES = 16;

    static final int MAXIMUM_OPEN = 10_000;

    private final MessageTracer tracer;
    private final double ratio;
    private final DoubleSupplier random;
    private final LongSupplier nanoTime;
    private final EventRate arrivals;
    private final EventRate others;
    private final AtomicInteger open = new AtomicInteger();
    private final Counter traced;
    private final Counter untracedCopies;

    /**
     * Traces from now on.
     *
     * @param ratio of the messages without a trace context that are traced, 0 to 1
     * @param maximumRate messages a second
     * @param random returns numbers from 0 up to, not including, 1
     * @param nanoTime the monotonic clock, in nanoseconds
     */
    public Tracing(
            MessageTracer tracer,
            double ratio,
            int maximumRate,
            DoubleSupplier random,
            LongSupplier nanoTime,
            MeterRegistry registry) {
        this.tracer = tracer;
        this.ratio = ratio;
        this.random = random;
        this.nanoTime = nanoTime;
        this.arrivals = new EventRate(maximumRate, nanoTime.getAsLong());
        this.others = new EventRate(maximumRate, nanoTime.getAsLong());
        this.traced = registry.counter("heddle.tracing.messages", "outcome", "traced");
        this.untracedCopies = registry.counter("heddle.tracing.messages", "outcome", "copies_limited");
        FunctionCounter.builder("heddle.tracing.messages", this, Tracing::suppressed)
                .tag("outcome", "rate_limited")
                .register(registry);
    }

    private double suppressed() {
        return (double) (arrivals.suppressed() + others.suppressed());
    }

    /** Returns the trace of a message whose PUBLISH has just arrived. */
    public MessageTrace arrived(
            List<UserProperty> properties, ClientId publisher, TopicName topic, QoS qos, int payloadBytes) {
        TraceContext sent = properties.isEmpty() ? null : TraceContext.find(properties);
        boolean isSampled = sent == null ? ratio > 0 && random.getAsDouble() < ratio : sent.isSampled();
        if (!isSampled || !arrivals.tryTake(nanoTime.getAsLong())) {
            return MessageTrace.NONE;
        }
        traced.increment();
        return MessageTrace.published(sent, tracer.begin(Step.PUBLISH, sent, publisher, topic, qos, payloadBytes));
    }

    /** Returns the trace of a message that a log, a queue or another node has brought, or that the broker publishes. */
    public MessageTrace found(List<UserProperty> properties) {
        TraceContext sent = properties.isEmpty() ? null : TraceContext.find(properties);
        if (sent == null || !sent.isSampled() || !others.tryTake(nanoTime.getAsLong())) {
            return MessageTrace.NONE;
        }
        traced.increment();
        return MessageTrace.continued(sent);
    }

    /** Begins the append of a message; returns null if the message is not traced. */
    public @Nullable MessageSpan append(
            MessageTrace trace, ClientId publisher, TopicName topic, QoS qos, int payloadBytes) {
        return trace.isTraced() ? tracer.begin(Step.APPEND, trace.cause(), publisher, topic, qos, payloadBytes) : null;
    }

    /** Begins the delivery of a copy; returns null if it is not traced. */
    public @Nullable MessageSpan deliver(
            MessageTrace trace, ClientId recipient, TopicName topic, QoS qos, int payloadBytes) {
        if (!trace.isTraced()) {
            return null;
        }
        if (!trace.tryAddCopy(MAXIMUM_COPIES)) {
            untracedCopies.increment();
            return null;
        }
        return tracer.begin(Step.DELIVER, trace.context(), recipient, topic, qos, payloadBytes);
    }

    /** Returns whether the span of a copy may be kept until the client acknowledges it; then {@link #closed} follows. */
    public boolean tryKeepOpen() {
        if (open.incrementAndGet() <= MAXIMUM_OPEN) {
            return true;
        }
        open.decrementAndGet();
        return false;
    }

    /** A span is no longer kept. */
    public void closed() {
        open.decrementAndGet();
    }
}
