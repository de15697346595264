package io.heddle.core.client.activity;

import io.heddle.core.HotPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * The keys of a stream with the highest sums of weights, by the algorithm <em>Space-Saving</em> (Metwally, Agrawal and El Abbadi, "Efficient
 * Computation of Frequent and Top-k Elements in Data Streams", 2005). A new key replaces the one with the lowest sum and takes over that sum as
 * its possible error. Every key whose share of the whole exceeds one {@value #CAPACITY}th is present. Not thread-safe.
 */
@HotPath
final class SpaceSaving {
    /** The number of keys. */
    static final int CAPACITY = 128;

    private final Map<String, Sum> byKey = new HashMap<>();
    // A binary heap with the lowest sum first.
    private final List<Sum> heap = new ArrayList<>();

    private static final class Sum {
        private String key;
        private long weight;
        private long error;
        private int place;

        Sum(String key, int place) {
            this.key = key;
            this.place = place;
        }
    }

    /** @param weight 0 or more */
    void add(String key, long weight) {
        Sum sum = byKey.get(key);
        if (sum == null) {
            sum = place(key);
        }
        sum.weight += weight;
        sink(sum);
    }

    private Sum place(String key) {
        Sum sum;
        if (heap.size() < CAPACITY) {
            sum = new Sum(key, heap.size());
            heap.add(sum);
            rise(sum);
        } else {
            sum = heap.getFirst();
            byKey.remove(sum.key);
            sum.key = key;
            sum.error = sum.weight;
        }
        byKey.put(key, sum);
        return sum;
    }

    private void rise(Sum sum) {
        while (sum.place > 0) {
            Sum parent = heap.get((sum.place - 1) / 2);
            if (parent.weight <= sum.weight) {
                return;
            }
            swap(parent, sum);
        }
    }

    private void sink(Sum sum) {
        while (true) {
            int child = 2 * sum.place + 1;
            if (child >= heap.size()) {
                return;
            }
            Sum lower = heap.get(child);
            if (child + 1 < heap.size() && heap.get(child + 1).weight < lower.weight) {
                lower = heap.get(child + 1);
            }
            if (lower.weight >= sum.weight) {
                return;
            }
            swap(sum, lower);
        }
    }

    private void swap(Sum one, Sum other) {
        int place = one.place;
        one.place = other.place;
        other.place = place;
        heap.set(one.place, one);
        heap.set(other.place, other);
    }

    /** Passes on each key with the lowest value that its sum can have. */
    void forEach(BiConsumer<String, Long> receiver) {
        for (Sum each : heap) {
            receiver.accept(each.key, each.weight - each.error);
        }
    }

    void clear() {
        byKey.clear();
        heap.clear();
    }
}
