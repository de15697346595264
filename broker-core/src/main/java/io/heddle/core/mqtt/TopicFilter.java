package io.heddle.core.mqtt;

import io.heddle.core.Limit;
import org.jspecify.annotations.Nullable;

/**
 * A Topic Filter of a subscription. The levels of a Shared Subscription ({@code $share/group/filter}) are those of the filter
 * without the share name. Only the text is stored, because there is one instance per subscription; levels are computed on demand.
 */
public final class TopicFilter {
    private static final String SHARE_PREFIX = "$share/";

    private final String value;
    /** Start of the filter: after the share name and its separator, or 0. */
    private final int start;

    private final int levelCount;

    private TopicFilter(String value, int start, int levelCount) {
        this.value = value;
        this.start = start;
        this.levelCount = levelCount;
    }

    /**
     * @param value well-formed text, as for {@link TopicName#parse}
     * @param maximumLevels the maximum number of levels
     * @throws ProtocolException with {@link ReasonCode#TOPIC_FILTER_INVALID} if it is well-formed but has too many levels; with
     *     {@link ReasonCode#MALFORMED_PACKET} if it is empty [MQTT-4.7.3-1], has a wildcard that does not occupy a whole level or
     *     a {@code #} that is not last [MQTT-4.7.1-1] [MQTT-4.7.1-2], names a shared subscription without a share name or filter
     *     [MQTT-4.8.2-1] [MQTT-4.8.2-2], or contains {@link ControlCharacters}
     */
    public static TopicFilter parse(String value, int maximumLevels) {
        if (ControlCharacters.in(value)) {
            throw malformed("a topic filter must not contain control characters");
        }
        int start = 0;
        if (value.startsWith(SHARE_PREFIX)) {
            int end = value.indexOf(TopicLevels.SEPARATOR, SHARE_PREFIX.length());
            if (end <= SHARE_PREFIX.length() || end == value.length() - 1) {
                throw malformed("a shared subscription is $share/, a share name, / and a topic filter");
            }
            if (has('+', value, 0, end) || has('#', value, 0, end)) {
                throw malformed("a share name must not contain wildcards");
            }
            start = end + 1;
        }
        if (start == value.length()) {
            throw malformed("a topic filter must not be empty");
        }
        int levelCount = TopicLevels.count(value, start);
        if (levelCount > maximumLevels) {
            throw new ProtocolException(
                    ReasonCode.TOPIC_FILTER_INVALID,
                    "the topic filter has too many levels",
                    new Limit(TopicLevels.SETTING, maximumLevels));
        }
        int from = start;
        for (int i = 0; i < levelCount; i++) {
            int end = TopicLevels.end(value, from);
            requireWellPlacedWildcards(value, from, end);
            from = end + 1;
        }
        return new TopicFilter(value, start, levelCount);
    }

    private static void requireWellPlacedWildcards(String value, int from, int end) {
        boolean alone = end - from == 1;
        if (has('#', value, from, end) && !(alone && end == value.length())) {
            throw malformed("# must be the whole last level of a topic filter");
        }
        if (has('+', value, from, end) && !alone) {
            throw malformed("+ must be a whole level of a topic filter");
        }
    }

    private static boolean has(char wildcard, String value, int from, int end) {
        return value.indexOf(wildcard, from, end) >= 0;
    }

    private static ProtocolException malformed(String detail) {
        return new ProtocolException(ReasonCode.MALFORMED_PACKET, detail);
    }

    /** Returns the text as sent, with the share prefix if any. */
    public String value() {
        return value;
    }

    public boolean isShared() {
        return start > 0;
    }

    /** Returns the share name of a Shared Subscription, or null. Allocates a new string. */
    public @Nullable String shareName() {
        return isShared() ? value.substring(SHARE_PREFIX.length(), start - 1) : null;
    }

    /** Returns the number of levels, at least one. */
    public int levelCount() {
        return levelCount;
    }

    /** Returns all levels in order, empty ones included. Allocates a new array. */
    public String[] levels() {
        String[] levels = new String[levelCount];
        int from = start;
        for (int i = 0; i < levelCount; i++) {
            int end = TopicLevels.end(value, from);
            levels[i] = value.substring(from, end);
            from = end + 1;
        }
        return levels;
    }

    /**
     * Returns the level at a position, counted from 0; may be empty. Allocates a new string and scans from the front; use
     * {@link #levels} to iterate.
     */
    public String level(int index) {
        int from = start(index);
        return value.substring(from, TopicLevels.end(value, from));
    }

    /** Returns whether the level at a position is {@code +}. */
    public boolean isSingleLevelWildcard(int index) {
        return isAt(start(index), '+');
    }

    /** Returns whether the level at a position is {@code #}, which is always the last. */
    public boolean isMultiLevelWildcard(int index) {
        return index == levelCount - 1 && isAt(value.length() - 1, '#');
    }

    /** A wildcard occupies a whole level, so its first character is enough. */
    private boolean isAt(int position, char wildcard) {
        return position < value.length() && value.charAt(position) == wildcard;
    }

    private int start(int index) {
        int from = start;
        for (int i = 0; i < index; i++) {
            from = TopicLevels.end(value, from) + 1;
        }
        return from;
    }

    /**
     * Returns whether a topic matches this filter. A filter that begins with a wildcard does not match topics that begin with {@code $}
     * [MQTT-4.7.2-1]. Allocates; the subscription trie matches without.
     */
    public boolean matches(TopicName topic) {
        String[] levels = levels();
        if (topic.isDollarTopic() && (levels[0].equals("#") || levels[0].equals("+"))) {
            return false;
        }
        for (int i = 0; i < levels.length; i++) {
            if (levels[i].equals("#")) {
                return true;
            }
            if (i >= topic.levelCount() || !(levels[i].equals("+") || topic.levelEquals(i, levels[i]))) {
                return false;
            }
        }
        return levels.length == topic.levelCount();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TopicFilter that && value.equals(that.value);
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
