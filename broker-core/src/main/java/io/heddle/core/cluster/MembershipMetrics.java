package io.heddle.core.cluster;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Metrics of the membership. Thread-safe.
 *
 * <p>Metrics: {@code heddle.cluster.nodes}, {@code heddle.cluster.heartbeat}, {@code heddle.cluster.declared.dead}.
 */
final class MembershipMetrics {
    private final Timer heartbeat;
    private final MeterRegistry registry;

    MembershipMetrics(IntSupplier nodes, MeterRegistry registry) {
        Gauge.builder("heddle.cluster.nodes", nodes, IntSupplier::getAsInt)
                .description("Members of the cluster as this node knows them")
                .strongReference(true)
                .register(registry);
        this.heartbeat = Timer.builder("heddle.cluster.heartbeat")
                .description("Heartbeats of this node, until the node has read them back from Kafka")
                .register(registry);
        this.registry = registry;
    }

    void readBack(long nanos, Collection<Member> members) {
        heartbeat.record(nanos, TimeUnit.NANOSECONDS);
        // For Prometheus, a counter that begins with 1 has no increase.
        for (Member each : members) {
            var _ = declaredDead(each.node().id());
        }
    }

    Counter declaredDead(NodeId node) {
        return Counter.builder("heddle.cluster.declared.dead")
                .description("Declarations by this node that another one is dead")
                .tag("node", node.value())
                .register(registry);
    }
}
