package io.heddle.app.settings;

import io.heddle.persistence.kafka.ApplicationLogSettings;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * What APPLICATION clients with persistent sessions have: a topic of Kafka each.
 *
 * @param maximumLogBytes how large a client's topic may become; above it the oldest messages are dropped and counted; used when the topic
 *     is created
 * @param deleteDelay how long the topic of an ended session stays; above 5m when Kafka creates topics by itself
 * @param keepAcknowledged how long at least messages stay in it that the client has acknowledged, for others that read it
 * @param consumers how many of Kafka's consumers read for all connected APPLICATION clients of the node
 */
public record ApplicationSettings(
        @DefaultValue("10GB") DataSize maximumLogBytes,
        @DefaultValue("10m") Duration deleteDelay,
        @DefaultValue("1h") Duration keepAcknowledged,
        @DefaultValue("1") int consumers) {
    /** What the Kafka adapter takes. */
    public ApplicationLogSettings toLogSettings() {
        return new ApplicationLogSettings(maximumLogBytes.toBytes(), deleteDelay, keepAcknowledged, consumers);
    }
}
