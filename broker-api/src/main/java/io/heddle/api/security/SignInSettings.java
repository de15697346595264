package io.heddle.api.security;

import io.heddle.core.lifecycle.StartupException;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Sign-in of administrators.
 *
 * @param maxFailures number of wrong passwords or API keys for one name from one remote address within the failure window that starts a lockout;
 *     ten times as many for all names from one address, and a hundred times as many for one name from all addresses
 * @param failureWindow time in which failures are counted together
 * @param lockout how long further attempts are refused
 * @param remember how long a verified password is not hashed again; a changed password or a removed administrator takes effect immediately
 * @param maxConcurrentVerifications maximum number of password hashes that are computed at once; each takes 19 MiB of memory
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
