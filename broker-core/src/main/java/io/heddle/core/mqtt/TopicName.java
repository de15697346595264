package io.heddle.core.mqtt;

import io.heddle.core.HotPath;
import org.jspecify.annotations.Nullable;

/**
 * A topic that something is published to: no wildcards, at least one character. Where its levels end, and their hash codes,
 * are found once, here, so that matching it against the subscriptions allocates nothing and makes no text of a level.
 */
@HotPath
public final class TopicName {
    /** What {@link String#hashCode} is made with. */
    private static final int HASH_FACTOR = 31;

    private final String value;
    /** Of each level its end and its hash code. */
    private final int[] levels;

    private TopicName(String value, int levelCount) {
        this.value = value;
        this.levels = new int[2 * levelCount];
        int hash = 0;
        int level = 0;
        for (int i = 0; i < value.length(); i++) {
            char character = value.charAt(i);
            if (character == TopicLevels.SEPARATOR) {
                levels[level++] = i;
                levels[level++] = hash;
                hash = 0;
            } else {
                hash = HASH_FACTOR * hash + character;
            }
        }
        levels[level++] = value.length();
        levels[level] = hash;
    }

    /**
     * A topic name.
     *
     * @param value well-formed text: the codec has refused U+0000 and unpaired surrogates [MQTT-1.5.4-1] [MQTT-1.5.4-2]
     * @param maximumLevels the deepest topic accepted, counted in levels
     * @throws ProtocolException with {@link ReasonCode#TOPIC_NAME_INVALID} when it is empty [MQTT-4.7.3-1], has a wildcard
     *     [MQTT-3.3.2-2], {@link ControlCharacters} or more levels than allowed
     */
    public static TopicName parse(String value, int maximumLevels) {
        if (value.isEmpty()) {
            throw new ProtocolException(ReasonCode.TOPIC_NAME_INVALID, "a topic name must not be empty");
        }
        if (value.indexOf('+') >= 0 || value.indexOf('#') >= 0) {
            throw new ProtocolException(ReasonCode.TOPIC_NAME_INVALID, "a topic name must not contain wildcards");
        }
        if (ControlCharacters.in(value)) {
            throw new ProtocolException(
                    ReasonCode.TOPIC_NAME_INVALID, "a topic name must not contain control characters");
        }
        int levelCount = TopicLevels.count(value, 0);
        if (levelCount > maximumLevels) {
            throw new ProtocolException(ReasonCode.TOPIC_NAME_INVALID, "the topic name has too many levels");
        }
        return new TopicName(value, levelCount);
    }

    /**
     * A topic name that was parsed before: nothing is checked again.
     *
     * @param levelCount how many levels the text has
     */
    public static TopicName known(String value, int levelCount) {
        return new TopicName(value, levelCount);
    }

    /** The text as it was sent. */
    public String value() {
        return value;
    }

    /** How many levels there are, at least one. */
    public int levelCount() {
        return levels.length / 2;
    }

    /** The level at a position, counted from 0; may be empty. A new text each time. */
    public String level(int index) {
        return value.substring(start(index), levels[2 * index]);
    }

    /** The {@link String#hashCode} of a level, without making its text. */
    public int levelHash(int index) {
        return levels[2 * index + 1];
    }

    /** Whether a level is this text, without making its text. */
    public boolean levelEquals(int index, String text) {
        int start = start(index);
        return text.length() == levels[2 * index] - start && value.startsWith(text, start);
    }

    private int start(int index) {
        return index == 0 ? 0 : levels[2 * index - 2] + 1;
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
