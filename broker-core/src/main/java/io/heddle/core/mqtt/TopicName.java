package io.heddle.core.mqtt;

import org.jspecify.annotations.Nullable;

/**
 * A topic that something is published to: no wildcards, at least one character. Its levels are split once, here, so that
 * matching it against the subscriptions allocates nothing.
 */
public final class TopicName {
    private final String value;
    private final String[] levels;

    private TopicName(String value) {
        this.value = value;
        this.levels = TopicLevels.split(value);
    }

    /**
     * A topic name.
     *
     * @param value well-formed text: the codec has refused U+0000 and unpaired surrogates [MQTT-1.5.4-1] [MQTT-1.5.4-2]
     * @param maximumLevels the deepest topic accepted, counted in levels
     * @throws ProtocolException with {@link ReasonCode#TOPIC_NAME_INVALID} when it is empty [MQTT-4.7.3-1], has a wildcard
     *     [MQTT-3.3.2-2] or more levels than allowed
     */
    public static TopicName parse(String value, int maximumLevels) {
        if (value.isEmpty()) {
            throw new ProtocolException(ReasonCode.TOPIC_NAME_INVALID, "a topic name must not be empty");
        }
        if (value.indexOf('+') >= 0 || value.indexOf('#') >= 0) {
            throw new ProtocolException(ReasonCode.TOPIC_NAME_INVALID, "a topic name must not contain wildcards");
        }
        if (TopicLevels.count(value) > maximumLevels) {
            throw new ProtocolException(ReasonCode.TOPIC_NAME_INVALID, "the topic name has too many levels");
        }
        return new TopicName(value);
    }

    /** The text as it was sent. */
    public String value() {
        return value;
    }

    /** How many levels there are, at least one. */
    public int levelCount() {
        return levels.length;
    }

    /** The level at a position, counted from 0; may be empty. */
    public String level(int index) {
        return levels[index];
    }

    /** Whether the topic begins with {@code $}: such topics match no filter that begins with a wildcard [MQTT-4.7.2-1]. */
    public boolean isDollarTopic() {
        return value.charAt(0) == '$';
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TopicName that && value.equals(that.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public String toString() {
        return value;
    }
}
