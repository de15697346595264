package io.heddle.api.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authentication.fairness.SignInSource;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
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

    private @Nullable Duration lockout(String userName, String address) {
        return limits.remainingLockout(SignInSource.of(address, userName));
    }

    @Test
    void theLimitStartsALockoutOfTheNameAtTheAddressThatExpires() {
        fail(2, "ada", HERE);
        assertThat(lockout("ada", HERE)).isNull();

        clock.advance(Duration.ofSeconds(30));
        fail(1, "ada", HERE);
        assertThat(lockout("ada", HERE)).isEqualTo(Duration.ofSeconds(90));
        assertThat(lockout("ada", "elsewhere")).isNull();
        assertThat(lockout("bob", HERE)).isNull();

        clock.advance(Duration.ofSeconds(89));
        assertThat(lockout("ada", HERE)).isEqualTo(Duration.ofSeconds(1));
        clock.advance(Duration.ofSeconds(1));
        assertThat(lockout("ada", HERE)).isNull();

        fail(2, "ada", HERE);
        assertThat(lockout("ada", HERE)).isNull();
    }

    @Test
    void anAddressIsLockedAfterTenTimesAsManyFailures() {
        for (int i = 0; i < 29; i++) {
            fail(1, "name-" + i, HERE);
        }
        assertThat(lockout("ada", HERE)).isNull();

        fail(1, "another", HERE);
        assertThat(lockout("ada", HERE)).isEqualTo(Duration.ofSeconds(90));
        assertThat(lockout("ada", "elsewhere")).isNull();
    }

    @Test
    void aNameIsLockedAfterAHundredTimesAsManyFailuresButNotWhereItIsKnown() {
        limits.onSuccess(SignInSource.of(HERE, "ada"));
        for (int i = 0; i < 299; i++) {
            fail(1, "ada", "guesser-" + i);
        }
        assertThat(lockout("ada", "elsewhere")).isNull();

        fail(1, "ada", "another");
        assertThat(lockout("ada", "elsewhere")).isEqualTo(Duration.ofSeconds(90));
        assertThat(lockout("ada", HERE)).isNull();
        assertThat(lockout("bob", "elsewhere")).isNull();

        fail(3, "ada", HERE);
        assertThat(lockout("ada", HERE)).as("guesses at the known address").isNotNull();
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
    void aSuccessResetsTheNameAtTheAddressButNotTheAddress() {
        fail(2, "ada", HERE);
        limits.onSuccess(SignInSource.of(HERE, "ada"));
        fail(1, "ada", HERE);
        assertThat(lockout("ada", HERE)).isNull();

        for (int i = 0; i < 27; i++) {
            fail(1, "name-" + i, HERE);
        }
        assertThat(lockout("ada", HERE)).isNotNull();
    }

    @Test
    void anIpv6NetworkCountsAsOneAddress() {
        fail(1, "a", "2001:db8:0:1::1");
        fail(1, "a", "2001:db8:0:1:ffff::2");
        fail(1, "a", "2001:db8:0:1:0:0:0:3");

        assertThat(lockout("a", "2001:db8:0:1::4")).isNotNull();
        assertThat(lockout("a", "2001:db8:0:2::4")).isNull();
    }

    @Test
    void anAddressMayBeAnyText() {
        fail(3, "ada", "");
        fail(3, "bob", "not an address");

        assertThat(lockout("ada", "")).isNotNull();
        assertThat(lockout("bob", "not an address")).isNotNull();
    }

    @Test
    void aLockedAddressStaysLockedHoweverManyNamesItTries() {
        for (int i = 0; i < 3 * SignInLimits.MAX_ENTRIES; i++) {
            limits.onFailure(SignInSource.of(HERE, "name-" + i));
        }

        assertThat(limits.remainingLockout(SignInSource.of(HERE, "ada"))).isNotNull();
    }

    @Test
    void lockoutsAreListedAndLiftedOneByOne() {
        for (int i = 0; i < 30; i++) {
            fail(1, "name-" + i, HERE);
        }
        fail(3, "ada", HERE);
        fail(2, "bob", "elsewhere");
        String network = SignInSource.of(HERE, "").network();
        assertThat(limits.lockouts())
                .containsExactlyInAnyOrder(
                        new SignInLimits.Lockout("ada", network, 3, Duration.ofSeconds(90)),
                        new SignInLimits.Lockout(null, network, 33, Duration.ofSeconds(90)));

        limits.lift(new SignInLimits.Lockout(null, network, 0, Duration.ZERO));
        assertThat(lockout("carl", HERE)).isNull();
        assertThat(lockout("ada", HERE)).isNotNull();
        limits.lift(new SignInLimits.Lockout("ada", network, 0, Duration.ZERO));
        assertThat(lockout("ada", HERE)).isNull();

        for (int i = 0; i < 300; i++) {
            fail(1, "eve", "guesser-" + i);
        }
        assertThat(limits.lockouts())
                .containsExactly(new SignInLimits.Lockout("eve", null, 300, Duration.ofSeconds(90)));
        limits.lift(limits.lockouts().getFirst());
        assertThat(lockout("eve", "elsewhere")).isNull();
    }
}
