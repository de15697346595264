package io.heddle.core.retained.trie;

import org.jspecify.annotations.Nullable;

/** An immutable sequence of neighbouring siblings: at least one, at most {@link Chunk#CAPACITY}. */
sealed interface SortedChunk extends Siblings permits TopicNode, Chunk {
    int size();

    TopicNode node(int index);

    /** Returns the index of the first node after this level: 0 for null, {@link #size} if there is none. */
    int indexAfter(@Nullable String level);
}
