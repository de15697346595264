package io.heddle.core.authorization;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import java.util.List;

/**
 * The topics that clients may use. Topics that begin with {@code $} are reserved for the server (MQTT 5.0, section 4.7.2). Thread-safe.
 *
 * @param openDollarLevels the first levels that begin with {@code $} and are open to clients, such as {@code $aws}
 * @param rules of the administrators
 */
@HotPath
public record TopicRules(List<String> openDollarLevels, ActiveRules rules) {
    /** Clients use no topics that begin with {@code $}. */
    public static final TopicRules STANDARD = new TopicRules(List.of());

    public TopicRules {
        openDollarLevels = List.copyOf(openDollarLevels);
    }

    /** Creates rules that allow everything else, until other rules are applied. */
    public TopicRules(List<String> openDollarLevels) {
        this(openDollarLevels, new ActiveRules(RuleSet.NONE));
    }

    /** Returns whether clients may publish to a topic, judging by its name. */
    public boolean isOpenToPublishers(TopicName topic) {
        return !topic.isDollarTopic() || isOpen(topic);
    }

    private boolean isOpen(TopicName topic) {
        for (int i = 0; i < openDollarLevels.size(); i++) {
            if (topic.levelEquals(0, openDollarLevels.get(i))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether messages of clients can match a filter, or that of a shared subscription. Filters that name topics of the broker have
     * their own rule.
     */
    public boolean isOpenToSubscribers(TopicFilter filter) {
        String first = filter.level(0);
        return !first.startsWith("$") || openDollarLevels.contains(first);
    }
}
