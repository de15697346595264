package io.heddle.core.subscription;

import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions of one client that match a topic, for an administrator. Immutable.
 *
 * @param total the number of subscriptions of the client
 * @param matching at most {@value #MAXIMUM}
 * @param similar those that match the topic apart from upper and lower case and from slashes at the ends, at most {@value #MAXIMUM}; none
 *     if one matches
 */
public record MatchingSubscriptions(int total, List<Subscription> matching, List<Subscription> similar) {
    /** The subscriptions that are kept. */
    public static final int MAXIMUM = 16;

    public MatchingSubscriptions {
        matching = List.copyOf(matching);
        similar = List.copyOf(similar);
    }

    /** Compares all subscriptions of a client with a topic, one by one. */
    public static MatchingSubscriptions of(Collection<Subscription> all, TopicName topic) {
        List<Subscription> matching = new ArrayList<>();
        for (Subscription each : all) {
            if (matching.size() < MAXIMUM && each.topicFilter().matches(topic)) {
                matching.add(each);
            }
        }
        return new MatchingSubscriptions(all.size(), matching, matching.isEmpty() ? similar(all, topic) : List.of());
    }

    private static List<Subscription> similar(Collection<Subscription> all, TopicName topic) {
        List<Subscription> similar = new ArrayList<>();
        String alike = normalized(topic.value());
        TopicName normalTopic = alike.isEmpty() ? topic : TopicName.parse(alike, Integer.MAX_VALUE);
        for (Subscription each : all) {
            if (similar.size() < MAXIMUM && matches(each.topicFilter(), normalTopic)) {
                similar.add(each);
            }
        }
        return similar;
    }

    private static boolean matches(TopicFilter filter, TopicName normalTopic) {
        String levels = String.join("/", filter.levels());
        TopicFilter normal = parse(normalized(levels));
        return normal != null && normal.matches(normalTopic);
    }

    private static @Nullable TopicFilter parse(String filter) {
        try {
            return TopicFilter.parse(filter, Integer.MAX_VALUE);
        } catch (ProtocolException _) {
            // Nothing is left between the slashes, or a level became a share prefix.
            return null;
        }
    }

    private static String normalized(String text) {
        int start = 0;
        int end = text.length();
        while (start < end && text.charAt(start) == '/') {
            start++;
        }
        while (end > start && text.charAt(end - 1) == '/') {
            end--;
        }
        return text.substring(start, end).toLowerCase(Locale.ROOT);
    }
}
