package io.heddle.core.client.activity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.heddle.core.testkit.ManualEventLoop;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class SamplerTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ManualEventLoop loop = new ManualEventLoop(0);
    private final Sampler sampler = new Sampler(loop, 1);
    private int chosen;

    /** Returns how many events the chosen ones stand for. */
    private long second(int events) {
        long sum = 0;
        for (int i = 0; i < events; i++) {
            int stands = sampler.next();
            chosen += stands > 0 ? 1 : 0;
            sum += stands;
        }
        loop.advance(SECOND);
        return sum;
    }

    @Test
    void fewEventsAreAllChosenWithoutATimer() {
        for (int i = 0; i < 20; i++) {
            assertThat(second(900)).isEqualTo(900);
        }

        assertThat(chosen).isEqualTo(18_000);
        assertThat(loop.timers()).isZero();
    }

    @Test
    void ofManyEventsASampleIsChosenThatStandsForAll() {
        second(1_000_000);
        chosen = 0;
        double sum = 0;
        for (int i = 0; i < 10; i++) {
            sum += second(1_000_000);
        }

        assertThat(sum / 10_000_000).isCloseTo(1, within(0.05));
        assertThat(chosen).isBetween(5_000, 30_000);
    }

    @Test
    void afterManyEventsAllOfFewAreChosenAgain() {
        second(1_000_000);
        second(10);
        second(10);

        assertThat(second(10)).isEqualTo(10);
        assertThat(loop.timers()).isZero();
    }

    @Test
    void eventsInTurnAreChosenEquallyOften() {
        second(1_000_000);
        int[] sums = new int[64];
        for (int i = 0; i < 6_400_000; i++) {
            sums[i % 64] += sampler.next();
        }

        for (int sum : sums) {
            assertThat(sum / 100_000.0).isCloseTo(1, within(0.5));
        }
    }
}
