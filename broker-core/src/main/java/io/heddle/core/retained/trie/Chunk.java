package io.heddle.core.retained.trie;

import io.heddle.core.HotPath;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Up to {@link #CAPACITY} siblings in one immutable array, which is copied for each change. */
@HotPath
final class Chunk implements SortedChunk {
    static final int CAPACITY = 64;

    private final TopicNode[] nodes;

    private Chunk(TopicNode[] nodes) {
        this.nodes = nodes;
    }

    static Chunk of(TopicNode... nodes) {
        return new Chunk(nodes);
    }

    @Override
    public int size() {
        return nodes.length;
    }

    @Override
    public TopicNode node(int index) {
        return nodes[index];
    }

    TopicNode last() {
        return nodes[nodes.length - 1];
    }

    @Override
    public int indexAfter(@Nullable String level) {
        if (level == null) {
            return 0;
        }
        int index = search(level);
        return index < 0 ? -index - 1 : index + 1;
    }

    @Override
    public @Nullable TopicNode find(String level) {
        int index = search(level);
        return index < 0 ? null : nodes[index];
    }

    @Override
    public @Nullable SortedChunk after(@Nullable String level) {
        return indexAfter(level) < nodes.length ? this : null;
    }

    @Override
    public Siblings with(TopicNode node) {
        return isFull() ? ChunkIndex.of(this).with(node) : adding(node);
    }

    @Override
    public @Nullable Siblings without(String level) {
        Chunk rest = removing(level);
        return rest.nodes.length == 1 ? rest.nodes[0] : rest;
    }

    boolean isFull() {
        return nodes.length >= CAPACITY;
    }

    Chunk adding(TopicNode node) {
        int index = indexAfter(node.level);
        TopicNode[] more = Arrays.copyOf(nodes, nodes.length + 1);
        System.arraycopy(nodes, index, more, index + 1, nodes.length - index);
        more[index] = node;
        return new Chunk(more);
    }

    /** The result may be empty; the caller must not store an empty chunk. */
    Chunk removing(String level) {
        int index = search(level);
        if (index < 0) {
            return this;
        }
        TopicNode[] fewer = Arrays.copyOf(nodes, nodes.length - 1);
        System.arraycopy(nodes, index + 1, fewer, index, fewer.length - index);
        return new Chunk(fewer);
    }

    Chunk first(int count) {
        return new Chunk(Arrays.copyOfRange(nodes, 0, count));
    }

    Chunk from(int index) {
        return new Chunk(Arrays.copyOfRange(nodes, index, nodes.length));
    }

    /** Appends the nodes of the next chunk. */
    Chunk joined(Chunk next) {
        TopicNode[] all = Arrays.copyOf(nodes, nodes.length + next.nodes.length);
        System.arraycopy(next.nodes, 0, all, nodes.length, next.nodes.length);
        return new Chunk(all);
    }

    private int search(String level) {
        int low = 0;
        int high = nodes.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = nodes[middle].level.compareTo(level);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -low - 1;
    }
}
