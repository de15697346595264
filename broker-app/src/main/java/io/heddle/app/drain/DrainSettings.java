package io.heddle.app.drain;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.SettingRule;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Drain of a node whose clients other nodes can serve.
 *
 * @param rate how many connections are closed per second, also at a rebalance
 * @param delay time between the end of readiness and the first closed connection, in which load balancers stop sending clients
 * @param limit maximum duration of a drain, with the delay; then all remaining connections are closed at once
 * @param serverReference another server, or a list of them, that clients of MQTT 5.0 are told to use; if empty, the other
 *     nodes' heddle.mqtt.advertise
 */
public record DrainSettings(
        @DefaultValue("1000") int rate,
        @DefaultValue("0s") Duration delay,
        @DefaultValue("300s") Duration limit,
        @DefaultValue("") String serverReference) {
    private static final int MAXIMUM_BYTES = 1_024;

    public DrainSettings {
        SettingRule.between("heddle.drain.rate", rate, 1, 1_000_000);
        SettingRule.between("heddle.drain.limit", limit, Duration.ofSeconds(1), Duration.ofHours(1));
        SettingRule.between("heddle.drain.delay", delay, Duration.ZERO, limit);
        if (serverReference.getBytes(StandardCharsets.UTF_8).length > MAXIMUM_BYTES
                || serverReference.chars().anyMatch(Character::isISOControl)) {
            throw new StartupException(
                    "heddle.drain.server-reference is not a server reference: set it to at most " + MAXIMUM_BYTES
                            + " bytes without control characters, such as mqtt.example.org:1883",
                    null);
        }
    }

    /** Returns the server reference, or null for none. */
    @Nullable
    String reference() {
        return serverReference.isBlank() ? null : serverReference.strip();
    }
}
