package io.heddle.app.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StopLimitTest {
    private final BrokerLifecycle lifecycle = new BrokerLifecycle();
    private final List<Integer> halted = new ArrayList<>();
    private final StopLimit limit = new StopLimit(Duration.ofMillis(10), lifecycle::exitStatus, halted::add);

    @Test
    void aStopThatTakesTooLongEndsWithStatusOne() {
        limit.haltInTime();

        assertThat(halted).containsExactly(1);
    }

    @Test
    void aNodeThatIsOverEndsWithItsStatusEvenIfItsStopTakesTooLong() {
        lifecycle.onNodeOver("This node is over: a test says so");

        limit.haltInTime();

        assertThat(halted).containsExactly(BrokerLifecycle.NODE_IS_OVER);
    }
}
