package io.heddle.core.simulation;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.simulation.kafka.SimKafka;
import io.heddle.core.simulation.redis.SimRedis;
import org.jspecify.annotations.Nullable;

/**
 * The stores, and the broker process that serves. The stores are shared by all processes; today one at a time serves, another one may
 * stand by, and a frozen one may come back as a zombie.
 */
final class SimCluster implements Cluster {
    private static final long CLOCK_OFFSET_MILLIS = 1_500;

    private final World world;
    private final SimKafka kafka;
    private final SimRedis redis;
    private @Nullable SimNode node;
    // Follows the logs and serves next.
    private @Nullable SimNode standby;
    private boolean areClocksWrong;
    private int started;

    SimCluster(World world) {
        this.world = world;
        this.kafka = new SimKafka(world, SimNode.BUCKETS);
        this.redis = new SimRedis(world);
    }

    @Override
    public void start() {
        startNode();
    }

    @Override
    public @Nullable SimEntry entry() {
        SimNode latest = node;
        return latest != null && latest.isServing() ? latest : null;
    }

    /** Starts a new process; repeats that if it dies while it starts. */
    private void startNode() {
        SimNode waiting = standby;
        standby = null;
        SimNode starting = waiting == null ? newNode() : waiting;
        node = starting;
        world.trace(() -> starting.process() + " starts");
        if (world.oneIn(2)) {
            world.after(world.environment(), world.random().nextLong(3_000_000), this::startStandby);
        }
        try {
            starting.start();
        } catch (World.ProcessKilled killed) {
            world.trace(killed::getMessage);
        } catch (StoreUnavailableException e) {
            world.trace(() -> starting.process() + " cannot start: " + e.getMessage());
            starting.kill();
            world.after(world.environment(), 500_000, this::startNode);
        }
    }

    private SimNode newNode() {
        started++;
        return new SimNode(
                world,
                kafka,
                redis,
                started,
                areClocksWrong ? world.random().nextLong(-CLOCK_OFFSET_MILLIS, CLOCK_OFFSET_MILLIS) : 0);
    }

    /** Starts a process that follows the logs until it takes the place of the one that serves. */
    private void startStandby() {
        if (standby == null) {
            SimNode waiting = newNode();
            standby = waiting;
            waiting.standBy();
        }
    }

    /** From now on each process has another time of day, up to {@value #CLOCK_OFFSET_MILLIS} ms off. */
    private void skewClocks() {
        areClocksWrong = true;
    }

    @Override
    public void strike(Fault fault) {
        switch (fault) {
            case KILL -> {
                if (world.random().nextBoolean()) {
                    restart();
                } else {
                    restartAtAnswer();
                }
            }
            case FREEZE -> freeze(FaultPlan.outage(world));
            case LEADER_AWAY, KAFKA_AWAY, COORDINATOR_AWAY, COMPACTION -> FaultPlan.strike(fault, world, kafka);
            case REDIS_AWAY, REDIS_SLOW, REDIS_ROLLED_BACK -> FaultPlan.strike(fault, world, redis);
            case NETWORK -> {
                SimNode present = node;
                if (world.oneIn(3)) {
                    resetConnections();
                } else if (present != null) {
                    present.connections().loseAnswer();
                }
            }
            case CLOCK_SKEW -> skewClocks();
            case LATE_APPENDS -> replaceWithLateAppends();
            case ZOMBIE -> replaceFrozen();
            case STALE_ROUTES -> replaceFrozenAndMoveClients();
            case STUCK_FENCE -> replaceBeforeFenced();
            case JOIN, LEAVE, LINK_CUT, LINK_BROKEN ->
                throw new IllegalArgumentException(fault + " needs several nodes that serve");
        }
    }

    @Override
    public void heal() {
        // All faults of these processes end by themselves.
    }

    @Override
    public @Nullable String retained(String topic) {
        return kafka.retained(topic);
    }

    @Override
    public boolean isSettled() {
        return true;
    }

    @Override
    public void check() {
        // The ledger knows all promises of one node.
    }

    @Override
    public void restart() {
        SimNode killed = node;
        if (killed != null && !killed.process().isDead()) {
            world.trace(() -> "kill -9 " + killed.process());
            killed.kill();
            world.after(world.environment(), world.random().nextLong(1_000, 1_500_000), this::startNode);
        }
    }

    /** Kills the process when it has sent the next answer of some type, and starts another one. */
    private void restartAtAnswer() {
        SimNode next = node;
        if (next != null) {
            Class<? extends MqttPacket> type = SimConnections.anyAnswer(world);
            // Now, or after what the process does next.
            next.connections()
                    .whenSent(
                            type,
                            _ -> world.after(world.environment(), world.random().nextInt(500), () -> {
                                if (next.equals(node)) {
                                    world.trace(() -> "after " + type.getSimpleName());
                                    restart();
                                }
                            }));
        }
    }

