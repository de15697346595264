package io.heddle.api.security;

import io.heddle.core.lifecycle.StartupException;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How administrators sign in.
 *
 * @param maxFailures wrong passwords for one user name, or from one remote address, within the failure window before further
 *     attempts are refused
 * @param failureWindow how long failures are counted together
 * @param lockout how long attempts are refused then
 * @param remember how long a verified password is not verified again; a changed password or a removed administrator takes
 *     effect at once all the same
 * @param maxConcurrentVerifications password hashes computed at once; each takes the hash's memory
 */
@ConfigurationProperties("heddle.administration.sign-in")
public record SignInSettings(
        @DefaultValue("10") int maxFailures,
        @DefaultValue("1m") Duration failureWindow,
        @DefaultValue("1m") Duration lockout,
        @DefaultValue("1m") Duration remember,
        @DefaultValue("2") int maxConcurrentVerifications) {

    public SignInSettings {
        requireAtLeastOne("max-failures", maxFailures);
        requireAtLeastOne("max-concurrent-verifications", maxConcurrentVerifications);
        requirePositive("failure-window", failureWindow);
        requirePositive("lockout", lockout);
        requirePositive("remember", remember);
    }

    private static void requireAtLeastOne(String key, int value) {
        if (value < 1) {
            throw new StartupException(
                    "heddle.administration.sign-in." + key + " is " + value + ": set it to 1 or more", null);
        }
    }

    private static void requirePositive(String key, Duration value) {
        if (!value.isPositive()) {
            throw new StartupException(
                    "heddle.administration.sign-in." + key + " is " + value
                            + ": set it to a positive duration such as 60s",
                    null);
        }
    }
}
