package io.heddle.core.simulation.kafka;

import io.heddle.core.simulation.SimProcess;
import io.heddle.core.simulation.World;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The log of one partition. Readers of committed records stop at the last stable offset, below which no transaction is open. While its
 * leader is away, the partition answers no request. Offsets of deleted and compacted records are not used again.
 */
final class SimPartition {
    private final World world;
    private final String name;
    private final List<Entry> entries = new ArrayList<>();
    private final Set<Part> open = new HashSet<>();
    private final List<Runnable> readers = new ArrayList<>();
    private long begin;
    private long end;
    private boolean away;

    /** The part of a transaction in this partition. States: open → committed or aborted. */
    static final class Part {
        private long firstOffset = -1;
        private boolean committed;
        private boolean aborted;

        /** The transaction is committed; the markers follow. */
        void commit() {
            committed = true;
        }
    }

    /**
     * A record or, without key and value, the end of a transaction.
     *
     * @param millis when the leader appended it
     */
    record Entry(
            long offset,
            long millis,
            @Nullable Object key,
            @Nullable Object value,
            @Nullable Part part,
            boolean isMarker) {
        private boolean isAborted() {
            return part != null && part.aborted;
        }
    }

    SimPartition(World world, String name) {
        this.world = world;
        this.name = name;
    }

    /** Calls a reader back when there may be something new to read. */
    void whenChanged(Runnable reader) {
        readers.add(reader);
    }

    void forget(Runnable reader) {
        readers.remove(reader);
    }

    boolean isOf(String topicPrefix) {
        return name.startsWith(topicPrefix);
    }

    boolean isAway() {
        return away;
    }

    void away(boolean isAway) {
        away = isAway;
        changed();
    }

    long begin() {
        return begin;
    }

    /** One above the highest offset, open transactions included. */
    long end() {
        return end;
    }

    int size() {
        return entries.size();
    }

    /** The offset up to which committed records can be read. */
    long lastStableOffset() {
        long stable = end;
        for (Part part : open) {
            stable = Math.min(stable, part.firstOffset);
        }
        return stable;
    }

    /** Returns whether a transaction has written since an offset. */
    boolean isInTransactionSince(long offset) {
        return open.stream().anyMatch(part -> part.firstOffset >= offset);
    }

    /** Appends a record and returns its offset. */
    long append(@Nullable Object key, @Nullable Object value, @Nullable Part part) {
        if (part != null && part.firstOffset < 0) {
            part.firstOffset = end;
            open.add(part);
        }
        entries.add(new Entry(end, world.millis(), key, value, part, false));
        long offset = end++;
        changed();
        return offset;
    }

    /** Writes the marker that ends a transaction. */
    void end(Part part, boolean committed) {
        part.aborted = !committed;
        open.remove(part);
        entries.add(new Entry(end++, world.millis(), null, null, null, true));
        changed();
    }

    private void changed() {
        if (!away) {
            List.copyOf(readers).forEach(Runnable::run);
        }
    }

    /** Reads up to this number of committed records. */
    List<Entry> read(long from, int maximum) {
        return read(from, maximum, true);
    }

    List<Entry> read(long from, int maximum, boolean committed) {
        long limit = committed ? lastStableOffset() : end;
        List<Entry> found = new ArrayList<>();
        for (int i = indexOf(from); i < entries.size() && found.size() < maximum; i++) {
            Entry entry = entries.get(i);
            if (entry.offset >= limit) {
                break;
            }
            if (!entry.isMarker && !(committed && entry.isAborted())) {
                found.add(entry);
            }
        }
        return found;
    }

    /** Returns the value of the last committed record of a key, or null. Readers may not see it yet. */
    @Nullable
    Object last(Object key) {
        Object last = null;
        for (Entry entry : entries) {
            if (key.equals(entry.key) && (entry.part == null || entry.part.committed)) {
                last = entry.value;
            }
        }
        return last;
    }

    private int indexOf(long offset) {
        int low = 0;
        int high = entries.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (entries.get(middle).offset < offset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Deletes the records below an offset. */
    void deleteBelow(long offset) {
        begin = Math.max(begin, Math.min(offset, end));
        entries.subList(0, indexOf(begin)).clear();
    }

    /** Keeps the last record of each key, at its offset. Open transactions stay, and so do removals, for a day. */
    void compact() {
        long limit = lastStableOffset();
        Map<Object, Long> last = new HashMap<>();
        for (Entry entry : read(0, Integer.MAX_VALUE)) {
            last.put(keyOf(entry), entry.offset);
        }
        entries.removeIf(entry -> entry.offset < limit
                && (entry.isMarker || entry.isAborted() || !Objects.equals(last.get(keyOf(entry)), entry.offset)));
    }

    private static Object keyOf(Entry entry) {
        if (entry.key == null) {
            throw new IllegalStateException("a record without a key in a compacted topic");
        }
        return entry.key;
    }

    /** Runs a task as soon as the leader answers. */
    void whenLed(SimProcess process, Runnable task) {
        if (away) {
            world.after(process, 20_000 + world.random().nextInt(20_000), () -> whenLed(process, task));
        } else {
            task.run();
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
