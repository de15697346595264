package io.heddle.core.message.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.UserProperty;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TraceContextTest {
    private static final String VALID = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    private static UserProperty parent(String value) {
        return new UserProperty("traceparent", value);
    }

    @Test
    void messagesWithoutTraceparentHaveNoContext() {
        assertThat(TraceContext.find(List.of())).isNull();
        assertThat(TraceContext.find(
                        List.of(new UserProperty("Traceparent", VALID), new UserProperty("tracestate", "a=1"))))
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                VALID,
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-03",
                "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what-follows"
            })
    void sampledContextsAreFound(String traceparent) {
        assertThat(TraceContext.find(List.of(new UserProperty("a", "b"), parent(traceparent))))
                .isEqualTo(new TraceContext(traceparent, null, true));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-02",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0g",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-1",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01 ",
                "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
                "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
                "00-4bf92f3577b34da6a3ce929d0e0e47-3600f067aa0ba902b7-01",
                "00_4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01x",
                "0x-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
            })
    void malformedContextsAndThoseOfUnsampledTracesAreNotSampled(String traceparent) {
        assertThat(TraceContext.find(List.of(parent(traceparent))))
                .isEqualTo(new TraceContext(traceparent, null, false));
    }

    @Test
    void aSecondTraceparentMakesTheContextInvalid() {
        assertThat(TraceContext.find(List.of(parent(VALID), parent(VALID)))).returns(false, TraceContext::isSampled);
    }

    @Test
    void tracestateIsKeptIfThereIsOne() {
        UserProperty state = new UserProperty("tracestate", "congo=t61rcWkgMzE");
        assertThat(TraceContext.find(List.of(state, parent(VALID))))
                .isEqualTo(new TraceContext(VALID, "congo=t61rcWkgMzE", true));
        assertThat(TraceContext.find(List.of(state, parent(VALID), state)))
                .isEqualTo(new TraceContext(VALID, null, true));
    }
}
