package io.heddle.core.authorization;

import io.heddle.core.mqtt.TopicName;

/** Rules for topics that are reserved for the broker. Immutable. */
public final class TopicRules {
    private TopicRules() {}

    /**
     * Returns whether clients may publish to a topic, judging by its name. Topics that begin with {@code $} are reserved for the
     * server (MQTT 5.0, section 4.7.2).
     */
    public static boolean isOpenToPublishers(TopicName topic) {
        return !topic.isDollarTopic();
    }
}
