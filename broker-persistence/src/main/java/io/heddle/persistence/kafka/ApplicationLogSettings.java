package io.heddle.persistence.kafka;

import io.heddle.persistence.SettingRule;
import java.time.Duration;

/**
 * Retention and consumers of the logs of APPLICATION clients.
 *
 * @param maximumBytes {@code heddle.applications.maximum-log-bytes}: the size at which Kafka drops the oldest messages of a log, segment
 *     by segment
 * @param deleteDelay {@code heddle.applications.delete-delay}: the time between the end of a session and the deletion of its log
 * @param keepAcknowledged {@code heddle.applications.keep-acknowledged}: the minimum time that acknowledged messages are retained
 * @param consumers {@code heddle.applications.consumers}: the number of consumers that serve all connected clients of the node
 */
public record ApplicationLogSettings(
        long maximumBytes, Duration deleteDelay, Duration keepAcknowledged, int consumers) {
    private static final long LEAST_BYTES = 1 << 20;
    private static final int MOST_CONSUMERS = 16;

    public ApplicationLogSettings {
        SettingRule.bytesBetween("heddle.applications.maximum-log-bytes", maximumBytes, LEAST_BYTES, Long.MAX_VALUE);
        SettingRule.between(
                "heddle.applications.delete-delay", deleteDelay, Duration.ofSeconds(1), Duration.ofDays(365));
        SettingRule.between(
                "heddle.applications.keep-acknowledged", keepAcknowledged, Duration.ofSeconds(1), Duration.ofDays(365));
        SettingRule.between("heddle.applications.consumers", consumers, 1, MOST_CONSUMERS);
    }
}
