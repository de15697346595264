package io.heddle.core.subscription;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reports the filters of a trie with their subscriptions, in no order and without locks, as a match does. Confined to one thread. Bound: the
 * highest number of nodes that it visits.
 */
public final class FilterWalk {
    private final String prefix;
    private final Filters filters;
    private int left;

    public interface Filters extends SubscriptionTrie.Matches {
        /** Announces the filter of the following subscriptions, without the share names of groups. Returns false to end the walk. */
        boolean next(String filter);

        @Override
        default void nextFilter() {
            // Filters have their names.
        }
    }

    private FilterWalk(String prefix, Filters filters, int maximumNodes) {
        this.prefix = prefix;
        this.filters = filters;
        this.left = maximumNodes;
    }

    /**
     * Reports the filters that begin with a text.
     *
     * @param maximumNodes the highest number of visited nodes
     * @return whether all were reported
     */
    public static boolean walk(SubscriptionTrie trie, String prefix, int maximumNodes, Filters filters) {
        return new FilterWalk(prefix, filters, maximumNodes).walk(trie.root());
    }

    private boolean walk(TrieNode root) {
        report("#", root.multiLevelSubscribers);
        below(root, "");
        return left >= 0;
    }

    /** @param parent the text of the filters before this level, with the separator */
    private void visit(TrieNode node, String level, String parent) {
        String path = parent + level;
        if (!mayHavePrefix(path) || --left < 0) {
            return;
        }
        report(path, node.subscribers);
        report(path + "/#", node.multiLevelSubscribers);
        below(node, path + "/");
    }

    private void below(TrieNode node, String parent) {
        TrieNode singleLevel = node.singleLevel;
        if (singleLevel != null) {
            visit(singleLevel, "+", parent);
        }
        children(node.named, parent);
    }

    /** Visits the children in the container of {@link ChildMap}. */
    private void children(@Nullable Object container, String parent) {
        if (left < 0) {
            return;
        }
        switch (container) {
            case null -> {}
            case TrieNode only -> visit(only, only.name, parent);
            case TrieNode[] table -> {
                for (int i = 0; i < table.length; i++) {
                    children(ChildMap.child(table, i), parent);
                }
            }
            case HashNode hashNode -> {
                for (int i = 0; i < HashNode.PARTS; i++) {
                    children(hashNode.part(i), parent);
                }
            }
            case Map<?, ?> equalHashes -> equalHashes.values().forEach(child -> children(child, parent));
            default -> throw new IllegalStateException("not a container of children: " + container);
        }
    }

    private boolean mayHavePrefix(String path) {
        return path.regionMatches(0, prefix, 0, Math.min(path.length(), prefix.length()));
    }

    private void report(String filter, @Nullable Object subscribers) {
        if (subscribers != null && left >= 0 && filter.startsWith(prefix)) {
            if (filters.next(filter)) {
                Subscribers.report(subscribers, filters);
            } else {
                left = -1;
            }
        }
    }
}
