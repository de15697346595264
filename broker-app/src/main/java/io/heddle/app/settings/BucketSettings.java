package io.heddle.app.settings;

import io.heddle.persistence.SettingRule;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How device clients are spread.
 *
 * @param count the number of buckets, chosen at the cluster's first start and then fixed; 16 in the profile "standalone"
 * @param replayWindow how long the log keeps what the queues in Redis have: what a Redis has lost since it was restarted or failed over is
 *     read from there again
 */
public record BucketSettings(
        @DefaultValue("64") int count, @DefaultValue("1h") Duration replayWindow) {
    public BucketSettings {
        SettingRule.between("heddle.buckets.replay-window", replayWindow, Duration.ofMinutes(1), Duration.ofDays(30));
    }
}
