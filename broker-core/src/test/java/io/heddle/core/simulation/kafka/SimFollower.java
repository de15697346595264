package io.heddle.core.simulation.kafka;

import io.heddle.core.changelog.LogFollower;
import io.heddle.core.simulation.World;
import io.heddle.core.simulation.kafka.SimPartition.Entry;
import java.util.List;
import java.util.function.Function;

/** A thread of one process that follows a compacted topic. Each turn is an event, like a poll of the product's TopicFollower. */
final class SimFollower<R> {
    private static final int MAXIMUM_RECORDS = 40;
    private static final long NAP_MICROS = 5_000;
    private static final long LONGEST_WAIT_MICROS = 2_000;
    private static final long LONGEST_LAG_MICROS = 500_000;

    private final World world;
    private final SimKafkaClient client;
    private final List<SimPartition> partitions;
    private final Function<Entry, R> decode;
    private final LogFollower<R> follower;
    private final long[] next;
    private final long[] reported;
    private boolean scheduled;
    private boolean started;
    private long stuckUntilNanos;

    SimFollower(
            SimKafkaClient client, List<SimPartition> partitions, Function<Entry, R> decode, LogFollower<R> follower) {
        this.world = client.world();
        this.client = client;
        this.partitions = partitions;
        this.decode = decode;
        this.follower = follower;
        this.next = new long[partitions.size()];
        this.reported = new long[partitions.size()];
    }

    /** Its thread stands still for a while. */
    void standStill(long micros) {
        stuckUntilNanos = world.nanoTime() + micros * 1_000;
    }

    void start() {
        client.add(this);
        partitions.forEach(partition -> partition.whenChanged(this::wakeSoon));
        wakeSoon();
    }

    private void wakeSoon() {
        if (!scheduled && !client.process().isDead()) {
            wake(world.random().nextLong(10, world.oneIn(100) ? LONGEST_LAG_MICROS : LONGEST_WAIT_MICROS));
        }
    }

    private void wake(long micros) {
        if (!scheduled) {
            scheduled = true;
            world.after(client.process(), micros, this::turn);
        }
    }

    private void turn() {
        if (world.nanoTime() < stuckUntilNanos) {
            world.at(client.process(), stuckUntilNanos, this::turn);
            return;
        }
        scheduled = false;
        if (!started) {
            if (partitions.stream().anyMatch(SimPartition::isAway)) {
                wake(NAP_MICROS);
                return;
            }
            started = true;
            follower.onStart(
                    partitions.stream().map(SimPartition::lastStableOffset).toList());
        }
        for (int i = 0; i < partitions.size(); i++) {
            if (!partitions.get(i).isAway()) {
                poll(i, partitions.get(i));
            }
        }
    }

    private void poll(int number, SimPartition partition) {
        if (!follower.hasRoom()) {
            wake(NAP_MICROS);
            return;
        }
        List<Entry> entries = partition.read(next[number], world.random().nextInt(1, MAXIMUM_RECORDS));
        for (Entry entry : entries) {
            next[number] = entry.offset() + 1;
            follower.onRecord(number, entry.offset(), decode.apply(entry));
        }
        if (partition.read(next[number], 1).isEmpty()) {
            next[number] = Math.max(next[number], partition.lastStableOffset());
        } else {
            wakeSoon();
        }
        if (next[number] != reported[number]) {
            reported[number] = next[number];
            follower.onReached(number, next[number]);
        }
    }
}
