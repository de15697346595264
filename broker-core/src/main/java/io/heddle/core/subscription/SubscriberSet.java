package io.heddle.core.subscription;

import io.heddle.core.HotPath;
import java.util.HashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The subscribers of one filter. Changed under the trie's lock, read by any thread: readers walk one array, in which a change
 * is one element, and growing or shrinking puts a new array in its place. Adding n subscribers costs time in proportion to n,
 * however many one filter has. A group of a shared subscription is one subscriber; what its members asked for, it keeps itself.
 */
@HotPath
final class SubscriberSet {
    private static final int INITIAL_CAPACITY = 1;
    /** From here on a map finds positions; below, a walk is quicker and smaller. */
    private static final int INDEXED_FROM = 16;

    private volatile AtomicReferenceArray<@Nullable Entry> entries = new AtomicReferenceArray<>(INITIAL_CAPACITY);

    // Of the writer, under the trie's lock.
    private int used;
    private int live;
    private @Nullable HashMap<Subscriber, Integer> positions;

    private record Entry(Subscriber subscriber, Subscription subscription) {}

    void report(SubscriptionTrie.Matches matches) {
        AtomicReferenceArray<@Nullable Entry> array = entries;
        for (int i = 0; i < array.length(); i++) {
            Entry entry = array.getAcquire(i);
            if (entry == null) {
                continue;
            }
            switch (entry.subscriber) {
                case SharedGroup group -> matches.add(group);
                case LocalSession session -> matches.add(session, entry.subscription);
            }
        }
    }

    /** The group here that equals the one given, or null. */
    @Nullable
    SharedGroup group(SharedGroup named) {
        int position = position(named);
        Entry entry = position < 0 ? null : entries.get(position);
        return entry != null && entry.subscriber instanceof SharedGroup group ? group : null;
    }

    @Nullable
    Subscription put(Subscriber subscriber, Subscription subscription) {
        Entry entry = new Entry(subscriber, subscription);
        int position = position(subscriber);
        if (position >= 0) {
            Entry replaced = entries.get(position);
            entries.setRelease(position, entry);
            return replaced == null ? null : replaced.subscription;
        }
        if (used == entries.length()) {
            compact(Math.max(INITIAL_CAPACITY, live * 2));
        }
        entries.setRelease(used, entry);
        if (positions != null) {
            positions.put(subscriber, used);
        }
        used++;
        live++;
        return null;
    }

    boolean remove(Subscriber subscriber) {
        int position = position(subscriber);
        if (position < 0) {
            return false;
        }
        entries.setRelease(position, null);
        if (positions != null) {
            positions.remove(subscriber);
        }
        live--;
        if (live * 4 < entries.length()) {
            compact(Math.max(INITIAL_CAPACITY, live * 2));
        }
        return true;
    }

    boolean isEmpty() {
        return live == 0;
    }

    private int position(Subscriber subscriber) {
        if (positions != null) {
            Integer position = positions.get(subscriber);
            return position == null ? -1 : position;
        }
        for (int i = 0; i < used; i++) {
            Entry entry = entries.get(i);
            if (entry != null && entry.subscriber.equals(subscriber)) {
                return i;
            }
        }
        return -1;
    }

    private void compact(int capacity) {
        AtomicReferenceArray<@Nullable Entry> compacted = new AtomicReferenceArray<>(capacity);
        HashMap<Subscriber, Integer> index = capacity >= INDEXED_FROM ? new HashMap<>(capacity) : null;
        int kept = 0;
        for (int i = 0; i < used; i++) {
            Entry entry = entries.get(i);
            if (entry != null) {
                compacted.setPlain(kept, entry);
                if (index != null) {
                    index.put(entry.subscriber, kept);
                }
                kept++;
            }
        }
        used = kept;
        positions = index;
        entries = compacted;
    }
}
