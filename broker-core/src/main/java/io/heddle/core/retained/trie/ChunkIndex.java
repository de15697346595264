package io.heddle.core.retained.trie;

import io.heddle.core.HotPath;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * An ordered index of non-empty chunks, for many siblings. Changing a chunk replaces one array element. Splitting, dropping or
 * joining chunks creates a new index; the old one is never changed again. With n siblings that copies about n/25 elements once in
 * 16 or more changes.
 */
@HotPath
final class ChunkIndex implements Siblings {
    /** Neighbours are joined if together they have at most this many nodes. */
    private static final int JOINED = Chunk.CAPACITY / 2;

    /**
     * The lower bound of each chunk: its nodes are at or above it and below the next bound. The bound of the first chunk is
     * empty.
     */
    private final String[] bounds;

    private final AtomicReferenceArray<Chunk> chunks;

    private ChunkIndex(int size) {
        this.bounds = new String[size];
        this.chunks = new AtomicReferenceArray<>(size);
    }

    /** Creates a temporary index of one chunk; an index with one chunk is never stored. */
    static ChunkIndex of(Chunk chunk) {
        ChunkIndex index = new ChunkIndex(1);
        index.put(0, "", chunk);
        return index;
    }

    private void put(int at, String bound, Chunk chunk) {
        bounds[at] = bound;
        chunks.setPlain(at, chunk);
    }

    @Override
    public @Nullable TopicNode find(String level) {
        return chunks.getAcquire(position(level)).find(level);
    }

    @Override
    public @Nullable SortedChunk after(@Nullable String level) {
        if (level == null) {
            return chunks.getAcquire(0);
        }
        int position = position(level);
        Chunk chunk = chunks.getAcquire(position);
        if (chunk.last().level.compareTo(level) > 0) {
            return chunk;
        }
        return position + 1 < bounds.length ? chunks.getAcquire(position + 1) : null;
    }

    @Override
    public Siblings with(TopicNode node) {
        int position = position(node.level);
        Chunk chunk = chunks.getPlain(position);
        if (!chunk.isFull()) {
            chunks.setRelease(position, chunk.adding(node));
            return this;
        }
        // Topics added in order leave chunks three quarters full: dense, but with room, so that adding and removing
        // at the end does not create a new index each time.
        boolean appended = position == bounds.length - 1 && chunk.last().level.compareTo(node.level) < 0;
        int kept = appended ? Chunk.CAPACITY * 3 / 4 : Chunk.CAPACITY / 2;
        Chunk lower = chunk.first(kept);
        Chunk upper = chunk.from(kept);
        return node.level.compareTo(upper.node(0).level) < 0
                ? replacing(position, 1, lower.adding(node), upper)
                : replacing(position, 1, lower, upper.adding(node));
    }

    @Override
    public Siblings without(String level) {
        int position = position(level);
        Chunk rest = chunks.getPlain(position).removing(level);
        if (rest.size() == 0) {
            return collapsed(replacing(position, 1));
        }
        if (position + 1 < bounds.length && fits(rest, chunks.getPlain(position + 1))) {
            return collapsed(replacing(position, 2, rest.joined(chunks.getPlain(position + 1))));
        }
        if (position > 0 && fits(chunks.getPlain(position - 1), rest)) {
            return collapsed(
                    replacing(position - 1, 2, chunks.getPlain(position - 1).joined(rest)));
        }
        chunks.setRelease(position, rest);
        return this;
    }

    private static boolean fits(Chunk chunk, Chunk next) {
        return chunk.size() + next.size() <= JOINED;
    }

    private static Siblings collapsed(ChunkIndex index) {
        if (index.bounds.length > 1) {
            return index;
        }
        Chunk only = index.chunks.getPlain(0);
        return only.size() == 1 ? only.node(0) : only;
    }

    private ChunkIndex replacing(int position, int replaced, Chunk... replacements) {
        ChunkIndex copy = new ChunkIndex(bounds.length - replaced + replacements.length);
        int at = 0;
        for (int i = 0; i < position; i++) {
            copy.put(at++, bounds[i], chunks.getPlain(i));
        }
        for (Chunk replacement : replacements) {
            // The first replacement keeps the bound of the replaced chunks; its first node may be above it.
            copy.put(at, at == position ? bounds[position] : replacement.node(0).level, replacement);
            at++;
        }
        for (int i = position + replaced; i < bounds.length; i++) {
            copy.put(at++, bounds[i], chunks.getPlain(i));
        }
        // The first chunk has an empty bound, also after the former first one was dropped.
        copy.bounds[0] = "";
        return copy;
    }

    /** Returns the last chunk whose bound is not above the level. */
    private int position(String level) {
        int low = 1;
        int high = bounds.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (bounds[middle].compareTo(level) <= 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }
}
