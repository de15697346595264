package io.heddle.core.mqtt;

import io.heddle.core.HotPath;
import io.heddle.core.Limit;
import org.jspecify.annotations.Nullable;

/**
 * The topic of a PUBLISH: no wildcards, at least one character. The ends and hash codes of its levels are computed once, so that
 * matching against the subscriptions allocates nothing.
 */
@HotPath
public final class TopicName {
    /** The factor of {@link String#hashCode}. */
    private static final int HASH_FACTOR = 31;

    private final String value;
    /** The end and the hash code of each level, alternating. */
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
     * @param value well-formed text: the codec has rejected U+0000 and unpaired surrogates [MQTT-1.5.4-1] [MQTT-1.5.4-2]
     * @param maximumLevels the maximum number of levels
     * @throws ProtocolException with {@link ReasonCode#TOPIC_NAME_INVALID} if it is empty [MQTT-4.7.3-1], has a wildcard
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
            throw new ProtocolException(
                    ReasonCode.TOPIC_NAME_INVALID,
                    "the topic name has too many levels",
                    new Limit(TopicLevels.SETTING, maximumLevels));
        }
        return new TopicName(value, levelCount);
    }

    /**
     * Creates a topic name from text that was validated before; nothing is checked again.
     *
     * @param levelCount the number of levels in the text
     */
    public static TopicName known(String value, int levelCount) {
        return new TopicName(value, levelCount);
    }

    /** Returns the text as sent. */
    public String value() {
        return value;
    }

    /** Returns the number of levels, at least one. */
    public int levelCount() {
        return levels.length / 2;
    }

    /** Returns the level at a position, counted from 0; may be empty. Allocates a new string. */
    public String level(int index) {
        return value.substring(start(index), levels[2 * index]);
    }

    /** Returns the {@link String#hashCode} of a level without allocating its string. */
    public int levelHash(int index) {
        return levels[2 * index + 1];
    }

    /** Returns whether a level equals a text, without allocating its string. */
    public boolean levelEquals(int index, String text) {
        int start = start(index);
        return text.length() == levels[2 * index] - start && value.startsWith(text, start);
    }

    private int start(int index) {
        return index == 0 ? 0 : levels[2 * index - 2] + 1;
    }

    /**
     * Returns whether the topic begins with {@code $}. Filters that begin with a wildcard do not match such topics
     * [MQTT-4.7.2-1].
     */
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
