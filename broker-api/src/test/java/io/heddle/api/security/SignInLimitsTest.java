package io.heddle.api.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authentication.SignInSource;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class SignInLimitsTest {
    private static final String HERE = "192.0.2.1";

    private final ManualTicker clock = new ManualTicker();
    private final SignInLimits limits = new SignInLimits(
            new SignInSettings(3, Duration.ofSeconds(60), Duration.ofSeconds(90), Duration.ofSeconds(60), 1), clock);

    private void fail(int times, String userName, String address) {
        for (int i = 0; i < times; i++) {
            limits.onFailure(SignInSource.of(address, userName));
        }
    }

    @Test
    void theLimitStartsALockoutThatExpires() {
        fail(2, "ada", HERE);
        assertThat(limits.remainingLockout(SignInSource.of("elsewhere", "ada"))).isNull();

        clock.advance(Duration.ofSeconds(30));
        fail(1, "ada", HERE);
        assertThat(limits.remainingLockout(SignInSource.of("elsewhere", "ada"))).isEqualTo(Duration.ofSeconds(90));
        assertThat(limits.remainingLockout(SignInSource.of(HERE, "bob"))).isEqualTo(Duration.ofSeconds(90));
        assertThat(limits.remainingLockout(SignInSource.of("elsewhere", "bob"))).isNull();

        clock.advance(Duration.ofSeconds(89));
        assertThat(limits.remainingLockout(SignInSource.of(HERE, "ada"))).isEqualTo(Duration.ofSeconds(1));
        clock.advance(Duration.ofSeconds(1));
        assertThat(limits.remainingLockout(SignInSource.of(HERE, "ada"))).isNull();

        fail(2, "ada", HERE);
        assertThat(limits.remainingLockout(SignInSource.of(HERE, "ada"))).isNull();
    }

    @Test
    void failuresInDifferentWindowsDoNotAddUp() {
        for (int i = 0; i < 10; i++) {
            fail(1, "ada", HERE);
            clock.advance(Duration.ofSeconds(31));
            assertThat(limits.remainingLockout(SignInSource.of(HERE, "ada")))
                    .as("failure %d", i)
                    .isNull();
        }
    }

    @Test
    void concurrentFailuresDoNotProlongTheLockout() {
        fail(3, "ada", HERE);
        clock.advance(Duration.ofSeconds(80));
        fail(1, "ada", HERE);

        assertThat(limits.remainingLockout(SignInSource.of(HERE, "ada"))).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void aSuccessResetsTheNameButNotTheAddress() {
        fail(2, "ada", HERE);
        limits.onSuccess(SignInSource.of(HERE, "ada"));
        fail(1, "ada", HERE);

        assertThat(limits.remainingLockout(SignInSource.of("elsewhere", "ada"))).isNull();
        assertThat(limits.remainingLockout(SignInSource.of(HERE, "ada"))).isNotNull();
    }

    @Test
    void anIpv6NetworkCountsAsOneAddress() {
        fail(1, "a", "2001:db8:0:1::1");
        fail(1, "b", "2001:db8:0:1:ffff::2");
        fail(1, "c", "2001:db8:0:1:0:0:0:3");

        assertThat(limits.remainingLockout(SignInSource.of("2001:db8:0:1::4", "d")))
                .isNotNull();
        assertThat(limits.remainingLockout(SignInSource.of("2001:db8:0:2::4", "d")))
                .isNull();
    }

    @Test
    void anAddressMayBeAnyText() {
        fail(3, "ada", "");
        fail(3, "bob", "not an address");

        assertThat(limits.remainingLockout(SignInSource.of("", "x"))).isNotNull();
        assertThat(limits.remainingLockout(SignInSource.of("not an address", "x")))
                .isNotNull();
    }

    @Test
    void aLockedAddressStaysLockedHoweverManyNamesItTries() {
        for (int i = 0; i < 3 * SignInLimits.MAX_ENTRIES; i++) {
            limits.onFailure(SignInSource.of(HERE, "name-" + i));
        }

        assertThat(limits.remainingLockout(SignInSource.of(HERE, "ada"))).isNotNull();
    }
}
