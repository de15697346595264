package io.heddle.core.simulation;

import io.heddle.core.simulation.kafka.SimKafka;
import io.heddle.core.simulation.redis.SimRedis;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The faults of one run: some kinds, chosen by the seed, at random times. They end early enough for everything to come back. */
final class FaultPlan {
    private static final long LONGEST_OUTAGE_MICROS = 4_000_000;

    private final World world;
    private final SimCluster cluster;
    private final List<Fault> kinds = new ArrayList<>();
    private final Map<Fault, Integer> happened = new EnumMap<>(Fault.class);
    private final long meanPauseMicros;
    private boolean ended;

    FaultPlan(World world, SimCluster cluster) {
        this.world = world;
        this.cluster = cluster;
        this.meanPauseMicros = world.random().nextLong(200_000, 2_000_000);
        for (Fault fault : Fault.values()) {
            // Few kinds at a time reach deeper than all of them together.
            if (world.random().nextBoolean()) {
                for (int i = 0; i < fault.weight(); i++) {
                    kinds.add(fault);
                }
            }
        }
    }

    /** The kinds that this run may use. */
    String used() {
        return kinds.stream().distinct().toList().toString();
    }

    /** Returns the number of faults so far, by kind. */
    Map<Fault, Integer> happened() {
        return Map.copyOf(happened);
    }

    void begin(long micros) {
        if (kinds.isEmpty()) {
            return;
        }
        long pause = world.random().nextLong(2 * meanPauseMicros);
        if (pause < micros) {
            world.after(world.environment(), pause, () -> {
                if (!ended) {
                    strike(kinds.get(world.random().nextInt(kinds.size())));
                    begin(micros - pause);
                }
            });
        }
    }

    private void strike(Fault fault) {
        happened.merge(fault, 1, Integer::sum);
        cluster.strike(fault);
    }

    /** A fault of Kafka. */
    static void strike(Fault fault, World world, SimKafka kafka) {
        switch (fault) {
            case LEADER_AWAY -> kafka.loseLeader(outage(world));
            case KAFKA_AWAY -> kafka.lose(outage(world));
            case COORDINATOR_AWAY -> kafka.loseCoordinator(outage(world));
            case SLOW_HEARTBEATS -> kafka.slowNodes(outage(world));
            case COMPACTION -> kafka.compact();
            default -> throw new IllegalArgumentException(fault + " is no fault of Kafka");
        }
    }

    /** A fault of Redis. */
    static void strike(Fault fault, World world, SimRedis redis) {
        switch (fault) {
            case REDIS_AWAY -> redis.lose(outage(world));
            case REDIS_SLOW -> redis.slowDown(outage(world));
            case REDIS_ROLLED_BACK -> redis.rollBack();
            default -> throw new IllegalArgumentException(fault + " is no fault of Redis");
        }
    }

    /** Mostly short, and sometimes longer than the timeouts of transactions. */
    static long outage(World world) {
        return world.oneIn(10)
                ? world.random().nextLong(LONGEST_OUTAGE_MICROS, 3 * LONGEST_OUTAGE_MICROS)
                : world.random().nextLong(1_000, LONGEST_OUTAGE_MICROS / 4);
    }

    /** No further fault begins. */
    void end() {
        ended = true;
    }
}
