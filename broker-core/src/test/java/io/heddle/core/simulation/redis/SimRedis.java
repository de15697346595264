package io.heddle.core.simulation.redis;

import io.heddle.core.simulation.World;
import io.heddle.core.testkit.InMemoryDeviceQueues;
import io.heddle.core.testkit.InMemoryDeviceQueues.Snapshot;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * A Redis that survives all brokers. It keeps a snapshot of each moment of the last seconds, to which a fault rolls it back.
 */
public final class SimRedis {
    private static final long SNAPSHOT_MICROS = 250_000;
    private static final int SNAPSHOTS = 10;

    private final World world;
    private final InMemoryDeviceQueues contents;
    private final ArrayDeque<Snapshot> snapshots = new ArrayDeque<>();
    private final List<SimRedisClient> clients = new ArrayList<>();
    private boolean away;
    private boolean slow;

    public SimRedis(World world) {
        this.world = world;
        this.contents = new InMemoryDeviceQueues();
        takeSnapshot();
    }

    private void takeSnapshot() {
        snapshots.addLast(contents.snapshot());
        if (snapshots.size() > SNAPSHOTS) {
            snapshots.removeFirst();
        }
        world.after(world.environment(), SNAPSHOT_MICROS, this::takeSnapshot);
    }

    void add(SimRedisClient client) {
        clients.add(client);
    }

    InMemoryDeviceQueues contents() {
        return contents;
    }

    boolean isAway() {
        return away;
    }

    /** The time that a call takes now, in microseconds. */
    long delay() {
        return slow ? world.random().nextLong(1_000, 300_000) : world.random().nextLong(20, 800);
    }

    // Faults.

    /** Answers nothing for this time, in microseconds. */
    public void lose(long micros) {
        world.trace(() -> "redis: away for " + micros / 1_000 + " ms");
        away = true;
        world.after(world.environment(), micros, this::comeBack);
    }

    private void comeBack() {
        away = false;
        clients.forEach(SimRedisClient::onReturned);
    }

    /** Answers slowly for this time, in microseconds. */
    public void slowDown(long micros) {
        world.trace(() -> "redis: slow for " + micros / 1_000 + " ms");
        slow = true;
        world.after(world.environment(), micros, () -> slow = false);
    }

    /** Loses the writes of the last moments. Its clients notice a lost connection, or nothing. */
    public void rollBack() {
        List<Snapshot> known = List.copyOf(snapshots);
        Snapshot snapshot = known.get(world.random().nextInt(known.size()));
        boolean disconnects = world.random().nextBoolean();
        world.trace(() -> "redis: rolls back by some "
                + (known.size() - known.indexOf(snapshot)) * SNAPSHOT_MICROS / 1_000 + " ms"
                + (disconnects ? ", after a disconnect" : ", unnoticed"));
        contents.rollBack(snapshot);
        // Older snapshots stay valid; later ones never were.
        while (!snapshots.getLast().equals(snapshot)) {
            snapshots.removeLast();
        }
        if (disconnects) {
            away = true;
            world.after(world.environment(), world.random().nextLong(1_000, 500_000), this::comeBack);
        }
    }

    /** Loses everything. */
    public void loseEverything() {
        world.trace(() -> "redis: loses everything");
        contents.loseEverything();
        snapshots.clear();
        snapshots.addLast(contents.snapshot());
    }
}