    /**
     * The process stands still, another one takes its place; the first one never does anything again, but its buffers reach Kafka late.
     * Kafka is slow just before, so that there is something in the buffers.
     */
    private void replaceWithLateAppends() {
        SimNode frozen = node;
        if (frozen == null || !frozen.isServing()) {
            return;
        }
        kafka.loseLeaders(1_000_000);
        world.after(world.environment(), world.random().nextLong(1, 800_000), () -> {
            if (frozen.equals(node) && !frozen.process().isDead()) {
                world.trace(() -> frozen.process() + " is over; its buffers land later");
                frozen.killWithLateAppends(this::resetConnections);
                world.after(world.environment(), world.random().nextLong(1_000, 500_000), this::startNode);
            }
        });
    }

    /** All clients lose their connections. */
    private void resetConnections() {
        SimNode present = node;
        if (present != null) {
            present.connections().reset();
        }
    }

    /** The process stands still for this time. */
    private void freeze(long micros) {
        SimNode frozen = node;
        if (frozen != null && !frozen.process().isDead()) {
            world.trace(() -> "SIGSTOP " + frozen.process() + " for " + micros / 1_000 + " ms");
            frozen.process().freeze();
            world.after(world.environment(), micros, () -> thaw(frozen));
        }
    }

    private void thaw(SimNode frozen) {
        world.trace(() -> "SIGCONT " + frozen.process());
        frozen.process().thaw(world);
    }

    /** The process stands still, another one takes its place, and the first one continues until it learns that. */
    private void replaceFrozen() {
        SimNode frozen = node;
        if (frozen == null || !frozen.isServing() || frozen.process().isFrozen()) {
            return;
        }
        world.trace(() -> "SIGSTOP " + frozen.process() + "; another process takes its place");
        frozen.process().freeze();
        world.after(world.environment(), world.random().nextLong(SimLease.MICROS, 4 * SimLease.MICROS), () -> {
            if (frozen.equals(node) && frozen.isSilent()) {
                frozen.onTakenOver();
                if (world.oneIn(3)) {
                    // The race that fencing must win.
                    world.after(world.environment(), world.random().nextLong(50_000), () -> thaw(frozen));
                }
                startNode();
            }
        });
        world.after(world.environment(), world.random().nextLong(500_000, 6_000_000), () -> thaw(frozen));
    }

    /**
     * The process stands still, and another one takes its place. Some clients lose their connections and come to the new process. Then the
     * first one continues: its other clients have published meanwhile.
     */
    private void replaceFrozenAndMoveClients() {
        SimNode frozen = node;
        if (frozen == null || !frozen.isServing() || frozen.process().isFrozen()) {
            return;
        }
        world.trace(() -> "SIGSTOP " + frozen.process() + "; another process takes its place and some clients");
        frozen.process().freeze();
        world.after(world.environment(), world.random().nextLong(SimLease.MICROS, 2 * SimLease.MICROS), () -> {
            if (frozen.equals(node) && frozen.isSilent()) {
                frozen.onTakenOver();
                startNode();
                frozen.connections().loseSome();
            }
            world.after(world.environment(), world.random().nextLong(200_000, 2_000_000), () -> thaw(frozen));
        });
    }

    /**
     * The bucket logs lose their leaders, so that a transaction of the process stays open. The process stands still, and another one takes
     * its place, which cannot fence it before the leaders are back. The first one continues meanwhile.
     */
    private void replaceBeforeFenced() {
        SimNode frozen = node;
        if (frozen == null || !frozen.isServing() || frozen.process().isFrozen()) {
            return;
        }
        long outage = world.random().nextLong(2_500_000, 4_000_000);
        kafka.loseLeaders(outage);
        world.after(world.environment(), world.random().nextLong(1_000, 500_000), () -> {
            if (frozen.equals(node) && frozen.isServing() && !frozen.process().isFrozen()) {
                freeze(world.random().nextLong(900_000, 1_500_000));
                world.after(
                        world.environment(),
                        world.random().nextLong(SimLease.MICROS, 2 * SimLease.MICROS),
                        () -> takeOverIfSilent(frozen));
            }
        });
        world.after(world.environment(), outage - world.random().nextLong(5_000), () -> freezeAgain(frozen));
    }

    private void takeOverIfSilent(SimNode frozen) {
        if (frozen.equals(node) && frozen.isSilent()) {
            frozen.onTakenOver();
            startNode();
        }
    }

    /** A process whose place another one has taken, and that does not know it, stands still again. */
    private void freezeAgain(SimNode replaced) {
        if (!replaced.equals(node) && replaced.isServing() && world.random().nextBoolean()) {
            world.trace(() -> "SIGSTOP " + replaced.process() + " again");
            replaced.process().freeze();
            world.after(world.environment(), world.random().nextLong(10_000, 300_000), () -> thaw(replaced));
        }
    }
}
