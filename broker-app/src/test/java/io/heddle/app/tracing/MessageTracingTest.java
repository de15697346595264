package io.heddle.app.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.heddle.core.client.ClientId;
import io.heddle.core.message.tracing.MessageSpan;
import io.heddle.core.message.tracing.MessageTrace;
import io.heddle.core.message.tracing.TraceContext;
import io.heddle.core.message.tracing.Tracing;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.UserProperty;
import io.heddle.persistence.LogCapture;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Spans on their way to a collector that answers, refuses, is slow or away. */
final class MessageTracingTest {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String PARENT = "00f067aa0ba902b7";
    private static final List<UserProperty> SENT = List.of(
            new UserProperty("traceparent", "00-" + TRACE + "-" + PARENT + "-01"),
            new UserProperty("tracestate", "congo=t61"));
    private static final TopicName TOPIC = TopicName.parse("plant/3/state", 8);

    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();

    @AutoClose
    private final LogCapture lines = LogCapture.of(SpanCounts.class);

    /** Returns the values of the lines. */
    private List<String> warnings() {
        return lines.events().stream()
                .filter(each -> each.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage)
                .map(each -> each.substring(each.indexOf("endpoint=")))
                .toList();
    }

    private MessageTracing tracing(String endpoint, double ratio) {
        return new MessageTracing(
                new TracingSettings(endpoint, Map.of("authorization", "Bearer x"), ratio, 10_000),
                "heddle-1",
                "1.2.3",
                metrics);
    }

    private static Tracing of(MessageTracing tracing) {
        return Objects.requireNonNull(tracing.tracing());
    }

    private static MessageTrace publish(Tracing tracing) {
        MessageTrace trace = tracing.arrived(SENT, new ClientId("pump"), TOPIC, QoS.AT_LEAST_ONCE, 17);
        trace.publishEnded(null);
        return trace;
    }

    private double spans(String outcome) {
        return metrics.counter("heddle.tracing.spans", "outcome", outcome).count();
    }

    @Test
    void withoutAnEndpointThereIsNothing() {
        MessageTracing off =
                new MessageTracing(new TracingSettings("", Map.of(), 0, 100), "heddle-1", "1.2.3", metrics);
        off.start();
        assertThat(off.tracing()).isNull();
        off.stop();
        assertThat(metrics.getMeters()).isEmpty();
    }

    @Test
    void theCollectorGetsTheSpansOfAMessage() throws Exception {
        try (Collector collector = new Collector()) {
            MessageTracing tracing = tracing(collector.endpoint(), 0);
            MessageTrace trace = publish(of(tracing));
            MessageSpan copy = Objects.requireNonNull(
                    of(tracing).deliver(trace, new ClientId("viewer"), TOPIC, QoS.AT_MOST_ONCE, 17));
            copy.event("sent");
            copy.fail("connection_lost");
            tracing.stop();

            assertThat(collector.requests()).containsExactly("/v1/traces Bearer x");
            assertThat(collector.spans()).extracting(ReceivedSpan::name).containsExactly("publish", "deliver");
            ReceivedSpan publish = collector.spans().getFirst();
            assertThat(publish.traceId()).isEqualTo(TRACE);
            assertThat(publish.parentId()).isEqualTo(PARENT);
            assertThat(publish.traceState()).isEqualTo("congo=t61");
            assertThat(publish.isError()).isFalse();
            assertThat(publish.attributes())
                    .containsExactlyInAnyOrderEntriesOf(Map.of(
                            "messaging.system", "mqtt",
                            "messaging.destination.name", "plant/3/state",
                            "messaging.operation.name", "publish",
                            "messaging.operation.type", "receive",
                            "messaging.client.id", "pump",
                            "messaging.message.body.size", "17",
                            "heddle.qos", "1"));
            assertThat(publish.resource())
                    .containsEntry("service.name", "heddle")
                    .containsEntry("service.instance.id", "heddle-1")
                    .containsEntry("service.version", "1.2.3");
            ReceivedSpan deliver = collector.spans().getLast();
            assertThat(deliver.parentId()).isEqualTo(PARENT);
            assertThat(deliver.events()).containsExactly("sent");
            assertThat(deliver.isError()).isTrue();
            assertThat(deliver.attributes())
                    .containsEntry("error.type", "connection_lost")
                    .containsEntry("messaging.client.id", "viewer");
            assertThat(spans("sent")).isEqualTo(2);
        }
    }

