package io.heddle.core.authorization;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.TopicName;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A node of the trie of the rules of one {@link Selector}: one level of filters with a common prefix. All clients share it, because a
 * placeholder is a child whose name each client brings with it. Built by one thread, then immutable.
 *
 * <p>Cost: a topic visits at most one node for each combination of named level, {@code +} and placeholder that rules have, and no node whose
 * rules are all later than the best one found. The children have the names that the administrator has chosen, so that clients cannot make
 * the hash table slow. The trie of subscriptions isn't used: it changes while it is read and is packed for millions of nodes.
 */
@HotPath
final class RuleNode {
    private static final int[] NO_ENTRIES = {};
    private static final @Nullable RuleNode[] NO_NODES = {};
    private static final int SMALLEST_TABLE = 4;

    final String name;
    private final int hash;

    // The children.
    private @Nullable RuleNode[] named = NO_NODES;
    private int namedCount;

    @Nullable
    RuleNode singleLevel;
    /** The number of the placeholder of each child in {@link #resolved}. */
    int[] placeholders = NO_ENTRIES;

    RuleNode[] resolved = {};

    // The rules, in ascending order.
    /** Of the filters that end here. */
    private int[] here = NO_ENTRIES;
    /** Of the filters that continue with {@code #}. */
    private int[] below = NO_ENTRIES;
    // The first rules of this node and its descendants.
    private int first = RuleEntry.NONE;
    private int firstDeny = RuleEntry.NONE;
    /** All entries of this node and its descendants together. */
    private int kinds;

    /** Creates a node without rules; the name of a root, and of a node for a wildcard or placeholder, is not used. */
    RuleNode(String name) {
        this.name = name;
        this.hash = name.hashCode();
    }

    /**
     * Adds a rule that is later than those in the trie. Only on the root.
     *
     * @param placeholder returns the number of a placeholder
     */
    void add(RuleFilter filter, int entry, ToIntFunction<String> placeholder) {
        RuleNode node = this;
        node.include(entry);
        for (String level : filter.levels()) {
            node = node.child(level, placeholder);
            node.include(entry);
        }
        if (filter.isMultiLevel()) {
            node.below = with(node.below, entry);
        } else {
            node.here = with(node.here, entry);
        }
    }

    private void include(int entry) {
        first = Math.min(first, entry);
        kinds |= entry;
        firstDeny = RuleEntry.isAllow(entry) ? firstDeny : Math.min(firstDeny, entry);
    }

    private static int[] with(int[] entries, int entry) {
        int[] longer = Arrays.copyOf(entries, entries.length + 1);
        longer[entries.length] = entry;
        return longer;
    }

    private RuleNode child(String level, ToIntFunction<String> placeholder) {
        if (level.equals(RuleFilter.SINGLE_LEVEL)) {
            singleLevel = singleLevel == null ? new RuleNode(level) : singleLevel;
            return singleLevel;
        }
        return RuleFilter.isPlaceholder(level) ? resolved(placeholder.applyAsInt(level)) : named(level);
    }

    private RuleNode resolved(int placeholder) {
        for (int i = 0; i < placeholders.length; i++) {
            if (placeholders[i] == placeholder) {
                return resolved[i];
            }
        }
        placeholders = with(placeholders, placeholder);
        resolved = Arrays.copyOf(resolved, placeholders.length);
        resolved[placeholders.length - 1] = new RuleNode("");
        return resolved[placeholders.length - 1];
    }

    private RuleNode named(String level) {
        RuleNode found = named(TopicName.known(level, 1), 0);
        if (found != null) {
            return found;
        }
        namedCount++;
        // Half of the table stays empty, to keep probe sequences short.
        if (2 * namedCount > named.length) {
            @Nullable RuleNode[] smaller = named;
            named = new @Nullable RuleNode[Math.max(SMALLEST_TABLE, 2 * smaller.length)];
            for (RuleNode child : smaller) {
                if (child != null) {
                    put(child);
                }
            }
        }
        RuleNode child = new RuleNode(level);
        put(child);
        return child;
    }

    private void put(RuleNode child) {
        int mask = named.length - 1;
        int slot = slot(child.hash, mask);
        while (named[slot] != null) {
            slot = slot + 1 & mask;
        }
        named[slot] = child;
    }

