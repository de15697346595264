package io.heddle.persistence.kafka;

import io.heddle.persistence.SettingRule;
import java.time.Duration;

/**
 * How long the events of clients are kept. Applied when the topic is created.
 *
 * @param retention {@code heddle.events.retention}: the age at which Kafka deletes events, segment by segment
 * @param maximumBytes {@code heddle.events.maximum-bytes}: the size of a partition at which Kafka deletes the oldest events
 */
public record EventTopicSettings(Duration retention, long maximumBytes) {
    private static final long LEAST_BYTES = 1 << 20;

    public EventTopicSettings {
        SettingRule.between("heddle.events.retention", retention, Duration.ofMinutes(1), Duration.ofDays(3_650));
        SettingRule.bytesBetween("heddle.events.maximum-bytes", maximumBytes, LEAST_BYTES, Long.MAX_VALUE);
    }
}
