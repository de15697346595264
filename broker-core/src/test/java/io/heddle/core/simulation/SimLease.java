package io.heddle.core.simulation;

import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.simulation.kafka.SimKafkaClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;

/** Renews the routing lease of a process. No other process takes over before the lease has ended. */
final class SimLease {
    static final long MICROS = 400_000;
    private static final long HEARTBEAT_MICROS = 50_000;

    private final World world;
    private final SimProcess process;
    private final SimKafkaClient kafka;
    private final RoutingLease lease;

    SimLease(World world, SimProcess process, SimKafkaClient kafka) {
        this.world = world;
        this.process = process;
        this.kafka = kafka;
        this.lease = new RoutingLease(Duration.ofNanos(MICROS * 1_000), world::nanoTime, new SimpleMeterRegistry());
    }

    /** Begins the heartbeats. */
    void keep() {
        lease.renew(world.nanoTime());
        beat();
    }

    private void beat() {
        long sentNanos = world.nanoTime();
        kafka.confirmLife(() -> lease.renew(sentNanos));
        world.after(process, HEARTBEAT_MICROS, this::beat);
    }

    RoutingLease ofProduct() {
        return world.has(Mistake.NO_ROUTING_LEASE) ? RoutingLease.unlimited() : lease;
    }

    boolean isOver() {
        return !lease.isValid();
    }
}
