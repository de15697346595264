package io.heddle.core.testkit;

import io.heddle.core.changelog.LogFollower;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/** The records of a log in memory, in one order for all partitions. Its followers get them on the appending thread, under its lock. */
final class InMemoryLog<R> {
    // Guarded by this.
    private final List<Entry<R>> entries = new ArrayList<>();
    private final List<Following<R>> followers = new ArrayList<>();
    private final List<Long> ends = new ArrayList<>();
    private long end;

    private record Entry<R>(int partition, long offset, R record) {}

    private static final class Following<R> {
        private final LogFollower<R> follower;
        private long next;

        Following(LogFollower<R> follower) {
            this.follower = follower;
        }
    }

    /** Returns the offset of the appended record. */
    synchronized long append(int partition, R record) {
        while (ends.size() <= partition) {
            ends.add(0L);
        }
        long offset = end++;
        entries.add(new Entry<>(partition, offset, record));
        ends.set(partition, end);
        followers.forEach(this::deliver);
        return offset;
    }

    synchronized void follow(LogFollower<R> follower) {
        Following<R> following = new Following<>(follower);
        followers.add(following);
        follower.onStart(List.copyOf(ends));
        deliver(following);
    }

    private void deliver(Following<R> to) {
        for (Entry<R> entry : List.copyOf(entries)) {
            if (entry.offset() >= to.next) {
                if (!to.follower.hasRoom()) {
                    return;
                }
                to.next = entry.offset() + 1;
                to.follower.onRecord(entry.partition(), entry.offset(), entry.record());
            }
        }
        to.next = end;
        for (int partition = 0; partition < ends.size(); partition++) {
            to.follower.onReached(partition, ends.get(partition));
        }
    }

    /** The ends of the partitions; gives followers that have room again what they miss. */
    synchronized List<Long> ends() {
        followers.forEach(this::deliver);
        return List.copyOf(ends);
    }

    synchronized List<R> records() {
        return entries.stream().map(Entry::record).toList();
    }

    /** Removes every record that a later one of the same key replaces, and every removal, like Kafka's compaction after some time. */
    synchronized void compact(Function<R, Object> key, Predicate<R> isRemoval) {
        Map<Object, Entry<R>> last = new LinkedHashMap<>();
        for (Entry<R> entry : entries) {
            Object of = key.apply(entry.record());
            last.remove(of);
            last.put(of, entry);
        }
        entries.clear();
        last.values().stream().filter(entry -> !isRemoval.test(entry.record())).forEach(entries::add);
    }
}
