package io.heddle.core.mqtt;

import org.jspecify.annotations.Nullable;

/**
 * A Topic Filter of a subscription. Of a Shared Subscription ({@code $share/group/filter}) it keeps the share name apart: the
 * levels are those of the filter alone.
 */
public final class TopicFilter {
    private static final String SHARE_PREFIX = "$share/";
    private static final String SINGLE_LEVEL_WILDCARD = "+";
    private static final String MULTI_LEVEL_WILDCARD = "#";

    private final String value;
    private final @Nullable String shareName;
    private final String[] levels;

    private TopicFilter(String value, @Nullable String shareName, String[] levels) {
        this.value = value;
        this.shareName = shareName;
        this.levels = levels;
    }

    /**
     * A topic filter.
     *
     * @param value well-formed text, as for {@link TopicName#parse}
     * @param maximumLevels the deepest filter accepted, counted in levels
     * @throws ProtocolException with {@link ReasonCode#TOPIC_FILTER_INVALID} when it is empty [MQTT-4.7.3-1], has a wildcard
     *     that is not a level of its own or a {@code #} that is not last [MQTT-4.7.1-1] [MQTT-4.7.1-2], names a shared
     *     subscription without a share name or filter [MQTT-4.8.2-1] [MQTT-4.8.2-2], or has too many levels
     */
    public static TopicFilter parse(String value, int maximumLevels) {
        String shareName = null;
        String filter = value;
        if (value.startsWith(SHARE_PREFIX)) {
            int end = value.indexOf('/', SHARE_PREFIX.length());
            if (end <= SHARE_PREFIX.length() || end == value.length() - 1) {
                throw invalid("a shared subscription is $share/, a share name, / and a topic filter");
            }
            shareName = value.substring(SHARE_PREFIX.length(), end);
            if (shareName.contains(SINGLE_LEVEL_WILDCARD) || shareName.contains(MULTI_LEVEL_WILDCARD)) {
                throw invalid("a share name must not contain wildcards");
            }
            filter = value.substring(end + 1);
        }
        if (filter.isEmpty()) {
            throw invalid("a topic filter must not be empty");
        }
        if (TopicLevels.count(filter) > maximumLevels) {
            throw invalid("the topic filter has too many levels");
        }
        String[] levels = TopicLevels.split(filter);
        for (int i = 0; i < levels.length; i++) {
            requireWellPlacedWildcards(levels[i], i == levels.length - 1);
        }
        return new TopicFilter(value, shareName, levels);
    }

    private static void requireWellPlacedWildcards(String level, boolean last) {
        if (level.indexOf('#') >= 0 && !(last && level.equals(MULTI_LEVEL_WILDCARD))) {
            throw invalid("# must be the last level of a topic filter and stand alone");
        }
        if (level.indexOf('+') >= 0 && !level.equals(SINGLE_LEVEL_WILDCARD)) {
            throw invalid("+ must stand alone in its level");
        }
    }

    private static ProtocolException invalid(String detail) {
        return new ProtocolException(ReasonCode.TOPIC_FILTER_INVALID, detail);
    }

    /** The text as it was sent, with the share prefix if any. */
    public String value() {
        return value;
    }

    /** The share name of a Shared Subscription, or null. */
    public @Nullable String shareName() {
        return shareName;
    }

    /** How many levels there are, at least one. */
    public int levelCount() {
        return levels.length;
    }

    /** The level at a position, counted from 0; may be empty. */
    public String level(int index) {
        return levels[index];
    }

    /** Whether the level at a position is {@code +}. */
    public boolean isSingleLevelWildcard(int index) {
        return levels[index].equals(SINGLE_LEVEL_WILDCARD);
    }

    /** Whether the level at a position is {@code #}; it is then the last. */
    public boolean isMultiLevelWildcard(int index) {
        return levels[index].equals(MULTI_LEVEL_WILDCARD);
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
