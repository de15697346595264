package io.heddle.app.settings;

import io.heddle.persistence.SettingRule;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Readiness of the node for clients.
 *
 * @param checkInterval how often Kafka, Redis and PostgreSQL are checked in the background; HTTP requests for health or readiness query
 *     none of them
 * @param downAfter how long a store must fail before the node is not ready; shorter interruptions do not count
 */
public record HealthSettings(
        @DefaultValue("5s") Duration checkInterval,
        @DefaultValue("15s") Duration downAfter) {
    public HealthSettings {
        SettingRule.between(
                "heddle.health.check-interval", checkInterval, Duration.ofMillis(100), Duration.ofMinutes(5));
        SettingRule.between("heddle.health.down-after", downAfter, Duration.ZERO, Duration.ofHours(1));
    }
}
