package io.heddle.core.operator.trace;

import io.heddle.core.client.AddressRange;
import io.heddle.core.client.event.ClientEvent;
import io.heddle.core.client.event.ClientEvent.Client;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.mqtt.packet.SubscribePacket;
import io.heddle.core.mqtt.packet.SubscriptionRequest;
import io.heddle.core.mqtt.packet.UnsubscribePacket;
import org.jspecify.annotations.Nullable;

/**
 * The events of a trace: those to which all criteria apply. A null criterion applies to all.
 *
 * @param topicFilter applies to messages on topics that match, and to SUBSCRIBE and UNSUBSCRIBE with a filter that matches some of the same topics
 */
public record TraceFilter(
        @Nullable String clientId,
        @Nullable String userName,
        @Nullable AddressRange address,
        @Nullable TopicFilter topicFilter) {
    private static final String ANY = "+";
    private static final String REST = "#";

    boolean matches(Client client) {
        return (clientId == null || clientId.equals(client.clientId()))
                && (userName == null || userName.equals(client.userName()))
                && (address == null || (client.address() != null && address.contains(client.address())));
    }

    boolean matches(MqttPacket packet, @Nullable TopicName topic) {
        if (topicFilter == null) {
            return true;
        }
        return switch (packet) {
            case SubscribePacket subscribe -> {
                for (SubscriptionRequest each : subscribe.requests()) {
                    if (overlaps(each.topicFilter())) {
                        yield true;
                    }
                }
                yield false;
            }
            case UnsubscribePacket unsubscribe -> {
                for (String each : unsubscribe.topicFilters()) {
                    if (overlaps(each)) {
                        yield true;
                    }
                }
                yield false;
            }
            default -> topic != null && topicFilter.matches(topic);
        };
    }

    /** Returns whether it applies to an event, of which only a dropped message has a topic. */
    boolean matches(ClientEvent event) {
        return topicFilter == null || (event instanceof ClientEvent.Dropped dropped && matches(dropped.topic()));
    }

    /** Returns whether it applies to a message; of one in a queue, the topic may be unknown. */
    private boolean matches(@Nullable String topic) {
        try {
            return topicFilter == null
                    || (topic != null && topicFilter.matches(TopicName.parse(topic, Integer.MAX_VALUE)));
        } catch (ProtocolException _) {
            // A topic that was cut in the middle of a character.
            return false;
        }
    }

    private boolean overlaps(String other) {
        try {
            return topicFilter == null
                    || overlap(
                            topicFilter.levels(),
                            TopicFilter.parse(other, Integer.MAX_VALUE).levels());
        } catch (ProtocolException _) {
            // SUBACK refuses a filter that is not valid.
            return false;
        }
    }

    private static boolean overlap(String[] one, String[] other) {
        int common = Math.min(one.length, other.length);
        for (int i = 0; i < common; i++) {
            if (one[i].equals(REST) || other[i].equals(REST)) {
                return true;
            }
            if (!one[i].equals(ANY) && !other[i].equals(ANY) && !one[i].equals(other[i])) {
                return false;
            }
        }
        // A filter a/# matches the topic a, too.
        return one.length == other.length || isRest(one, common) || isRest(other, common);
    }

    private static boolean isRest(String[] levels, int from) {
        return levels.length == from + 1 && levels[from].equals(REST);
    }
}
