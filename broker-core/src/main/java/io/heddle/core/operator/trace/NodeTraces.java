package io.heddle.core.operator.trace;

import io.heddle.core.client.ClientEvents;
import io.heddle.core.client.ClientEvents.Client;
import io.heddle.core.client.DisconnectCause;
import io.heddle.core.client.RecentDrops;
import io.heddle.core.client.RecentDrops.DroppedMessage;
import io.heddle.core.client.RecentRefusals;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.operator.trace.NodeTrace.Outcome;
import io.heddle.core.operator.trace.TraceEvent.Values;
import io.heddle.core.operator.trace.TraceFormat.Answer;
import io.heddle.core.operator.trace.TraceFormat.Question;
import io.heddle.core.operator.trace.TraceFormat.State;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.InetSocketAddress;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The traces that run at this node, for administrators at any node. Watches clients while there is one. Thread-safe. Bound: {@value #MAXIMUM}
 * traces, of which abandoned ones are dropped.
 */
final class NodeTraces implements ClientEvents.Watcher {
    static final int MAXIMUM = 8;

    private final ClientEvents events;
    private final SteadyClock clock;
    private final LongSupplier nanoTime;
    private final int maximumEventBytes;
    private final Map<Outcome, Counter> counters = new EnumMap<>(Outcome.class);
    // Immutable; replaced under the lock.
    private volatile Map<UUID, NodeTrace> traces = Map.of();

    /**
     * Creates the traces of a node.
     *
     * @param nanoTime the monotonic clock, in nanoseconds
     * @param maximumEventBytes larger events are lost
     */
    NodeTraces(
            ClientEvents events,
            SteadyClock clock,
            LongSupplier nanoTime,
            int maximumEventBytes,
            MeterRegistry metrics) {
        this.maximumEventBytes = maximumEventBytes;
        this.events = events;
        this.clock = clock;
        this.nanoTime = nanoTime;
        for (Outcome each : Outcome.values()) {
            counters.put(
                    each,
                    metrics.counter("heddle.trace.events", "result", each.name().toLowerCase(Locale.ROOT)));
        }
        metrics.gauge("heddle.traces.active", this, NodeTraces::active);
    }

    private int active() {
        dropAbandoned();
        return traces.size();
    }

    // Questions.

    Answer answer(Question asked) {
        if (asked.filter() == null) {
            end(asked.id());
            return Answer.without(State.ENDED);
        }
        dropAbandoned();
        NodeTrace present = traces.get(asked.id());
        NodeTrace trace = present == null ? begin(asked.id(), asked.filter(), asked.hasPayloads()) : present;
        if (trace == null) {
            return Answer.without(State.FULL);
        }
        long received = asked.begin() == trace.beginNanos() ? asked.received() : 0;
        return new Answer(State.RUNNING, trace.beginNanos(), trace.next(received, nanoTime.getAsLong()));
    }

    private synchronized @Nullable NodeTrace begin(UUID id, TraceFilter filter, boolean hasPayloads) {
        NodeTrace present = traces.get(id);
        if (present != null || traces.size() == MAXIMUM) {
            return present;
        }
        NodeTrace begun = new NodeTrace(filter, hasPayloads, maximumEventBytes, nanoTime.getAsLong());
        Map<UUID, NodeTrace> changed = new HashMap<>(traces);
        changed.put(id, begun);
        replace(changed);
        return begun;
    }

    private synchronized void end(UUID id) {
        Map<UUID, NodeTrace> changed = new HashMap<>(traces);
        changed.remove(id);
        replace(changed);
    }

    private void dropAbandoned() {
        long nowNanos = nanoTime.getAsLong();
        for (Map.Entry<UUID, NodeTrace> each : traces.entrySet()) {
            if (each.getValue().isAbandoned(nowNanos)) {
                end(each.getKey());
            }
        }
    }

    private void replace(Map<UUID, NodeTrace> changed) {
        traces = Map.copyOf(changed);
        events.watch(changed.isEmpty() ? null : this);
    }

    // Events.

    @Override
    public void onPacket(Client client, boolean isInbound, MqttPacket packet, @Nullable TopicName topic) {
        for (NodeTrace trace : traces.values()) {
            if (trace.filter().matches(client) && trace.filter().matches(packet, topic)) {
                add(
                        trace,
                        () -> new Values()
                                .with(TraceEvent.EVENT, "packet")
                                .with("direction", isInbound ? "in" : "out")
                                .withAll(described(client))
                                .withAll(trace.packets().of(packet, topic)));
            }
        }
    }

    @Override
    public void onRefusal(Client client, String kind, String reason, String detail) {
        for (NodeTrace trace : traces.values()) {
            if (trace.filter().matches(client) && trace.filter().matchesWithoutTopic()) {
                add(
                        trace,
                        () -> new Values()
                                .with(TraceEvent.EVENT, "refused")
                                .withAll(described(client))
                                .with("refused", kind)
                                .with(TraceEvent.REASON, reason)
                                .with(TraceEvent.DETAIL, detail));
            }
        }
    }

    @Override
    public void onDrop(Client client, DroppedMessage message) {
        for (NodeTrace trace : traces.values()) {
            if (trace.filter().matches(client) && trace.filter().matches(message.topic())) {
                add(
                        trace,
                        () -> new Values()
                                .with(TraceEvent.EVENT, "dropped")
                                .withAll(described(client))
                                .with(TraceEvent.REASON, message.reason())
                                .with("topic", message.topic())
                                .with("qos", message.qos().level())
                                .with(
                                        "payloadBytes",
                                        message.payloadBytes() == RecentDrops.UNKNOWN_BYTES
                                                ? null
                                                : message.payloadBytes()));
            }
        }
    }

    @Override
    public void onEnd(Client client, DisconnectCause cause) {
        for (NodeTrace trace : traces.values()) {
            if (trace.filter().matches(client) && trace.filter().matchesWithoutTopic()) {
                add(
                        trace,
                        () -> new Values()
                                .with(TraceEvent.EVENT, "disconnected")
                                .withAll(described(client))
                                .with(TraceEvent.REASON, cause.reason())
                                .with(TraceEvent.DETAIL, cause.detail()));
            }
        }
    }

    private void add(NodeTrace trace, Supplier<Values> values) {
        long nowNanos = nanoTime.getAsLong();
        if (trace.isAbandoned(nowNanos)) {
            dropAbandoned();
            return;
        }
        Outcome outcome = trace.add(nowNanos, () -> values.get().at(clock.millis()));
        Counter counter = counters.get(outcome);
        if (counter != null) {
            counter.increment();
        }
    }

    private static Values described(Client client) {
        return new Values()
                .with("clientId", client.clientId().isEmpty() ? null : client.clientId())
                .with("userName", client.userName())
                .with("address", client.address() == null ? null : RecentRefusals.host(client.address()))
                .with("port", client.address() instanceof InetSocketAddress internet ? internet.getPort() : null);
    }
}
