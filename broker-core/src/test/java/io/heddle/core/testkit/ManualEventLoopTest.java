package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.EventLoop;
import java.time.Duration;
import java.util.function.BooleanSupplier;

class ManualEventLoopTest extends EventLoopContract {
    private final ManualEventLoop loop = new ManualEventLoop(3);

    @Override
    protected EventLoop loop() {
        return loop;
    }

    @Override
    protected void await(BooleanSupplier condition) {
        loop.runTasks();
        for (int millis = 0; millis < 10_000 && !condition.getAsBoolean(); millis++) {
            loop.advance(Duration.ofMillis(1));
        }
        assertThat(condition.getAsBoolean())
                .as("within ten seconds of the loop's time")
                .isTrue();
    }
}
