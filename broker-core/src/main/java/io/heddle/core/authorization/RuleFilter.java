package io.heddle.core.authorization;

import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.TopicFilter;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The topic filter of a rule. A placeholder is a whole level and stands for exactly one level, so that a value never widens the rule:
 *
 * <ul>
 *   <li>A value that is absent or empty, or contains {@code /}, {@code +} or {@code #}, matches nothing.
 *   <li>A placeholder in the first level matches no topic that begins with {@code $}, like a wildcard [MQTT-4.7.2-1].
 * </ul>
 *
 * @param value the text, such as {@code sensors/${clientId}/#}
 */
public record RuleFilter(String value) {
    static final String SINGLE_LEVEL = "+";

    /** The highest value of {@code heddle.mqtt.maximum-topic-levels}. */
    private static final int MAXIMUM_LEVELS = 512;

    private static final String PLACEHOLDER = "${";
    private static final String ATTRIBUTE = "attribute.";
    private static final Pattern KNOWN_PLACEHOLDER =
            Pattern.compile("\\$\\{(clientId|username|cn|attribute\\.[A-Za-z0-9_.-]+)}");

    /** @throws IllegalArgumentException with one sentence if the text is not the filter of a rule */
    public RuleFilter {
        if (value.equals("$share") || value.startsWith("$share/")) {
            throw new IllegalArgumentException(
                    "a rule applies to the topic filter of a shared subscription: remove $share and the share name");
        }
        try {
            for (String level : TopicFilter.parse(value, MAXIMUM_LEVELS).levels()) {
                if (level.contains(PLACEHOLDER)
                        && !KNOWN_PLACEHOLDER.matcher(level).matches()) {
                    throw new IllegalArgumentException("'" + level
                            + "' is not a placeholder: write a whole level ${clientId}, ${username}, ${cn} or"
                            + " ${attribute.NAME}");
                }
            }
        } catch (ProtocolException invalid) {
            throw new IllegalArgumentException(invalid.detail(), invalid);
        }
    }

    /** Returns the levels without the {@code #} at the end. */
    List<String> levels() {
        List<String> levels = List.of(TopicFilter.parse(value, MAXIMUM_LEVELS).levels());
        return isMultiLevel() ? levels.subList(0, levels.size() - 1) : levels;
    }

    /** Returns whether the filter ends with {@code #}. */
    boolean isMultiLevel() {
        return value.endsWith("#");
    }

    /** Returns whether a placeholder stands for an attribute of the client. */
    boolean needsAttributes() {
        return value.contains("${cn}") || value.contains(PLACEHOLDER + ATTRIBUTE);
    }

    static boolean isPlaceholder(String level) {
        return level.startsWith(PLACEHOLDER);
    }

    /** Returns the level that a placeholder stands for, or null if it matches nothing. */
    static @Nullable String resolve(String placeholder, RuleSubject subject) {
        String name = placeholder.substring(PLACEHOLDER.length(), placeholder.length() - 1);
        String found = switch (name) {
            case "clientId" -> subject.clientId().value();
            case "username" -> subject.userName();
            case "cn" -> subject.attributes().get(name);
            default -> subject.attributes().get(name.substring(ATTRIBUTE.length()));
        };
        return found == null || !isLevel(found) ? null : found;
    }

    private static boolean isLevel(String text) {
        return !text.isEmpty() && text.indexOf('/') < 0 && text.indexOf('+') < 0 && text.indexOf('#') < 0;
    }

    @Override
    public String toString() {
        return value;
    }
}
