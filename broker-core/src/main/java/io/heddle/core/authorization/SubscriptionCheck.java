package io.heddle.core.authorization;

import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether rules allow every topic that a filter matches. Used once, by one thread.
 *
 * <p><b>Fresh topics.</b> A fresh topic of a filter has a name that is in no rule for each {@code +} and for each level below a final
 * {@code #}; there is one for each number of levels. No topic of the filter with as many levels is matched by fewer rules: a rule that
 * matches the fresh one has a wildcard wherever the name is fresh, so it matches any other name there. (At the first level the other
 * name does not begin with {@code $}, because the filter's wildcard matches none that does.) Above the number of levels of all rules, a
 * rule matches by {@code #} only, so topics with one level more than that stand for all longer ones.
 *
 * <p><b>Candidates.</b> The filter is allowed if and only if the fresh topics of the filter are allowed, and for each rule that denies those
 * of its intersection with the filter, which is a filter again. For these are topics of the filter. Conversely, let a topic of the filter
 * be denied. If by the default, no rule matches it, hence no rule matches the fresh topic of the filter, which is denied, too. If by a
 * rule, no earlier rule that allows matches it, hence none matches the fresh topic of the intersection; but the rule does, so that is denied,
 * too. A rule whose wildcard does not match the filter's {@code $} at the first level may be taken as intersecting: it adds topics of the
 * filter.
 *
 * <p><b>Bound.</b> The trie leads to the rules that intersect. A rule later than those that allow the fresh topics of the filter
 * cannot deny any topic. The rest is limited to {@value #MAXIMUM_WORK} visited nodes, or a sixteenth as many topics, which takes about a
 * millisecond; beyond that, the subscription is refused.
 *
 * <p>The fresh name is {@code +}, which is the name of no level in a topic or rule: as a topic, a filter without {@code #} is its own fresh
 * topic.
 */
final class SubscriptionCheck {
    static final int MAXIMUM_WORK = 1 << 16;

    private static final int WORK_OF_TOPIC = 16;
    private static final String FRESH = RuleFilter.SINGLE_LEVEL;

    private final CompiledRules rules;
    private final int kind;
    /** The levels without a final {@code #}. */
    private final List<String> levels;
    /** The same levels as a topic, to look them up. */
    private final TopicName names;

    private final boolean isMultiLevel;
    /** The levels that the current node and the filter have in common. */
    private final List<String> path = new ArrayList<>();

    private final @Nullable String[] values;
    private int work = MAXIMUM_WORK;
    /** The last entry that allows the fresh topics of the filter. */
    private int cover;

    private @Nullable TopicName example;

    SubscriptionCheck(CompiledRules rules, TopicFilter filter, int kind) {
        this.rules = rules;
        this.kind = kind;
        this.values = rules.values();
        List<String> all = List.of(filter.levels());
        this.isMultiLevel = filter.isMultiLevelWildcard(all.size() - 1);
        this.levels = isMultiLevel ? all.subList(0, all.size() - 1) : all;
        this.names = TopicName.known(String.join("/", all), all.size());
    }

    boolean isAllowed() {
        if (!areAllowed(levels, isMultiLevel)) {
            return false;
        }
        for (RuleNode root : rules.roots()) {
            if (!areAllowed(root)) {
                return false;
            }
        }
        return true;
    }

    /** Returns a denied topic, or if there is none, a topic of the filter. After {@link #isAllowed}. */
    TopicName example() {
        return example == null ? topic(levels, shortest(levels)) : example;
    }

    /** Checks the fresh topics of a filter. */
    private boolean areAllowed(List<String> filter, boolean multiLevel) {
        int longest = multiLevel ? Math.max(filter.size(), rules.rules().maximumLevels()) + 1 : filter.size();
        for (int count = shortest(filter); count <= longest; count++) {
            work -= WORK_OF_TOPIC;
            if (work < 0) {
                return false;
            }
            TopicName topic = topic(filter, count);
            int entry = rules.decide(topic, kind);
            if (!rules.isAllowed(entry, topic)) {
                example = topic;
                return false;
            }
            cover = Math.max(cover, entry);
        }
        return true;
    }

    /** Returns the lowest number of levels of a topic: without levels, or with a single empty one, a text is no topic [MQTT-4.7.3-1]. */
    private static int shortest(List<String> filter) {
        return filter.size() > 1 || (filter.size() == 1 && !filter.get(0).isEmpty())
                ? filter.size()
                : filter.size() + 1;
    }

    private static TopicName topic(List<String> filter, int count) {
        StringBuilder text = new StringBuilder(String.join("/", filter));
        for (int i = filter.size(); i < count; i++) {
            text.append(i == 0 ? FRESH : "/" + FRESH);
        }
        return TopicName.known(text.toString(), count);
    }

    /** Checks the intersections with the rules of a node and its descendants. */
    private boolean areAllowed(RuleNode node) {
        if (!node.mayDeny(kind, cover)) {
            return true;
        }
        if (--work < 0) {
            return false;
        }
        int depth = path.size();
        boolean isInside = depth >= levels.size();
        if (node.denies(true, kind, cover) && !areAllowed(continued(), isMultiLevel)) {
            return false;
        }
        boolean mayEndHere = depth == levels.size() || (isInside && isMultiLevel);
        if (mayEndHere && depth > 0 && node.denies(false, kind, cover) && !areAllowed(path, false)) {
            return false;
        }
        if (isInside && !isMultiLevel) {
            return true;
        }
        return areChildrenAllowed(node, isInside ? FRESH : levels.get(depth));
    }

    /** The intersection with a rule that continues with {@code #}. */
    private List<String> continued() {
        if (path.size() >= levels.size()) {
            return path;
        }
        List<String> all = new ArrayList<>(path);
        all.addAll(levels.subList(path.size(), levels.size()));
        return all;
    }

    /** @param level of the filter: a name or a wildcard */
    private boolean areChildrenAllowed(RuleNode node, String level) {
        if (!level.equals(FRESH)) {
            RuleNode child = node.named(names, path.size());
            if (child != null && !isChildAllowed(child, level, level)) {
                return false;
            }
        } else {
            for (RuleNode child : node.named()) {
                if (child != null && !isChildAllowed(child, child.name, level)) {
                    return false;
                }
            }
        }
        if (node.singleLevel != null && !isChildAllowed(node.singleLevel, FRESH, level)) {
            return false;
        }
        for (int i = 0; i < node.resolved.length; i++) {
            String value = values[node.placeholders[i]];
            if (value != null && !isChildAllowed(node.resolved[i], value, level)) {
                return false;
            }
        }
        return true;
    }

    /** @param name of the child: a name or a wildcard, which may have nothing in common with the level */
    private boolean isChildAllowed(RuleNode child, String name, String level) {
        boolean isName = !level.equals(FRESH);
        // A wildcard of the first level matches no topic that begins with $ [MQTT-4.7.2-1].
        if (isName ? !name.equals(level) && !name.equals(FRESH) : path.isEmpty() && name.startsWith("$")) {
            return true;
        }
        path.add(isName ? level : name);
        boolean isAllowed = areAllowed(child);
        path.removeLast();
        return isAllowed;
    }
}
