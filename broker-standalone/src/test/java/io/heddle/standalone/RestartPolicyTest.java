package io.heddle.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RestartPolicyTest {
    private final RestartPolicy policy = new RestartPolicy();

    @Test
    void pauseDoublesUntilTheFifthDeathWithinAMinute() {
        assertThat(deathAt(0)).isEqualTo(Duration.ofMillis(200));
        assertThat(deathAt(1)).isEqualTo(Duration.ofMillis(400));
        assertThat(deathAt(2)).isEqualTo(Duration.ofMillis(800));
        assertThat(deathAt(3)).isEqualTo(Duration.ofMillis(1600));
        assertThat(deathAt(59)).isNull();
    }

    @Test
    void deathsOlderThanAMinuteAreForgotten() {
        for (int minute = 0; minute < 20; minute++) {
            assertThat(deathAt(61L * minute)).isEqualTo(Duration.ofMillis(200));
        }
    }

    @Test
    void clockMayBeNegativeAndWrap() {
        long almostWrapped = Long.MAX_VALUE - Duration.ofSeconds(1).toNanos();
        assertThat(policy.afterDeath(almostWrapped)).isEqualTo(Duration.ofMillis(200));
        assertThat(policy.afterDeath(almostWrapped + Duration.ofSeconds(2).toNanos()))
                .isEqualTo(Duration.ofMillis(400));
    }

    private @Nullable Duration deathAt(long seconds) {
        return policy.afterDeath(Duration.ofSeconds(seconds).toNanos());
    }
}
