package io.heddle.core.retained;

import org.jspecify.annotations.Nullable;

/** Neighbours in the order of siblings: at least one, at most {@link Chunk#CAPACITY}. Never changes. */
sealed interface SortedChunk extends Siblings permits TopicNode, Chunk {
    int size();

    TopicNode node(int index);

    /** The position of the first node after this level: 0 for null, {@link #size} when there is none. */
    int indexAfter(@Nullable String level);
}
