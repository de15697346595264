package io.heddle.core.simulation;

import io.heddle.core.simulation.kafka.SimKafkaClient;

/**
 * The routing lease of a process: it processes packets of clients only while a recent heartbeat was confirmed. A process that has stood still
 * therefore asks first whether another one has taken its place. Nobody takes its place before the lease is over.
 */
final class SimLease {
    static final long MICROS = 400_000;
    private static final long HEARTBEAT_MICROS = 50_000;

    private final World world;
    private final SimProcess process;
    private final SimKafkaClient kafka;
    private long confirmedNanos;

    SimLease(World world, SimProcess process, SimKafkaClient kafka) {
        this.world = world;
        this.process = process;
        this.kafka = kafka;
    }

    /** Begins the heartbeats. */
    void keep() {
        confirmedNanos = world.nanoTime();
        beat();
    }

    private void beat() {
        long sentNanos = world.nanoTime();
        kafka.confirmLife(() -> confirmedNanos = Math.max(confirmedNanos, sentNanos));
        world.after(process, HEARTBEAT_MICROS, this::beat);
    }

    boolean isValid() {
        return world.has(Mistake.NO_ROUTING_LEASE) || !isOver();
    }

    boolean isOver() {
        return world.nanoTime() - confirmedNanos >= MICROS * 1_000;
    }
}
