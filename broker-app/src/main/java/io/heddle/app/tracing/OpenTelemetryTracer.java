package io.heddle.app.tracing;

import io.heddle.core.client.ClientId;
import io.heddle.core.message.tracing.MessageSpan;
import io.heddle.core.message.tracing.MessageTracer;
import io.heddle.core.message.tracing.TraceContext;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Records the steps of messages as spans with the attributes of OpenTelemetry's conventions for messaging. The name of a span is that of its step:
 * with the topic, there would be as many names as topics. Thread-safe.
 */
final class OpenTelemetryTracer implements MessageTracer {
    private static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("messaging.system");
    private static final AttributeKey<String> DESTINATION = AttributeKey.stringKey("messaging.destination.name");
    private static final AttributeKey<String> OPERATION = AttributeKey.stringKey("messaging.operation.name");
    private static final AttributeKey<String> OPERATION_TYPE = AttributeKey.stringKey("messaging.operation.type");
    private static final AttributeKey<String> CLIENT_ID = AttributeKey.stringKey("messaging.client.id");
    private static final AttributeKey<Long> BODY_SIZE = AttributeKey.longKey("messaging.message.body.size");
    private static final AttributeKey<Long> QOS = AttributeKey.longKey("heddle.qos");
    private static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");

    private static final W3CTraceContextPropagator FORMAT = W3CTraceContextPropagator.getInstance();

    private final Tracer tracer;

    OpenTelemetryTracer(Tracer tracer) {
        this.tracer = tracer;
    }

    @Override
    public MessageSpan begin(
            Step step, @Nullable TraceContext parent, ClientId client, TopicName topic, QoS qos, int payloadBytes) {
        String name = step.name().toLowerCase(Locale.ROOT);
        return new RecordedSpan(tracer.spanBuilder(name)
                .setParent(
                        parent == null
                                ? Context.root()
                                : FORMAT.extract(Context.root(), parent, UserProperties.OF_CONTEXT))
                .setSpanKind(kind(step))
                .setAttribute(SYSTEM, "mqtt")
                .setAttribute(DESTINATION, topic.value())
                .setAttribute(OPERATION, name)
                .setAttribute(OPERATION_TYPE, step == Step.PUBLISH ? "receive" : "send")
                .setAttribute(CLIENT_ID, client.value())
                .setAttribute(BODY_SIZE, (long) payloadBytes)
                .setAttribute(QOS, (long) qos.level())
                .startSpan());
    }

    private static SpanKind kind(Step step) {
        return switch (step) {
            case PUBLISH -> SpanKind.SERVER;
            case APPEND -> SpanKind.CLIENT;
            case DELIVER -> SpanKind.PRODUCER;
        };
    }

    private record RecordedSpan(Span span) implements MessageSpan {
        @Override
        public TraceContext context() {
            SpanContext context = span.getSpanContext();
            return new TraceContext(
                    "00-" + context.getTraceId() + "-" + context.getSpanId() + "-"
                            + context.getTraceFlags().asHex(),
                    null,
                    true);
        }

        @Override
        public void event(String name) {
            span.addEvent(name);
        }

        @Override
        public void end() {
            span.end();
        }

        @Override
        public void fail(String reason) {
            span.setAttribute(ERROR, reason);
            span.setStatus(StatusCode.ERROR, reason);
            span.end();
        }
    }

    private enum UserProperties implements TextMapGetter<TraceContext> {
        OF_CONTEXT;

        @Override
        public Iterable<String> keys(TraceContext context) {
            return List.of(TraceContext.TRACEPARENT, TraceContext.TRACESTATE);
        }

        @Override
        public @Nullable String get(@Nullable TraceContext context, String key) {
            if (context == null) {
                return null;
            }
            return switch (key) {
                case TraceContext.TRACEPARENT -> context.traceparent();
                case TraceContext.TRACESTATE -> context.tracestate();
                default -> null;
            };
        }
    }
}
