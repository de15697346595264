package io.heddle.core.retained.trie;

import org.jspecify.annotations.Nullable;

/**
 * The children of one node, sorted by level. The order lets a cursor resume after any change: it remembers the last level it saw,
 * and the position of every child is independent of concurrent changes. Sorting also resists topics chosen for colliding hashes.
 *
 * <p>Lock-free for readers. Writers are serialized and replace this object with the result of {@code with} and {@code without}.
 */
sealed interface Siblings permits SortedChunk, ChunkIndex {
    /** Returns the node with this level, or null. */
    @Nullable
    TopicNode find(String level);

    /** Returns the chunk with the next node after this level (with the first node if null), or null at the end. */
    @Nullable
    SortedChunk after(@Nullable String level);

    /** Adds a node with a new level. */
    Siblings with(TopicNode node);

    /** Removes the node with this level; returns null if none is left. */
    @Nullable
    Siblings without(String level);
}
