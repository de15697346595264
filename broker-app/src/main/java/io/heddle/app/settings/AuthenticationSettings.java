package io.heddle.app.settings;

import io.heddle.core.authentication.ClientIdPattern;
import io.heddle.core.authentication.SignInFailures;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.SettingRule;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Who may connect.
 *
 * @param anonymous clients that show neither a user name nor a password
 * @param maximumPending how many clients may wait for their authentication at once; a network (an IPv4 address or an IPv6 /64) at most
 *     as many as there are free places left, and a name at most as many as its network may still get; the next are answered "server busy"
 * @param concurrentPasswordChecks how many passwords of clients are checked at once, each taking 19 MiB of memory; 0 means one for
 *     each processor. Networks take turns, and the names within each of them; administrators do not wait for clients
 * @param maximumPasswordWait how long a client waits for its password to be checked before it is answered "server busy"
 * @param refusalDelay how long the refusal of a wrong password is held back; twice as long after each further failure of the same
 *     network or name
 * @param maximumRefusalDelay the longest of these delays; 0s turns them off
 * @param failureWindow how long after its last failure a network or a name is forgotten
 * @param maximumRemembered how many passwords of clients are remembered to match the stored hash, so that they are not checked at
 *     each CONNECT; without the password, about 200 bytes each; 0 means none. Changed passwords and removed credentials take effect
 *     at once all the same
 * @param remember how long that is remembered
 */
public record AuthenticationSettings(
        @DefaultValue @NestedConfigurationProperty Anonymous anonymous,
        @DefaultValue("10000") int maximumPending,
        @DefaultValue("0") int concurrentPasswordChecks,
        @DefaultValue("20s") Duration maximumPasswordWait,
        @DefaultValue("100ms") Duration refusalDelay,
        @DefaultValue("5s") Duration maximumRefusalDelay,
        @DefaultValue("1m") Duration failureWindow,
        @DefaultValue("100000") int maximumRemembered,
        @DefaultValue("1h") Duration remember) {
    public AuthenticationSettings {
        if (maximumPending < 1) {
            throw new StartupException(
                    "heddle.authentication.maximum-pending is " + maximumPending + ": set it to 1 or more", null);
        }
        SettingRule.between("heddle.authentication.concurrent-password-checks", concurrentPasswordChecks, 0, 1_024);
        SettingRule.between(
                "heddle.authentication.maximum-password-wait",
                maximumPasswordWait,
                Duration.ofMillis(100),
                Duration.ofMinutes(5));
        SettingRule.between(
                "heddle.authentication.refusal-delay", refusalDelay, Duration.ofMillis(1), Duration.ofMinutes(1));
        SettingRule.between(
                "heddle.authentication.maximum-refusal-delay",
                maximumRefusalDelay,
                Duration.ZERO,
                Duration.ofMinutes(1));
        SettingRule.between(
                "heddle.authentication.failure-window", failureWindow, Duration.ofSeconds(1), Duration.ofDays(1));
        SettingRule.between("heddle.authentication.maximum-remembered", maximumRemembered, 0, 10_000_000);
        SettingRule.between("heddle.authentication.remember", remember, Duration.ofSeconds(1), Duration.ofDays(30));
    }

    /** The failures to sign in that count. */
    public SignInFailures signInFailures() {
        return new SignInFailures(refusalDelay, maximumRefusalDelay, failureWindow, System::nanoTime);
    }

    /** How many passwords are checked at once. */
    public int passwordChecks() {
        return concurrentPasswordChecks == 0 ? Runtime.getRuntime().availableProcessors() : concurrentPasswordChecks;
    }

    /**
     * Clients that show neither a user name nor a password.
     *
     * @param enabled whether they are let in. Not set: in the profile "standalone" while every listener is on loopback,
     *     otherwise never
     * @param applicationClients patterns of client ids (* for any characters, ? for one) that become APPLICATION clients; all
     *     others are devices
     */
    public record Anonymous(
            @Nullable Boolean enabled, @DefaultValue List<String> applicationClients) {
        public Anonymous {
            for (String pattern : applicationClients) {
                if (pattern.isBlank()) {
                    throw new StartupException(
                            "heddle.authentication.anonymous.application-clients has an empty pattern:"
                                    + " write patterns like billing-*, separated by commas",
                            null);
                }
            }
            applicationClients = List.copyOf(applicationClients);
        }

        /** The patterns, ready to match. */
        public List<ClientIdPattern> applicationClientPatterns() {
            return applicationClients.stream().map(ClientIdPattern::new).toList();
        }
    }
}
