package io.heddle.app.settings;

import io.heddle.core.lifecycle.StartupException;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Limits of a session.
 *
 * @param maximumSubscriptions how many subscriptions one client may have; a further one is answered with reason code 0x97
 */
public record SessionLimits(@DefaultValue("1000") int maximumSubscriptions) {
    public SessionLimits {
        if (maximumSubscriptions < 1) {
            throw new StartupException(
                    "heddle.session.maximum-subscriptions is " + maximumSubscriptions + ": set it to 1 or more", null);
        }
    }
}
