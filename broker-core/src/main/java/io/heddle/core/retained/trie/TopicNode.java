package io.heddle.core.retained.trie;

import io.heddle.core.HotPath;
import org.jspecify.annotations.Nullable;

/**
 * A level of a topic in the trie: 24 bytes. A node is also the {@link Siblings} of a parent with one child, the common case in
 * deep topics, so that no array is needed. Changed by the writer that holds the lock, read by any thread.
 *
 * <p>A node without message and children is removed from the trie for good; a reader that still refers to it finds it empty.
 * Therefore a node with a message is in the trie, and so are its ancestors.
 */
@HotPath
public final class TopicNode implements SortedChunk {
    final @Nullable TopicNode parent;
    final String level;
    volatile @Nullable Siblings children;
    volatile @Nullable RetainedMessage message;

    TopicNode(@Nullable TopicNode parent, String level) {
        this.parent = parent;
        this.level = level;
    }

    /** Returns the message, or null. Any thread. */
    public @Nullable RetainedMessage message() {
        return message;
    }

    @Nullable
    TopicNode child(String childLevel) {
        Siblings siblings = children;
        return siblings == null ? null : siblings.find(childLevel);
    }

    boolean isEmpty() {
        return children == null && message == null;
    }

    /** Returns the number of levels of the topic that ends here. */
    public int depth() {
        int depth = 0;
        for (TopicNode above = parent; above != null; above = above.parent) {
            depth++;
        }
        return depth;
    }

    @Override
    public int size() {
        return 1;
    }

    @Override
    public TopicNode node(int index) {
        return this;
    }

    @Override
    public int indexAfter(@Nullable String after) {
        return after == null || level.compareTo(after) > 0 ? 0 : 1;
    }

    @Override
    public @Nullable TopicNode find(String wanted) {
        return level.equals(wanted) ? this : null;
    }

    @Override
    public @Nullable SortedChunk after(@Nullable String after) {
        return indexAfter(after) == 0 ? this : null;
    }

    @Override
    public Siblings with(TopicNode node) {
        return level.compareTo(node.level) < 0 ? Chunk.of(this, node) : Chunk.of(node, this);
    }

    @Override
    public @Nullable Siblings without(String unwanted) {
        return level.equals(unwanted) ? null : this;
    }
}
