package io.heddle.core.simulation;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The faults of one run: some kinds, chosen by the seed, at random times. They end early enough for everything to come back. */
final class FaultPlan {
    private static final long LONGEST_OUTAGE_MICROS = 4_000_000;

    private final World world;
    private final SimCluster cluster;
    private final List<Fault> kinds = new ArrayList<>();
    private final Map<Fault, Integer> happened = new EnumMap<>(Fault.class);
    private final long meanPauseMicros;
    private boolean ended;

    FaultPlan(World world, SimCluster cluster, Set<Fault> allowed) {
        this.world = world;
        this.cluster = cluster;
        this.meanPauseMicros = world.random().nextLong(200_000, 2_000_000);
        for (Fault fault : Fault.values()) {
            // Few kinds at a time reach deeper than all of them together.
            if (allowed.contains(fault) && world.random().nextBoolean()) {
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
        switch (fault) {
            case KILL -> {
                if (world.random().nextBoolean()) {
                    cluster.restart();
                } else {
                    cluster.restartAtAnswer();
                }
            }
            case FREEZE -> cluster.freeze(outage());
            case LEADER_AWAY -> cluster.kafka().loseLeader(outage());
            case KAFKA_AWAY -> cluster.kafka().lose(outage());
            case COORDINATOR_AWAY -> cluster.kafka().loseCoordinator(outage());
            case COMPACTION -> cluster.kafka().compact();
            case REDIS_AWAY -> cluster.redis().lose(outage());
            case REDIS_SLOW -> cluster.redis().slowDown(outage());
            case REDIS_ROLLED_BACK -> cluster.redis().rollBack();
            case NETWORK -> {
                SimNode node = cluster.node();
                if (world.oneIn(3)) {
                    cluster.resetConnections();
                } else if (node != null) {
                    cluster.loseAnswer(node);
                }
            }
            case CLOCK_SKEW -> cluster.skewClocks();
            case LATE_APPENDS -> cluster.replaceWithLateAppends();
            case ZOMBIE -> cluster.replaceFrozen();
            case STALE_ROUTES -> cluster.replaceFrozenAndMoveClients();
            case STUCK_FENCE -> cluster.replaceBeforeFenced();
        }
    }

    /** Mostly short, and sometimes longer than the timeouts of transactions. */
    private long outage() {
        return world.oneIn(10)
                ? world.random().nextLong(LONGEST_OUTAGE_MICROS, 3 * LONGEST_OUTAGE_MICROS)
                : world.random().nextLong(1_000, LONGEST_OUTAGE_MICROS / 4);
    }

    /** No further fault begins. */
    void end() {
        ended = true;
    }
}
