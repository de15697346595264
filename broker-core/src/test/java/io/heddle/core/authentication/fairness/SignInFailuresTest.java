package io.heddle.core.authentication.fairness;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class SignInFailuresTest {
    private static final SignInSource SOURCE = new SignInSource("192.0.2.1", "user");

    // Overflows, as System.nanoTime may.
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000);
    private final SignInFailures failures =
            new SignInFailures(Duration.ofMillis(100), Duration.ofSeconds(5), Duration.ofMinutes(1), nanos::get);

    private void fail(int times, SignInSource source) {
        for (int i = 0; i < times; i++) {
            failures.recordFailure(source);
        }
    }

    @Test
    void delaysDoubleUpToTheMaximum() {
        assertThat(failures.delay(SOURCE)).isZero();
        for (long expected : new long[] {100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000}) {
            failures.recordFailure(SOURCE);
            assertThat(failures.delay(SOURCE)).isEqualTo(Duration.ofMillis(expected));
        }
        fail(1_000, SOURCE);
        assertThat(failures.delay(SOURCE)).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void networkIsDelayedForEveryNameAndNameForEveryNetwork() {
        fail(2, SOURCE);

        assertThat(failures.delay(new SignInSource(SOURCE.network(), "other"))).isEqualTo(Duration.ofMillis(200));
        assertThat(failures.delay(new SignInSource("192.0.2.2", SOURCE.name()))).isEqualTo(Duration.ofMillis(200));
        assertThat(failures.delay(new SignInSource("192.0.2.2", "other"))).isZero();
    }

    @Test
    void successClearsTheNameButNotTheNetwork() {
        fail(2, SOURCE);
        failures.recordSuccess(SOURCE);

        assertThat(failures.delay(new SignInSource("192.0.2.2", SOURCE.name()))).isZero();
        assertThat(failures.delay(SOURCE)).isEqualTo(Duration.ofMillis(200));
    }

    @Test
    void failuresExpire() {
        fail(SignInFailures.FAILING, SOURCE);
        assertThat(failures.isFailing(SOURCE.network())).isTrue();
        nanos.addAndGet(Duration.ofMinutes(1).toNanos());

        assertThat(failures.isFailing(SOURCE.network())).isFalse();
        assertThat(failures.delay(SOURCE)).isZero();
        failures.recordFailure(SOURCE);
        assertThat(failures.delay(SOURCE)).isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void floodOfNamesDoesNotEvictItsNetwork() {
        for (int i = 0; i < 3 * SignInFailures.MAX_ENTRIES; i++) {
            failures.recordFailure(new SignInSource("192.0.2.1", "name-" + i));
        }

        assertThat(failures.isFailing("192.0.2.1")).isTrue();
        assertThat(failures.delay(new SignInSource("192.0.2.2", "name-0"))).isZero();
    }

    @Test
    void maximumOfZeroDisablesDelays() {
        SignInFailures off =
                new SignInFailures(Duration.ofMillis(100), Duration.ZERO, Duration.ofMinutes(1), nanos::get);
        for (int i = 0; i < 50; i++) {
            off.recordFailure(SOURCE);
        }

        assertThat(off.delay(SOURCE)).isZero();
        assertThat(off.isFailing(SOURCE.network())).isTrue();
    }

    @Test
    void ipv6NetworkIsOneSource() {
        assertThat(SignInSource.of("2001:db8:0:1::1", "a")).isEqualTo(SignInSource.of("2001:db8:0:1:ffff::2", "a"));
        assertThat(SignInSource.of("2001:db8:0:1::1", "a")).isNotEqualTo(SignInSource.of("2001:db8:0:2::1", "a"));
    }
}
