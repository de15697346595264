package io.heddle.core.retained;

import org.jspecify.annotations.Nullable;

/**
 * The children of one node in the order of their levels. The order is what lets a cursor go on after any change: it remembers
 * the last level it saw, and every child has its one place in the order whatever came and went meanwhile. It also leaves
 * nothing to those who choose topics so that their hashes collide.
 *
 * <p>Readers use it without locks. Writers take turns and put what {@code with} and {@code without} return in place of this.
 */
sealed interface Siblings permits SortedChunk, ChunkIndex {
    /** The node with this level, or null. */
    @Nullable
    TopicNode find(String level);

    /** The run that has the next node after this level (from the first node, when null), or null when there is none. */
    @Nullable
    SortedChunk after(@Nullable String level);

    /** These and a node whose level none of them has. */
    Siblings with(TopicNode node);

    /** These but for the one with this level; null when none is left. */
    @Nullable
    Siblings without(String level);
}