    /** Mixes a hash code, because names with a number at the end have neighbouring ones. */
    private static int slot(int hash, int mask) {
        int mixed = hash * 0x9E37_79B9;
        return (mixed ^ mixed >>> 16) & mask;
    }

    // Below: any thread.

    /** Returns the child with the name of a topic's level, or null. */
    @Nullable
    RuleNode named(TopicName topic, int level) {
        if (namedCount == 0) {
            return null;
        }
        int levelHash = topic.levelHash(level);
        int mask = named.length - 1;
        int slot = slot(levelHash, mask);
        RuleNode child = named[slot];
        while (child != null && !(child.hash == levelHash && topic.levelEquals(level, child.name))) {
            slot = slot + 1 & mask;
            child = named[slot];
        }
        return child;
    }

    /** Returns the named children, with gaps. */
    @Nullable
    RuleNode[] named() {
        return named;
    }

    /** Returns the entry of the first rule, or {@link RuleEntry#NONE}. */
    int first() {
        return first;
    }

    /**
     * Returns the entry of the first rule that matches a topic and decides about this kind of request. Allocates nothing.
     *
     * @param level the number of levels that have led to this node
     * @param values of the client's placeholders; null for one that matches nothing
     * @param best the entry of the first matching rule of other nodes, or {@link RuleEntry#NONE}; returned if no earlier rule matches
     */
    int find(TopicName topic, int level, int kind, @Nullable String[] values, int best) {
        int found = best;
        int at = level;
        RuleNode node = this;
        while (node != null && node.first < found && RuleEntry.decides(node.kinds, kind)) {
            // Wildcards and placeholders of the first level match no topic that begins with $ [MQTT-4.7.2-1].
            boolean namedOnly = at == 0 && topic.isDollarTopic();
            found = namedOnly ? found : first(node.below, kind, found);
            if (at == topic.levelCount()) {
                return first(node.here, kind, found);
            }
            if (!namedOnly) {
                found = node.findInOthers(topic, at, kind, values, found);
            }
            node = node.named(topic, at);
            at++;
        }
        return found;
    }

    /** Continues in the children for a wildcard and for placeholders. */
    private int findInOthers(TopicName topic, int level, int kind, @Nullable String[] values, int best) {
        int found = singleLevel == null ? best : singleLevel.find(topic, level + 1, kind, values, best);
        for (int i = 0; i < placeholders.length; i++) {
            String value = values[placeholders[i]];
            if (value != null && topic.levelEquals(level, value)) {
                found = resolved[i].find(topic, level + 1, kind, values, found);
            }
        }
        return found;
    }

    private static int first(int[] entries, int kind, int best) {
        for (int i = 0; i < entries.length && entries[i] < best; i++) {
            if (RuleEntry.decides(entries[i], kind)) {
                return entries[i];
            }
        }
        return best;
    }

    /** Collects the entries of all rules that match a topic, of every kind, like {@link #find}. */
    void findAll(TopicName topic, int level, @Nullable String[] values, List<Integer> found) {
        boolean namedOnly = level == 0 && topic.isDollarTopic();
        if (!namedOnly) {
            addAll(below, found);
        }
        if (level == topic.levelCount()) {
            addAll(here, found);
            return;
        }
        RuleNode child = named(topic, level);
        if (child != null) {
            child.findAll(topic, level + 1, values, found);
        }
        if (singleLevel != null && !namedOnly) {
            singleLevel.findAll(topic, level + 1, values, found);
        }
        for (int i = 0; i < placeholders.length && !namedOnly; i++) {
            String value = values[placeholders[i]];
            if (value != null && topic.levelEquals(level, value)) {
                resolved[i].findAll(topic, level + 1, values, found);
            }
        }
    }

    private static void addAll(int[] entries, List<Integer> found) {
        for (int entry : entries) {
            found.add(entry);
        }
    }

    /** Returns whether this node or a descendant may have a rule before an entry that denies this kind of request. */
    boolean mayDeny(int kind, int before) {
        return firstDeny < before && RuleEntry.decides(kinds, kind);
    }

    /** Returns whether a filter that ends here, or one that continues with {@code #}, denies this kind before an entry. */
    boolean denies(boolean multiLevel, int kind, int before) {
        for (int entry : multiLevel ? below : here) {
            if (entry >= before) {
                return false;
            }
            if (!RuleEntry.isAllow(entry) && RuleEntry.decides(entry, kind)) {
                return true;
            }
        }
        return false;
    }
}
