package io.heddle.api.security;

import io.heddle.core.lifecycle.StartupException;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Sessions of administrators in browsers.
 *
 * @param idleTimeout how long a session lasts without a request; at least 2m, because uses are stored once a minute
 * @param maxAge how long a session lasts, however much it is used
 */
@ConfigurationProperties("heddle.administration.session")
public record SessionSettings(
        @DefaultValue("30m") Duration idleTimeout,
        @DefaultValue("12h") Duration maxAge) {
    private static final Duration MINIMUM = Duration.ofMinutes(2);
    private static final Duration MAXIMUM = Duration.ofDays(30);

    public SessionSettings {
        require("idle-timeout", idleTimeout);
        require("max-age", maxAge);
    }

    private static void require(String key, Duration value) {
        if (value.compareTo(MINIMUM) < 0 || value.compareTo(MAXIMUM) > 0) {
            throw new StartupException(
                    "heddle.administration.session." + key + " is " + value + ": set it to a duration from 2m to 30d",
                    null);
        }
    }
}
