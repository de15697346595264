package io.heddle.app.settings;

import io.heddle.persistence.kafka.ApplicationLogSettings;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of the logs of persistent APPLICATION clients: one Kafka topic for each client.
 *
 * @param maximumLogBytes maximum size of a client's topic; above it the oldest messages are dropped and counted; applied when the topic is
 *     created
 * @param deleteDelay time until the topic of an expired session is deleted; above 5m if Kafka creates topics automatically
 * @param keepAcknowledged minimum retention of messages that the client has acknowledged, for other readers of the topic
 * @param consumers number of Kafka consumers that read for all connected APPLICATION clients of this node
 */
public record ApplicationSettings(
        @DefaultValue("10GB") DataSize maximumLogBytes,
        @DefaultValue("10m") Duration deleteDelay,
        @DefaultValue("1h") Duration keepAcknowledged,
        @DefaultValue("1") int consumers) {
    /** Returns the settings of the Kafka adapter. */
    public ApplicationLogSettings toLogSettings() {
        return new ApplicationLogSettings(maximumLogBytes.toBytes(), deleteDelay, keepAcknowledged, consumers);
    }
}