    @Test
    void theAddedTraceparentNamesTheSpanOfThePublish() throws Exception {
        try (Collector collector = new Collector()) {
            MessageTracing tracing = tracing(collector.endpoint(), 1);
            MessageTrace trace = of(tracing).arrived(List.of(), new ClientId("pump"), TOPIC, QoS.AT_MOST_ONCE, 17);
            trace.publishEnded(null);
            tracing.stop();

            ReceivedSpan publish = collector.spans().getFirst();
            assertThat(publish.parentId()).isEmpty();
            String added = Objects.requireNonNull(trace.addedTraceparent());
            assertThat(added).startsWith("00-" + publish.traceId() + "-" + publish.spanId() + "-");
            // Besides "sampled", OpenTelemetry sets the flag of a random trace id.
            assertThat(TraceContext.find(List.of(new UserProperty("traceparent", added))))
                    .extracting(TraceContext::isSampled)
                    .isEqualTo(true);
        }
    }

    @Test
    void spansThatTheCollectorRefusesAreLostAndCounted() throws Exception {
        try (Collector collector = new Collector()) {
            collector.refuse(400);
            MessageTracing tracing = tracing(collector.endpoint(), 0);
            var _ = publish(of(tracing));
            await().untilAsserted(() ->
                    assertThat(warnings()).containsExactly("endpoint=" + collector.endpoint() + ": it answered 400"));
            assertThat(spans("failed")).isOne();

            collector.refuse(200);
            var _ = publish(of(tracing));
            await().untilAsserted(() -> assertThat(spans("sent")).isOne());
            tracing.stop();
            assertThat(collector.spans()).hasSize(1);
        }
    }

    @Test
    void aCollectorThatIsAwayDelaysNothing() throws Exception {
        String endpoint;
        try (Collector collector = new Collector()) {
            endpoint = collector.endpoint();
        }
        MessageTracing tracing = tracing(endpoint, 0);
        var _ = publish(of(tracing));
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(spans("failed")).isOne());
        tracing.stop();
        assertThat(warnings()).containsExactly("endpoint=" + endpoint + ": connection refused");
    }

    @Test
    void aCollectorWhoseHostIsUnknownIsNamed() {
        MessageTracing tracing = tracing("http://collector.invalid:4318/v1/traces", 0);
        var _ = publish(of(tracing));
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(spans("failed")).isOne());
        tracing.stop();
        assertThat(warnings()).containsExactly("endpoint=http://collector.invalid:4318/v1/traces: unknown host");
    }

    @Test
    void spansAboveTheBoundAreCountedWhileTheCollectorIsSlow() throws Exception {
        CountDownLatch answers = new CountDownLatch(1);
        try (Collector collector = new Collector()) {
            collector.answerWhen(answers);
            MessageTracing tracing = tracing(collector.endpoint(), 0);
            for (int i = 0; i < SpanExport.MAXIMUM_WAITING + 10; i++) {
                var _ = publish(of(tracing));
            }
            assertThat(spans("overloaded")).isEqualTo(10);

            answers.countDown();
            await().untilAsserted(() -> assertThat(spans("sent")).isEqualTo(SpanExport.MAXIMUM_WAITING));
            var _ = publish(of(tracing));
            tracing.stop();
            assertThat(spans("sent")).isEqualTo(SpanExport.MAXIMUM_WAITING + 1);
        }
    }
}
