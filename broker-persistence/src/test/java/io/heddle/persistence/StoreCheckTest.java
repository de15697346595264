package io.heddle.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.StoreUnavailableException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

class StoreCheckTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final StoreCheck check = new StoreCheck("kafka", registry);

    @Test
    void countsSuccessfulAndFailedChecks() {
        check.run(() -> {});
        check.run(() -> {});
        StoreUnavailableException down = new StoreUnavailableException("away", new IllegalStateException());
        assertThatThrownBy(() -> check.run(() -> {
                    throw down;
                }))
                .isSameAs(down);

        assertThat(count("up")).isEqualTo(2);
        assertThat(count("down")).isEqualTo(1);
    }

    @Test
    void aBugIsNeitherUpNorDown() {
        assertThatThrownBy(() -> check.run(() -> {
                    throw new IllegalStateException("bug");
                }))
                .isInstanceOf(IllegalStateException.class);

        assertThat(count("up")).isZero();
        assertThat(count("down")).isZero();
    }

    private long count(String outcome) {
        return registry.get("heddle.store.check")
                .tag("store", "kafka")
                .tag("outcome", outcome)
                .timer()
                .count();
    }
}
