package io.heddle.app.settings;

import io.heddle.core.authentication.ClientIdPattern;
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
 * @param maximumPending how many clients may wait for their authentication at once; the next are answered "server busy"
 * @param concurrentPasswordChecks how many passwords are checked at once, each taking 19 MiB of memory; 0 means one for each
 *     processor
 * @param maximumRemembered how many passwords of clients are remembered to match the stored hash, so that they are not checked at
 *     each CONNECT; without the password, about 200 bytes each; 0 means none. Changed passwords and removed credentials take effect
 *     at once all the same
 * @param remember how long that is remembered
 */
public record AuthenticationSettings(
        @DefaultValue @NestedConfigurationProperty Anonymous anonymous,
        @DefaultValue("10000") int maximumPending,
        @DefaultValue("0") int concurrentPasswordChecks,
        @DefaultValue("100000") int maximumRemembered,
        @DefaultValue("1h") Duration remember) {
    public AuthenticationSettings {
        if (maximumPending < 1) {
            throw new StartupException(
                    "heddle.authentication.maximum-pending is " + maximumPending + ": set it to 1 or more", null);
        }
        if (concurrentPasswordChecks < 0) {
            throw new StartupException(
                    "heddle.authentication.concurrent-password-checks is " + concurrentPasswordChecks
                            + ": set it to 1 or more, or to 0 for one for each processor",
                    null);
        }
        SettingRule.between("heddle.authentication.maximum-remembered", maximumRemembered, 0, 10_000_000);
        SettingRule.between("heddle.authentication.remember", remember, Duration.ofSeconds(1), Duration.ofDays(30));
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
