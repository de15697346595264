package io.heddle.core.testkit;

import io.heddle.core.client.ClientId;
import io.heddle.core.message.tracing.MessageSpan;
import io.heddle.core.message.tracing.MessageTracer;
import io.heddle.core.message.tracing.TraceContext;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Keeps the steps of messages. One thread. */
public final class RecordingTracer implements MessageTracer {
    private final List<Recorded> steps = new ArrayList<>();

    /** A step. */
    public static final class Recorded implements MessageSpan {
        private final String name;
        private final @Nullable TraceContext parent;
        private final TraceContext context;
        private final List<String> events = new ArrayList<>();

        private Recorded(String name, @Nullable TraceContext parent, TraceContext context) {
            this.name = name;
            this.parent = parent;
            this.context = context;
        }

        public @Nullable TraceContext parent() {
            return parent;
        }

        @Override
        public TraceContext context() {
            return context;
        }

        @Override
        public void event(String event) {
            events.add(event);
        }

        @Override
        public void end() {
            events.add("end");
        }

        @Override
        public void fail(String reason) {
            events.add("fail " + reason);
        }
    }

    @Override
    public MessageSpan begin(
            Step step, @Nullable TraceContext parent, ClientId client, TopicName topic, QoS qos, int payloadBytes) {
        String id = String.format(Locale.ROOT, "%016x", steps.size() + 1);
        String trace =
                parent == null ? "0".repeat(31) + "7" : parent.traceparent().substring(3, 35);
        Recorded recorded = new Recorded(
                step.name().toLowerCase(Locale.ROOT) + " " + client.value(),
                parent,
                new TraceContext("00-" + trace + "-" + id + "-01", null, true));
        steps.add(recorded);
        return recorded;
    }

    /** Returns the steps in the order in which they began. */
    public List<Recorded> steps() {
        return steps;
    }

    /** Returns each step as its name, its client and what has happened to it. */
    public List<String> described() {
        return steps.stream()
                .map(step -> step.name + ": " + String.join(", ", step.events))
                .toList();
    }
}
