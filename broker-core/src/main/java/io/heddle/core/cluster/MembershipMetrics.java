package io.heddle.core.cluster;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Metrics of the membership. Thread-safe.
 *
 * <p>Metrics: {@code heddle.cluster.nodes}, {@code heddle.cluster.heartbeat}, {@code heddle.cluster.declared.dead}.
 */
final class MembershipMetrics {
    private final Timer heartbeat;
    private final Counter declaredDead;

    MembershipMetrics(IntSupplier nodes, MeterRegistry registry) {
        Gauge.builder("heddle.cluster.nodes", nodes, IntSupplier::getAsInt)
                .description("Members of the cluster as this node knows them")
                .strongReference(true)
                .register(registry);
        this.heartbeat = Timer.builder("heddle.cluster.heartbeat")
                .description("Heartbeats of this node, until the node has read them back from Kafka")
                .register(registry);
        this.declaredDead = Counter.builder("heddle.cluster.declared.dead")
                .description("Declarations by this node that another one is dead")
                .register(registry);
    }

    void readBack(long nanos) {
        heartbeat.record(nanos, TimeUnit.NANOSECONDS);
    }

    void declaredDead() {
        declaredDead.increment();
    }
}
