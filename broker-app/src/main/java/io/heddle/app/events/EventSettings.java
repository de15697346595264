package io.heddle.app.events;

import io.heddle.core.client.event.ClientEvent.Kind;
import io.heddle.persistence.SettingRule;
import io.heddle.persistence.kafka.EventTopicSettings;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Events of clients on the Kafka topic heddle.events.
 *
 * @param kinds events that are published: connected, disconnected, refused, session_ended, subscriptions_changed, denied, dropped, separated
 *     by commas. Without any, there is no topic
 * @param maximumRate maximum number of events of each kind a second on each node; further ones are counted
 * @param retention how long events are kept; applied when the topic is created
 * @param maximumBytes maximum size of each of the four partitions; above it the oldest events are deleted; applied when the topic is created
 */
public record EventSettings(
        @DefaultValue Set<Kind> kinds,
        @DefaultValue("1000") int maximumRate,
        @DefaultValue("7d") Duration retention,
        @DefaultValue("1GB") DataSize maximumBytes) {
    public EventSettings {
        SettingRule.between("heddle.events.maximum-rate", maximumRate, 1, 100_000);
        var _ = new EventTopicSettings(retention, maximumBytes.toBytes());
    }

    /** Returns the settings of the topic; null if there is none. */
    public @Nullable EventTopicSettings toTopicSettings() {
        return kinds.isEmpty() ? null : new EventTopicSettings(retention, maximumBytes.toBytes());
    }
}
