package io.heddle.core.authorization;

import io.heddle.core.mqtt.TopicName;

/** Which topics belong to the broker itself. Immutable. */
public final class TopicRules {
    private TopicRules() {}

    /**
     * Whether a client may publish to a topic as far as its name alone says. Topics that begin with {@code $} are the
     * server's (MQTT 5.0, section 4.7.2): clients do not publish there.
     */
    public static boolean isOpenToPublishers(TopicName topic) {
        return !topic.isDollarTopic();
    }
}
