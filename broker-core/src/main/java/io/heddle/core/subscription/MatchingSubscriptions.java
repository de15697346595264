package io.heddle.core.subscription;

import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.QoS;
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
 * @param qos the highest granted QoS of all that match: of those that are not shared, if there are any
 * @param isShared whether all that match are shared
 * @param isNoLocal whether all that match have the option No Local
 * @param matching at most {@value #MAXIMUM}
 * @param similar those that match the topic apart from upper and lower case and from slashes at the ends, at most {@value #MAXIMUM}; none
 *     if one matches
 */
public record MatchingSubscriptions(
        int total,
        QoS qos,
        boolean isShared,
        boolean isNoLocal,
        List<Subscription> matching,
        List<Subscription> similar) {
    public static final int MAXIMUM = 16;

    public MatchingSubscriptions {
        matching = List.copyOf(matching);
        similar = List.copyOf(similar);
    }

    /** Compares all subscriptions of a client with a topic, one by one. */
    public static MatchingSubscriptions of(Collection<Subscription> all, TopicName topic) {
        List<Subscription> matching = new ArrayList<>();
        for (Subscription each : all) {
            if (each.topicFilter().matches(topic)) {
                matching.add(each);
            }
        }
        List<Subscription> own =
                matching.stream().filter(each -> !each.topicFilter().isShared()).toList();
        QoS qos = QoS.AT_MOST_ONCE;
        for (Subscription each : own.isEmpty() ? matching : own) {
            QoS granted = each.terms().maximumQos();
            qos = granted.level() > qos.level() ? granted : qos;
        }
        return new MatchingSubscriptions(
                all.size(),
                qos,
                own.isEmpty() && !matching.isEmpty(),
                !matching.isEmpty() && matching.stream().allMatch(Subscription::noLocal),
                matching.subList(0, Math.min(MAXIMUM, matching.size())),
                matching.isEmpty() ? similar(all, topic) : List.of());
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
