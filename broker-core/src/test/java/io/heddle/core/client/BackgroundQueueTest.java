package io.heddle.core.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.testkit.ManualEventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BackgroundQueueTest {
    private final ManualEventLoop loop = new ManualEventLoop(0);
    private final BackgroundQueue queue = new BackgroundQueue(loop);
    private final List<String> steps = new ArrayList<>();

    /** Work with a number of steps of a given duration. */
    private BackgroundWork work(String name, int count, Duration each) {
        int[] left = {count};
        return () -> {
            steps.add(name);
            loop.spend(each);
            return --left[0] > 0;
        };
    }

    @Test
    void allWorkTakesTurns() {
        queue.add(work("a", 3, Duration.ZERO));
        queue.add(work("b", 2, Duration.ZERO));
        assertThat(steps).isEmpty();

        loop.advance(Duration.ZERO);

        assertThat(steps).containsExactly("a", "b", "a", "b", "a");
        assertThat(loop.timers()).isZero();
    }

    @Test
    void sliceIsFollowedByAPauseOfTheSameLength() {
        queue.add(work("a", 100, Duration.ofNanos(300_000)));

        loop.advance(Duration.ZERO);
        assertThat(steps).hasSize(4);

        loop.advance(Duration.ofNanos(1_199_999));
        assertThat(steps).hasSize(4);
        loop.advance(Duration.ofNanos(1));
        assertThat(steps).hasSize(8);
    }

    @Test
    void failingWorkDoesNotStopOtherWork() {
        queue.add(() -> {
            throw new IllegalStateException("a bug");
        });
        queue.add(work("b", 2, Duration.ZERO));

        assertThatThrownBy(() -> loop.advance(Duration.ZERO)).hasMessage("a bug");
        loop.advance(Duration.ZERO);

        assertThat(steps).containsExactly("b", "b");
    }
}
