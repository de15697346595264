package io.heddle.core.message.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.UserProperty;
import io.heddle.core.testkit.RecordingTracer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TracingTest {
    private static final List<UserProperty> SAMPLED =
            List.of(new UserProperty("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"));
    private static final List<UserProperty> NOT_SAMPLED =
            List.of(new UserProperty("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00"));
    private static final ClientId CLIENT = new ClientId("c");
    private static final TopicName TOPIC = TopicName.parse("t", 8);

    private final RecordingTracer tracer = new RecordingTracer();
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private long nanos;
    private double random;

    private Tracing tracing(double ratio, int maximumRate) {
        return new Tracing(tracer, ratio, maximumRate, () -> random, () -> nanos, metrics);
    }

    private static MessageTrace arrived(Tracing tracing, List<UserProperty> properties) {
        return tracing.arrived(properties, CLIENT, TOPIC, QoS.AT_LEAST_ONCE, 3);
    }

    private double count(String outcome) {
        return metrics.get("heddle.tracing.messages")
                .tag("outcome", outcome)
                .meter()
                .measure()
                .iterator()
                .next()
                .getValue();
    }

    @Test
    void theRatioChoosesAmongMessagesWithoutContext() {
        Tracing tracing = tracing(0.25, 10);
        random = 0.25;
        assertThat(arrived(tracing, List.of()).isTraced()).isFalse();
        assertThat(arrived(tracing, NOT_SAMPLED).isTraced()).isFalse();
        random = 0.24;
        assertThat(arrived(tracing, List.of()).isTraced()).isTrue();
        assertThat(arrived(tracing, NOT_SAMPLED).isTraced()).isFalse();
    }

    @Test
    void withoutARatioOnlyTheContextDecides() {
        Tracing tracing = tracing(0, 10);
        assertThat(arrived(tracing, List.of()).isTraced()).isFalse();
        MessageTrace trace = arrived(tracing, SAMPLED);
        assertThat(trace.isTraced()).isTrue();
        assertThat(trace.addedTraceparent()).isNull();
    }

    @Test
    void theContextOfATraceThatBeginsHereIsItsPublish() {
        MessageTrace trace = arrived(tracing(1, 10), List.of());
        assertThat(trace.addedTraceparent())
                .isEqualTo(tracer.steps().getFirst().context().traceparent());
    }

    @Test
    void clientsCannotTraceMoreThanTheRate() {
        Tracing tracing = tracing(0, 2);
        for (int i = 0; i < 5; i++) {
            MessageTrace trace = arrived(tracing, SAMPLED);
            assertThat(trace.isTraced()).isEqualTo(i < 2);
        }
        assertThat(tracer.steps()).hasSize(2);
        assertThat(count("traced")).isEqualTo(2);
        assertThat(count("rate_limited")).isEqualTo(3);

        assertThat(tracing.found(SAMPLED).isTraced()).isTrue();
        nanos += Duration.ofSeconds(1).toNanos();
        assertThat(arrived(tracing, SAMPLED).isTraced()).isTrue();
    }

    @Test
    void foundMessagesHaveTheSameRate() {
        Tracing tracing = tracing(1, 1);
        assertThat(tracing.found(List.of()).isTraced()).isFalse();
        assertThat(tracing.found(NOT_SAMPLED).isTraced()).isFalse();
        assertThat(tracing.found(SAMPLED).isTraced()).isTrue();
        assertThat(tracing.found(SAMPLED).isTraced()).isFalse();
        assertThat(count("rate_limited")).isOne();
    }

    @Test
    void onlyTheFirstCopiesOfAMessageAreTraced() {
        Tracing tracing = tracing(0, 1);
        MessageTrace trace = arrived(tracing, SAMPLED);
        for (int i = 0; i < Tracing.MAXIMUM_COPIES; i++) {
            assertThat(tracing.deliver(trace, CLIENT, TOPIC, QoS.AT_MOST_ONCE, 3))
                    .isNotNull();
        }
        assertThat(tracing.deliver(trace, CLIENT, TOPIC, QoS.AT_MOST_ONCE, 3)).isNull();
        assertThat(count("copies_limited")).isOne();
    }

    @Test
    void copiesThatWaitForAnAcknowledgementAreBounded() {
        Tracing tracing = tracing(0, 1);
        for (int i = 0; i < Tracing.MAXIMUM_OPEN; i++) {
            assertThat(tracing.tryKeepOpen()).isTrue();
        }
        assertThat(tracing.tryKeepOpen()).isFalse();
        tracing.closed();
        assertThat(tracing.tryKeepOpen()).isTrue();
    }

    @Test
    void theSpanOfThePublishIsTheCauseOfTheAppendUntilItEnds() {
        Tracing tracing = tracing(0, 1);
        MessageTrace trace = arrived(tracing, SAMPLED);
        assertThat(trace.cause()).isEqualTo(tracer.steps().getFirst().context());
        trace.publishEnded(null);
        trace.publishEnded("too late");
        assertThat(trace.cause()).isEqualTo(trace.context());
        assertThat(tracer.described()).containsExactly("publish c: end");
    }
}
