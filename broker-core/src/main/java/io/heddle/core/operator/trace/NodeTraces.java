package io.heddle.core.operator.trace;

import io.heddle.core.client.ClientEvents;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.event.ClientEvent;
import io.heddle.core.client.event.ClientEvent.Client;
import io.heddle.core.client.event.EventValues;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.operator.trace.NodeTrace.Outcome;
import io.heddle.core.operator.trace.TraceFormat.Answer;
import io.heddle.core.operator.trace.TraceFormat.Question;
import io.heddle.core.operator.trace.TraceFormat.State;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The traces that run at this node, for administrators at any node. Watches clients while there is one. Thread-safe. Bound: {@value #MAXIMUM}
 * traces, and {@value #MAXIMUM_OF_ADMINISTRATOR} of each administrator, so that no one takes all; abandoned ones are dropped.
 */
final class NodeTraces implements ClientEvents.Watcher {
    static final int MAXIMUM = 8;
    static final int MAXIMUM_OF_ADMINISTRATOR = 3;

    private static final int MAXIMUM_ENDED = 100;

    private final ClientEvents events;
    private final SteadyClock clock;
    private final LongSupplier nanoTime;
    private final int maximumEventBytes;
    private final Map<Outcome, Counter> counters = new EnumMap<>(Outcome.class);
    // The administrators who have ended the latest traces, by the ids of the traces. Guarded by this.
    private final LinkedHashMap<UUID, String> ended = new LinkedHashMap<>();
    // Immutable; replaced under the lock.
    private volatile Map<UUID, NodeTrace> traces = Map.of();

    /**
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
        Answer refusal = begin(asked, asked.filter());
        if (refusal != null) {
            return refusal;
        }
        NodeTrace trace = traces.get(asked.id());
        if (trace == null) {
            // It was dropped in between, or ended, which the next answer says.
            return Answer.without(State.FULL);
        }
        long received = asked.begin() == trace.beginNanos() ? asked.received() : 0;
        return new Answer(State.RUNNING, "", trace.beginNanos(), trace.next(received, nanoTime.getAsLong()));
    }

    /** Begins a trace unless it runs. Returns the answer if it may not run, else null. */
    private synchronized @Nullable Answer begin(Question asked, TraceFilter filter) {
        String by = ended.get(asked.id());
        if (by != null) {
            return Answer.endedBy(by);
        }
        if (traces.containsKey(asked.id())) {
            return null;
        }
        if (traces.size() == MAXIMUM) {
            return Answer.without(State.FULL);
        }
        long own = traces.values().stream()
                .filter(each -> each.administrator().equals(asked.administrator()))
                .count();
        if (own >= MAXIMUM_OF_ADMINISTRATOR) {
            return Answer.without(State.ADMINISTRATOR_FULL);
        }
        Map<UUID, NodeTrace> changed = new HashMap<>(traces);
        changed.put(asked.id(), new NodeTrace(asked, filter, maximumEventBytes, nanoTime.getAsLong()));
        replace(changed);
        String clientId = filter.clientId();
        if (clientId != null && !clientId.isEmpty()) {
            // Also before its next packet, and at the nodes that it may connect to.
            var _ = events.pastMessages().of(new ClientId(clientId), clock.millis());
        }
        return null;
    }

    /** Returns the traces that run, the oldest first. */
    List<RunningTrace> running() {
        dropAbandoned();
        long nowNanos = nanoTime.getAsLong();
        return traces.entrySet().stream()
                .map(each -> new RunningTrace(
                        each.getKey(),
                        each.getValue().administrator(),
                        each.getValue().filter(),
                        each.getValue().hasPayloads(),
                        Duration.ofNanos(nowNanos - each.getValue().beginNanos())))
                .sorted(Comparator.comparing(RunningTrace::age).reversed())
                .toList();
    }

    /** Ends a trace, if it runs. The node that follows it learns so by its next question, and ends it at the others. */
    synchronized void end(UUID id, String by) {
        if (traces.containsKey(id)) {
            end(id);
            ended.putLast(id, by);
            if (ended.size() > MAXIMUM_ENDED) {
                ended.pollFirstEntry();
            }
        }
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
                if (!isInbound && packet instanceof PublishPacket) {
                    events.pastMessages().rememberIfRoom(new ClientId(client.clientId()), clock.millis());
                }
                add(
                        trace,
                        () -> new EventValues()
                                .with(TraceEvent.EVENT, "packet")
                                .with("direction", isInbound ? "in" : "out")
                                .withAll(client.values())
                                .withAll(trace.packets().of(packet, topic)));
            }
        }
    }

    @Override
    public void onEvent(ClientEvent event) {
        for (NodeTrace trace : traces.values()) {
            if (trace.filter().matches(event.client()) && trace.filter().matches(event)) {
                add(
                        trace,
                        () -> new EventValues()
                                .with(TraceEvent.EVENT, name(event.kind()))
                                .withAll(event.described()));
            }
        }
    }

    /** What the rules deny is refused, too: {@code refused} tells what it is. */
    private static String name(ClientEvent.Kind kind) {
        return (kind == ClientEvent.Kind.DENIED ? ClientEvent.Kind.REFUSED : kind).text();
    }

    private void add(NodeTrace trace, Supplier<EventValues> values) {
        long nowNanos = nanoTime.getAsLong();
        if (trace.isAbandoned(nowNanos)) {
            dropAbandoned();
            return;
        }
        Outcome outcome = trace.add(nowNanos, () -> new TraceEvent(clock.millis(), values.get()));
        Counter counter = counters.get(outcome);
        if (counter != null) {
            counter.increment();
        }
    }
}
