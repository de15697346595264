package io.heddle.app.authentication;

import io.heddle.core.authentication.blocked.Flapping;
import io.heddle.persistence.SettingRule;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Clients that connect too often, which the node blocks by itself.
 *
 * @param connections maximum number of connections of a client id to this node within the window; one more blocks the client id on all
 *     nodes. 0 means any number
 * @param window time in which connections are counted, from the first of them
 * @param block how long the client id is blocked
 */
public record FlappingSettings(
        @DefaultValue("0") int connections,
        @DefaultValue("1m") Duration window,
        @DefaultValue("5m") Duration block) {
    public FlappingSettings {
        SettingRule.between("heddle.authentication.flapping.connections", connections, 0, 1_000_000);
        SettingRule.between("heddle.authentication.flapping.window", window, Duration.ofSeconds(1), Duration.ofDays(1));
        SettingRule.between("heddle.authentication.flapping.block", block, Duration.ofSeconds(1), Duration.ofDays(30));
    }

    public Flapping.Limits toLimits() {
        return new Flapping.Limits(connections, window, block);
    }
}
