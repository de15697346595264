package io.heddle.core.simulation.kafka;

import io.heddle.core.cluster.TransactionalId;
import io.heddle.core.simulation.Mistake;
import io.heddle.core.simulation.SimProcess;
import io.heddle.core.simulation.World;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * The log of nodes, reduced to its result: the processes that have joined, and those that another process has declared dead. A process that
 * takes over declares its predecessors dead first and fences their transactional ids afterwards.
 */
final class SimNodeLog {
    private static final long RETRY_MICROS = 20_000;
    private static final long MAXIMUM_LAG_MICROS = 1_000_000;

    private final World world;
    private final Set<String> joined = new HashSet<>();
    private final Set<String> dead = new HashSet<>();

    SimNodeLog(World world) {
        this.world = world;
    }

    static String transactionalId(String incarnation, int number) {
        return TransactionalId.PREFIX + incarnation + "-" + number;
    }

    /** Joins, declares all others dead and fences them. Returns a condition for the end of that. */
    BooleanSupplier takeOver(SimProcess process, SimCoordinator coordinator) {
        List<String> predecessors = joined.stream()
                .filter(each -> !dead.contains(each) && !each.equals(process.toString()))
                .sorted()
                .toList();
        joined.add(process.toString());
        List<String> ids = new ArrayList<>();
        for (String predecessor : predecessors) {
            for (int i = 0; i < SimKafkaClient.IDS; i++) {
                ids.add(transactionalId(predecessor, i));
            }
        }
        if (!world.has(Mistake.FENCED_BEFORE_DEAD)) {
            dead.addAll(predecessors);
        }
        int[] left = {ids.size()};
        ids.forEach(id -> fence(process, coordinator, id, () -> {
            left[0]--;
            if (left[0] == 0) {
                dead.addAll(predecessors);
            }
        }));
        return () -> left[0] == 0;
    }

    private void fence(SimProcess process, SimCoordinator coordinator, String id, Runnable done) {
        world.after(world.environment(), world.delay(), () -> {
            boolean isFenced = coordinator.fence(id);
            if (isFenced) {
                world.after(process, world.delay(), done);
            } else {
                world.after(process, RETRY_MICROS, () -> fence(process, coordinator, id, done));
            }
        });
    }

    SimLife life(SimProcess process, Runnable over) {
        return new Life(process, over);
    }

    /** The membership of one process. */
    private final class Life implements SimLife {
        private final SimProcess process;
        private final Runnable over;

        private Life(SimProcess process, Runnable over) {
            this.process = process;
            this.over = over;
        }

        @Override
        public void confirm(Runnable alive) {
            if (world.has(Mistake.FENCE_UNDONE)) {
                alive.run();
                return;
            }
            long delay = world.oneIn(20) ? world.random().nextLong(MAXIMUM_LAG_MICROS) : world.delay();
            world.after(world.environment(), delay, () -> {
                boolean isDead = dead.contains(process.toString());
                world.after(process, world.delay(), isDead ? over : alive);
            });
        }
    }
}
